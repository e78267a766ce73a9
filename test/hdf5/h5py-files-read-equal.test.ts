import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type AnyDataset, type Dataset, type ElementType, File, type Reference } from "../../src/hdf5/index.ts";
import { run, tempDir } from "../support/index.ts";
import { python } from "../support/ranks.ts";
import { Phase } from "./h5py/write.ts";

/** As make.py writes values into JSON: 64-bit integers end with an n, typed arrays are lists. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (value === Number.POSITIVE_INFINITY) return "Infinity";
  if (ArrayBuffer.isView(value)) return Array.from(value as never, plain);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
  return value;
}

describe("a file of every kind of data that h5py wrote", () => {
  const folder = tempDir();
  const path = join(folder, "h5py.h5");
  let expected: Record<string, { shape: number[]; data: unknown; storedAs?: string; fillValue?: number }>;
  beforeAll(async () => {
    const { stderr } = await run([python, "test/hdf5/h5py/make.py", path]);
    expect(stderr).toBe("");
    expected = JSON.parse(readFileSync(`${path}.json`, "utf8"));
  });

  it("gives every dataset's shape, elements, byte order and fill value", () => {
    using file = new File(path);
    for (const [name, wanted] of Object.entries(expected)) {
      const dataset = file.get(name) as Dataset<ElementType>;
      const { shape, data } = dataset.read();
      expect([name, shape, plain(data)]).toEqual([name, wanted.shape, wanted.data]);
      if (wanted.storedAs) expect([name, dataset.storedAs]).toEqual([name, wanted.storedAs]);
      if (wanted.storedAs) expect([name, plain(dataset.attributes.get("copy"))]).toEqual([name, wanted.data]);
      if (wanted.fillValue) expect(dataset.fillValue).toBe(wanted.fillValue);
    }
    expect(Object.keys(expected).length).toBeGreaterThan(40);
  });

  it("gives filters, chunks and limits", () => {
    using file = new File(path);
    const facts = (name: string) => {
      const { chunks, compression, shuffle, fletcher32, maxShape } = file.dataset(`storage/${name}`);
      return { chunks, compression, shuffle, fletcher32, maxShape };
    };
    const none = { chunks: [7, 11], compression: undefined, shuffle: false, fletcher32: false, maxShape: [60, 40] };
    expect(facts("chunked")).toEqual(none);
    expect(facts("gzip")).toEqual({ ...none, compression: { gzip: 6 } });
    expect(facts("shuffle")).toEqual({ ...none, compression: { gzip: 1 }, shuffle: true });
    expect(facts("fletcher32")).toEqual({ ...none, fletcher32: true });
    expect(facts("growing")).toEqual({ ...none, maxShape: [null, 40] });
  });

  it("gives attributes of every kind", () => {
    using file = new File(path);
    const { attributes } = file;
    expect(attributes.get("text")).toBe("grün");
    expect(attributes.get("bytes")).toBe("abc");
    expect(attributes.get("int")).toBe(5n);
    expect(attributes.get("float")).toBe(1.5);
    expect(attributes.get("flag")).toBe(true);
    expect(attributes.get("list")).toEqual(Float64Array.of(1.5, 2.5));
    expect(attributes.get("texts")).toEqual(["a", "bb"]);
    expect(attributes.get("none")).toBeNull();
    expect(attributes.get("half")).toBe(0.5);
    expect(attributes.read("matrix")).toEqual({ dtype: "i4", shape: [2, 3], data: Int32Array.of(0, 1, 2, 3, 4, 5) });
    expect((plain(attributes.get("record")) as { name: string }[])[0]!.name).toBe("é");
    expect(file.get(attributes.get("reference", "ref") as Reference).name).toBe("/scalar");
  });

  it("gives types, links and references", () => {
    using file = new File(path);
    expect(file.dataset("enum", Phase).read().data).toEqual(Int16Array.of(300, 0, 1));
    expect((file.get("null") as AnyDataset).isNull).toBe(true);
    expect(file.link("soft")).toEqual({ kind: "soft", target: "/scalar" });
    expect(file.link("external")).toEqual({ kind: "external", file: "other.h5", target: "/x" });
    expect([file.has("soft"), file.has("external"), file.has("dangling")]).toEqual([true, true, false]);
    expect(file.dataset("external").read().data).toEqual(Float64Array.of(1, 2, 3));
    const [reference, none] = file.dataset("references", "ref").read().data;
    expect(file.get(reference!).equals(file.get("compound"))).toBe(true);
    expect(none).toBeNull();
    expect(file.dataset("virtual").virtualSources).toEqual([{ file: "other.h5", dataset: "x" }]);
  });

  it("keeps the order of making, and reads the latest format", () => {
    using ordered = new File(join(folder, "ordered.h5"));
    expect(ordered.keys()).toEqual(["zebra", "apple", "mango"]);
    expect(ordered.attributes.keys()).toEqual(["zebra", "apple", "mango"]);
    using latest = new File(join(folder, "latest.h5"));
    expect(latest.group("many").keys()).toHaveLength(50);
    expect(latest.dataset("many/d07", "i8").read().data).toEqual(BigInt64Array.from([0n, 1n, 2n, 3n, 4n, 5n, 6n]));
    expect(latest.get("many").attributes.get("a07")).toBe("xxxxxxx");
  });
});
