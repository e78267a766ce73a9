/** Files that h5py made read as what is in them: fixtures/files.py made the files, and the JSON with what h5py put in. */
import { copyFileSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type File, Reference } from "../../../../src/hdf5/index.ts";
import { type Bench, table } from "../behaviour.ts";

interface Told {
  name: string;
  file: string;
  path: string;
  dtype: unknown;
  shape: number[];
  readShape?: number[];
  data: unknown;
}

const fixtures = resolve("test/hdf5/conformance/fixtures");
const { datasets, attributes } = JSON.parse(readFileSync(join(fixtures, "h5py.json"), "utf8")) as {
  datasets: Told[];
  attributes: Omit<Told, "file" | "path">[];
};

/** A value as the JSON has it. */
function told(value: unknown, file: File): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number") {
    if (Number.isNaN(value)) return "NaN";
    if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
    return Object.is(value, -0) ? "-0" : value;
  }
  if (value instanceof Reference) return file.get(value).name;
  if (value === null || typeof value !== "object") return value;
  if (ArrayBuffer.isView(value)) return Array.from(value as never, (each) => told(each, file));
  if (Array.isArray(value)) return value.map((each) => told(each, file));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, told(each, file)]));
}

/** A type as JSON has it: what is undefined is left out. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const opened = ({ open }: Bench, name: string) => open(join(fixtures, name));

/** What h5py made; refuses what is no dataset. */
function dataset(file: File, path: string) {
  const node = file.get(path);
  if (node.kind !== "dataset") throw new Error(`${path} is a ${node.kind}`);
  return node;
}

export const reads = table("files of h5py", (behaviour) => {
  for (const { name, file, path, dtype, shape, readShape = shape, data, ...more } of datasets) {
    behaviour(`${name}: type, shape, storage and values`, (bench) => {
      const from = opened(bench, file);
      const node = dataset(from, path);
      bench.same(asJson(node.dtype), dtype);
      bench.same(node.shape, shape);
      for (const [field, value] of Object.entries(more)) bench.same(asJson(node[field as keyof typeof node]), value);
      const read = node.read();
      const ramp = (data as { ramp?: number } | null)?.ramp;
      const values = ramp === undefined ? data : Array.from({ length: ramp }, (_, i) => i);
      bench.same([read.shape, told(read.data, from)], [readShape, values]);
    });
  }
  for (const { name, dtype, shape, data } of attributes) {
    behaviour(`attribute ${name}: type, shape and value`, (bench) => {
      const from = opened(bench, "h5py.h5");
      const read = from.group("attributes").attributes;
      if (data === null) {
        bench.same(read.get(name), null);
        return;
      }
      const { data: values, ...rest } = read.read(name);
      bench.same([asJson(rest.dtype), rest.shape, told(values, from)], [dtype, shape, data]);
      const got = told(read.get(name), from);
      bench.same(got, shape.length === 0 ? (data as unknown[])[0] : data);
    });
  }

  behaviour("a file of h5py is known as HDF5, and its groups and links are told", (bench) => {
    const file = opened(bench, "h5py.h5");
    bench.same(file.group("numbers").keys().length, 22);
    bench.same(file.link("soft"), { kind: "soft", target: "/scalar" });
    bench.same(file.link("external"), { kind: "external", file: "h5py-latest.h5", target: "/many/d7" });
    bench.same(file.get("hard").equals(file.get("nan")), true);
    bench.same(file.group("Größe").keys(), ["数 🜁"]);
  });
  behaviour("the order of making that h5py tracked is kept", (bench) => {
    bench.same(opened(bench, "h5py.h5").group("ordered").keys(), ["zulu", "alpha", "mike"]);
  });
  behaviour("half precision reads as f4 and with astype as f8", (bench) => {
    const file = opened(bench, "h5py.h5");
    bench.same(file.dataset("numbers/<f2", "f4").read([0, 1]).data, Float32Array.of(-1.5));
    bench.same(file.dataset("numbers/>f2", "f4").astype("f8").read([0, 1]).data, Float64Array.of(-1.5));
  });
  behaviour("a part of h5py's chunked data reads as that part", (bench) => {
    const file = opened(bench, "h5py.h5");
    const read = file.dataset("stored/all", "i4").read([{ start: 5, end: 16, step: 5 }, [0, 9, 10, 24]]);
    bench.same(read, {
      dtype: "i4",
      shape: [3, 4],
      data: Int32Array.of(125, 134, 135, 149, 250, 259, 260, 274, 375, 384, 385, 399),
    });
  });
  behaviour("a named type of h5py is told", (bench) => {
    bench.same(opened(bench, "h5py.h5").type("kept type"), { kind: "compound", fields: { x: "f8", n: "i4" } });
  });
  behaviour("a filter that is not there is named in the refusal", (bench) => {
    const file = opened(bench, "h5py.h5");
    const node = dataset(file, "stored/lzf");
    bench.same([node.shape, node.dtype], [[40, 25], "i4"]);
    bench.fails(() => node.read(), "Hdf5", /lzf|32000/i);
  });
  behaviour("a type that JavaScript has nothing for is refused in words, and the rest of the file reads", (bench) => {
    const file = opened(bench, "h5py.h5");
    bench.fails(() => dataset(file, "region-refs").read(), "Hdf5", /region-refs/);
    bench.same(file.dataset("scalar", "f4").read().data, Float32Array.of(2.5));
  });
  behaviour("long doubles read as f8, or are refused in words", (bench) => {
    const file = opened(bench, "h5py.h5");
    let read: unknown;
    try {
      read = file.dataset("stored/long-double", "f8").read().data;
    } catch (error) {
      bench.same((error as { code: string }).code, "Hdf5");
      return;
    }
    bench.same(read, Float64Array.of(1.5));
  });
  behaviour("dimension scales are attributes that can be listed", (bench) => {
    const file = opened(bench, "h5py.h5");
    bench.same(file.get("scaled").attributes.keys(), ["DIMENSION_LIST"]);
    const [[scale]] = file.get("scaled").attributes.get("DIMENSION_LIST") as unknown as [[Reference]];
    bench.same(file.get(scale).name, "/scale");
    bench.same(file.get("scale").attributes.get("NAME"), "metres");
  });
  behaviour("the user block and the latest format of h5py read", (bench) => {
    const file = opened(bench, "h5py-latest.h5");
    bench.same(file.userBlock, 512);
    bench.same(file.group("many").keys().length, 20);
    bench.same(file.dataset("many/d19", "i4").read().data, Int32Array.of(19));
    bench.same(file.attributes.size, 13);
    bench.same(file.attributes.get("a11"), 11n);
    bench.same((file.attributes.get("large") as Float64Array)[8999], 8999);
  });
  behaviour("a virtual dataset tells where its parts lie", (bench) => {
    const file = opened(bench, "h5py-virtual.h5");
    const sources = dataset(file, "all").virtualSources;
    bench.same(
      sources?.map(({ file: name, dataset: of }) => [name, of.replace(/^\//, "")]),
      [
        [".", "part0"],
        [".", "part1"],
        [".", "part2"],
      ],
    );
    bench.same(dataset(file, "part0").virtualSources, undefined);
  });
  behaviour("a copy of h5py's file takes new values of every type that it has", (bench) => {
    const copy = bench.path();
    copyFileSync(join(fixtures, "h5py.h5"), copy);
    const file = bench.open(copy, "r+");
    file.dataset("numbers/>i2", "i2").write(Int16Array.of(9, 9, 9), [1]);
    file.dataset("strings/utf8", "str").write("neu", [0]);
    file.dataset("bool", "bool").write(false, [0]);
    file.dataset("stored/growing", "i4").resize([3, 25]);
    file.group("attributes").attributes.set("int", 6n);
    const again = bench.reopen(file);
    bench.same(again.dataset("numbers/>i2", "i2").read([1]).data, Int16Array.of(9, 9, 9));
    bench.same(again.dataset("strings/utf8", "str").read([0]).data, ["neu"]);
    bench.same(again.dataset("bool", "bool").read().data, [false, false, true]);
    bench.same(again.dataset("stored/growing", "i4").read([2, 0]).data, Int32Array.of(-1));
    bench.same(again.group("attributes").attributes.get("int"), 6n);
  });
});
