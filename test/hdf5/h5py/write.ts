/** Writes with girona what check.py reads with h5py. */
import { join } from "node:path";
import { dtypes } from "../../../src/common/index.ts";
import {
  arrayType,
  compoundType,
  type DType,
  enumType,
  File,
  opaqueType,
  stringType,
  vlenType,
} from "../../../src/hdf5/index.ts";

export const Row = compoundType({
  mass: "f8",
  position: arrayType("f4", [3]),
  name: "str",
  code: stringType({ length: 4, encoding: "ascii" }),
  id: "i8",
  ok: "bool",
  inner: compoundType({ a: "i2", b: "u1" }),
});
export const Phase = enumType({ SOLID: 0, LIQUID: 1, GAS: 300 }, "i2");

export function writeEverything(folder: string): string {
  const path = join(folder, "girona.h5");
  {
    using other = new File(join(folder, "other.h5"), "w");
    other.put("x", Float64Array.of(1, 2, 3));
    using ordered = new File(join(folder, "ordered.h5"), "w", { trackOrder: true });
    for (const name of ["zebra", "apple", "mango"]) ordered.createGroup(name);
    ordered.attributes.set("zebra", 1);
    ordered.attributes.set("apple", 1);
    using block = new File(join(folder, "block.h5"), "w", { userBlock: 512 });
    block.createGroup("x");
  }
  using file = new File(path, "w");
  for (const [name, order] of [
    ["little", "<"],
    ["big", ">"],
  ] as const) {
    for (const dtype of Object.keys(dtypes) as DType[]) {
      const { array: Kind, kind, bytes } = dtypes[dtype];
      const numbers = [0, 1, 100, 3, 4, 5];
      const values = new Kind(kind !== "float" && bytes === 8 ? numbers.map(BigInt) : numbers);
      const dataset = file.createDataset(`numbers/${name}-${dtype}`, {
        shape: [2, 3],
        dtype,
        storedAs: `${order}${dtype}`,
      });
      dataset.write(values as never);
      dataset.attributes.set("copy", values as never, { dtype, shape: [2, 3], storedAs: `${order}${dtype}` });
    }
  }
  file.createDataset("numbers/half", { shape: [2], dtype: "f4", storedAs: "f2" }).write(Float32Array.of(0.5, -2));
  file.put("strings/variable", ["a", "", "grün", "日本"]);
  file.createDataset("strings/ascii", { shape: [2], dtype: stringType({ encoding: "ascii" }) }).write(["a", "bc"]);
  file
    .createDataset("strings/fixed", { shape: [2], dtype: stringType({ length: 3, encoding: "ascii" }) })
    .write(["abc", "de"]);
  file
    .createDataset("strings/terminated", {
      shape: [1],
      dtype: stringType({ length: 3, encoding: "ascii", padding: "terminated" }),
    })
    .write(["ab"]);
  file
    .createDataset("strings/spaces", {
      shape: [1],
      dtype: stringType({ length: 4, encoding: "ascii", padding: "spaces" }),
    })
    .write(["ab"]);
  file.put("bool", [true, false, true]);
  file.createDataset("enum", { shape: [3], dtype: Phase }).write(Int16Array.of(300, 0, 1));
  const rows = file.createDataset("compound", { shape: [2], dtype: Row });
  rows.write([
    {
      mass: 0,
      position: Float32Array.of(1, 2, 3),
      name: "é",
      code: "ab",
      id: 2n ** 60n,
      ok: true,
      inner: { a: -3, b: 200 },
    },
    { mass: 0, position: Float32Array.of(4, 5, 6), name: "", code: "abcd", id: -1n, ok: false, inner: { a: 7, b: 8 } },
  ]);
  rows.field("mass").write(Float64Array.of(1.5, -2));
  file
    .createDataset("array", { shape: [2], dtype: arrayType("f8", [2, 2]) })
    .write(Float64Array.from({ length: 8 }, (_, i) => i));
  file
    .createDataset("vlen", { shape: [3], dtype: vlenType("i4") })
    .write([Int32Array.of(1, 2, 3), new Int32Array(0), Int32Array.of(4)]);
  file.createDataset("opaque", { shape: [2], dtype: opaqueType(2) }).write([Uint8Array.of(1, 2), Uint8Array.of(3, 0)]);
  file.createDataset("references", { shape: [2], dtype: "ref" }).write([rows.ref, null]);
  file.put("scalar", 3.25);
  file.createDataset("null", { shape: null, dtype: "f4" });
  file.createDataset("empty", { shape: [0, 3], dtype: "f8" }).write(new Float64Array(0));
  const big = Float64Array.from({ length: 60 * 40 }, (_, i) => i);
  const storage = { shape: [60, 40], dtype: "f8", chunks: [7, 11] } as const;
  file.createDataset("storage/chunked", storage).write(big);
  file.createDataset("storage/gzip", { ...storage, compression: { gzip: 6 } }).write(big);
  file.createDataset("storage/shuffle", { ...storage, compression: { gzip: 1 }, shuffle: true }).write(big);
  file.createDataset("storage/fletcher32", { ...storage, fletcher32: true }).write(big);
  const growing = file.createDataset("storage/growing", { ...storage, maxShape: [null, 40], fillValue: -1 });
  growing.resize([62, 40]);
  file.createDataset("storage/fill", { shape: [3], dtype: "i4", fillValue: -7 });
  file
    .createDataset("selected", { shape: [3, 4], dtype: "i4" })
    .write(Int32Array.of(1, 1, 1, 1), [[true, false, true], { start: 1, end: 4, step: 2 }]);
  file.createSoftLink("soft", "/scalar");
  file.createExternalLink("external", "other.h5", "/x");
  file.createHardLink("hard", "scalar");
  file.createGroup("old");
  file.move("old", "new");
  file.copy("storage", "copy");
  const { attributes } = file;
  attributes.set("text", "grün");
  attributes.set("float", 1.5);
  attributes.set("int", 5n);
  attributes.set("flag", true);
  attributes.set("list", [1.5, 2.5]);
  attributes.set("texts", ["a", "bb"]);
  attributes.set("none", null);
  attributes.set("matrix", [0, 1, 2, 3, 4, 5], { dtype: "i4", shape: [2, 3], storedAs: ">i4" });
  attributes.set("replaced", "one");
  attributes.set("replaced", 2);
  file.createType("type", compoundType({ x: "f8", y: "i4" }));
  const x = { file: "other.h5", dataset: "x", shape: [3] };
  file.createVirtualDataset("virtual", {
    shape: [3, 3],
    dtype: "f8",
    fillValue: -1,
    sources: [
      { ...x, at: [0] },
      { ...x, selection: [2], at: [2, 0] },
      { ...x, selection: [{ start: 0, end: 1 }], at: [2, { start: 1, end: 2 }] },
    ],
  });
  return path;
}
