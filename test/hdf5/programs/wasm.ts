/** What h5wasm serves through the same classes, and refuses; prints one line of JSON. */
import { backend, File, library, stringType } from "../../../src/hdf5/index.ts";

const [folder = "", other = ""] = process.argv.slice(2);
const path = `${folder}/wasm.h5`;
const refusals: Record<string, string> = {};
const refused = (what: string, work: () => unknown) => {
  try {
    work();
    refusals[what] = "was not refused";
  } catch (error) {
    refusals[what] = `${(error as Error).name}: ${(error as Error).message}`;
  }
};
{
  using file = new File(path, "w");
  const x = file.createDataset("a/x", { shape: [4, 5], dtype: "f8", chunks: [2, 2], compression: "gzip" });
  x.write(Float64Array.from({ length: 20 }, (_, i) => i));
  x.write(Float64Array.of(-1, -2, -3, -4), [
    [0, 3],
    [1, 4],
  ]);
  x.attributes.set("unit", "m");
  x.attributes.set("unit", "m/s");
  x.attributes.set("counts", Int32Array.of(1, 2));
  x.attributes.set("names", ["a", "bb"]);
  const fixed = stringType({ length: 4, encoding: "ascii", padding: "terminated" });
  file.createDataset("texts", { shape: [2], dtype: fixed }).write(["ab", "abc"]);
  file.createDataset("grows", { shape: [2], dtype: "i4", maxShape: [null] }).resize([5]);
  file.createSoftLink("soft", "/a/x");
  refused("core", () => new File(path, "r", { driver: "core" }));
  refused("big-endian", () => file.createDataset("y", { shape: [1], dtype: "f8", storedAs: ">f8" }));
  refused("shuffle", () => file.createDataset("y", { shape: [1], dtype: "f8", shuffle: true }));
  refused("fill value", () => file.createDataset("y", { shape: [1], dtype: "f8", fillValue: 1 }));
  refused("bool", () => file.put("y", [true]));
  refused("delete", () => file.delete("texts"));
  refused("too large", () => file.createDataset("y", { shape: [300, 1024, 1024], dtype: "f8" }));
  refused("conversion", () => file.dataset("a/x").astype("i4").read());
  refused("wrong length", () => file.dataset("a/x").write(new Float64Array(3)));
}
refused("no such file", () => new File(`${folder}/nothing.h5`));
refused("no HDF5", () => new File(import.meta.url.replace("file://", "")));
using file = new File(path);
using made = new File(other);
refused("big-endian record", () => (made.get("compound") as never as ReturnType<typeof made.dataset>).read());
const plain = (_: string, value: unknown) =>
  typeof value === "bigint" ? `${value}n` : ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value;
const read = {
  keys: file.keys(),
  x: file.dataset("soft").read([[0, 3], { start: 0, end: 5, step: 2 }]),
  attributes: file.get("a/x").attributes.entries(),
  texts: file.dataset("texts", "str").read().data,
  grows: [file.dataset("grows", "i4").shape, file.dataset("grows", "i4").maxShape],
};
const numbers = made
  .group("numbers")
  .keys()
  .map((name) => [
    `numbers/${name}`,
    (made.get(`numbers/${name}`) as { read(): unknown } as never as ReturnType<typeof made.dataset>).read().data,
  ]);
const names = ["strings/variable", "strings/fixed", "bool", "enum", "array", "vlen", "virtual"];
const others = names.map((name) => [name, (made.get(name) as never as ReturnType<typeof made.dataset>).read().data]);
console.log(
  JSON.stringify({ backend, library, read, refusals, data: Object.fromEntries([...numbers, ...others]) }, plain),
);
