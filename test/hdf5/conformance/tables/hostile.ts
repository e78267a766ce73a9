/** What no careful program does, and what programs do all the same: errors in words, and nothing lost in silence. */
import { arrayType, compoundType, enumType, opaqueType, Reference, vlenType } from "../../../../src/hdf5/index.ts";
import { table } from "../behaviour.ts";

export const hostile = table("hostile calls", (behaviour) => {
  behaviour("a group cannot be moved into itself, where nothing would lead to it", ({ create, fails, same }) => {
    const file = create();
    file.createGroup("a/b");
    fails(() => file.move("a", "a/b/c"), "Usage", /itself/);
    fails(() => file.group("a").move("/a", "c"), "Usage", /itself/);
    same([file.keys(), file.group("a").keys()], [["a"], ["b"]]);
  });
  behaviour("a field whose getter throws hands on its error, and the file lives on", ({ create, same }) => {
    const data = create().createDataset("x", { shape: [1], dtype: compoundType({ a: "f8" }) });
    const trap = {
      get a(): number {
        throw new RangeError("mine");
      },
    };
    let thrown = "";
    try {
      data.write([trap]);
    } catch (error) {
      thrown = String(error);
    }
    same([thrown, data.read().data], ["RangeError: mine", [{ a: 0 }]]);
  });
  behaviour("a getter that closes the file ends in an error", ({ create, fails }) => {
    const file = create();
    const data = file.createDataset("x", { shape: [1], dtype: compoundType({ a: "f8" }) });
    const closes = {
      get a() {
        file.close();
        return 1;
      },
    };
    fails(() => data.write([closes]), "Hdf5");
  });
  behaviour("a getter that shortens the list it is in ends in an error", ({ create, fails }) => {
    const file = create();
    const dtype = compoundType({ a: "f8" });
    const list: { a: number }[] = [];
    const shortens = {
      get a() {
        list.length = 1;
        return 1;
      },
    };
    list.push(shortens, { a: 2 });
    fails(() => file.createDataset("x", { shape: [2], dtype }).write(list), "Usage");
    list.push({ a: 2 });
    fails(() => file.createDataset("y", { shape: [1], dtype: vlenType(dtype) }).write([list]), "Usage");
  });
  behaviour("a virtual dataset is no source of itself", ({ create, fails, same }) => {
    const file = create();
    for (const dataset of ["v", "/v", "//v"])
      fails(
        () =>
          file.createVirtualDataset("v", { shape: [2], dtype: "i4", sources: [{ file: ".", dataset, shape: [2] }] }),
        "Usage",
        /itself/,
      );
    same(file.keys(), []);
  });
  behaviour("an attribute is changed also where others have names like it", ({ create, same }) => {
    const { attributes } = create();
    for (const name of ["a", "a.new", "a.new.new", "a.girona-new"]) attributes.set(name, name);
    attributes.set("a", 2);
    same(attributes.entries(), [
      ["a", 2],
      ["a.girona-new", "a.girona-new"],
      ["a.new", "a.new"],
      ["a.new.new", "a.new.new"],
    ]);
  });
  behaviour("a field named __proto__ is a field", ({ create, same }) => {
    const dtype = compoundType(JSON.parse('{"__proto__":"f8","a":"i4"}') as { a: "i4" });
    const data = create().createDataset("x", { shape: [1], dtype });
    data.write(JSON.parse('[{"__proto__":1.5,"a":2}]') as { a: number }[]);
    same(JSON.stringify(data.read().data), '[{"__proto__":1.5,"a":2}]');
  });
  behaviour("groups and attributes named as what objects have are none of that", ({ create, reopen, same }) => {
    const file = create();
    for (const name of ["__proto__", "constructor", "toString"]) file.createGroup(name).attributes.set(name, name);
    const again = reopen(file);
    same(again.keys(), ["__proto__", "constructor", "toString"]);
    same(again.get("__proto__").attributes.entries(), [["__proto__", "__proto__"]]);
  });
  behaviour("names of fields, members and tags that HDF5 would cut are refused", ({ create, fails, same }) => {
    fails(() => compoundType({ "": "f8" }), "Usage", /name/);
    fails(() => compoundType({ "a\0b": "f8" }), "Usage", /name/);
    fails(() => enumType({ "a\0": 1 }), "Usage", /name/);
    fails(() => opaqueType(4, "t".repeat(256)), "Usage", /255/);
    const file = create();
    fails(() => file.createDataset("x", { shape: [1], dtype: { kind: "compound", fields: { "": "f8" } } }), "Usage");
    same(file.keys(), []);
  });
  behaviour("two names for one number, an array of arrays and 33 axes in an element are refused", ({ fails, same }) => {
    fails(() => enumType({ a: 1, b: 1 }), "Usage", /own/);
    fails(() => arrayType(arrayType("f8", [2]) as never, [2]), "Usage", /array/);
    fails(() => arrayType("f8", new Array(33).fill(1)), "Usage", /32/);
    same(arrayType("f8", new Array(32).fill(1)).shape.length, 32);
  });
  behaviour("a reference is a number of 64 bits", ({ fails, same }) => {
    for (const address of [5, -1n, 2n ** 64n, "5", undefined])
      fails(() => new Reference(address as never), "Usage", /bigint/);
    same(new Reference(2n ** 64n - 1n).address, 2n ** 64n - 1n);
  });
  behaviour("a selection that changes while it is read selects nothing beyond the dataset", ({ create, same }) => {
    const data = create().put("x", Float64Array.of(1, 2, 3));
    let asked = 0;
    const range = {
      start: 0,
      get end() {
        return asked++ === 0 ? 3 : 1e9;
      },
    };
    same(data.read([range]).data, Float64Array.of(1, 2, 3));
  });
  behaviour("a mask of a hundred thousand is read in good order", ({ create, same }) => {
    const data = create().put(
      "x",
      Float64Array.from({ length: 100_000 }, (_, i) => i),
      { chunks: [1000] },
    );
    const mask = Array.from({ length: 100_000 }, (_, i) => i % 3 !== 1);
    const { data: read } = data.read([mask]);
    same([read.length, read[1], read[2], read.at(-1)], [66_667, 2, 3, 99_999]);
  });
  behaviour("twenty thousand openings of one dataset do no harm", ({ create, same }) => {
    const file = create();
    file.put("x", Float64Array.of(4));
    for (let i = 0; i < 20_000; i++) file.dataset("x");
    same(file.dataset("x").read().data, Float64Array.of(4));
  });
  behaviour("devices and folders are refused as what they are", ({ open, fails }) => {
    fails(() => open("/dev/full", "w").put("x", new Float64Array(1000)), "Hdf5", /no space left/i);
    fails(() => open("/dev/zero"), "Hdf5");
    fails(() => open("/proc/self/mem"), "Hdf5");
  });
  behaviour("a copy of a group into itself ends, with what was there before", ({ create, same }) => {
    const file = create();
    file.createGroup("a/b");
    file.copy("a", "a/b/c");
    same([file.group("a/b/c").keys(), file.has("a/b/c/b/c")], [["b"], false]);
  });
});
