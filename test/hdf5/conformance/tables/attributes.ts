/** Attributes: every type, in place of what was there, names, order, limits. */
import { ndarray } from "../../../../src/common/index.ts";
import { arrayType, compoundType, enumType, stringType } from "../../../../src/hdf5/index.ts";
import { table } from "../behaviour.ts";

export const attributes = table("attributes", (behaviour) => {
  behaviour("a number is stored as f8", ({ create, reopen, same }) => {
    const file = create();
    file.attributes.set("a", 4.5);
    same(reopen(file).attributes.read("a"), { dtype: "f8", shape: [], data: Float64Array.of(4.5) });
  });
  behaviour("a bigint is stored as i8", ({ create, reopen, same }) => {
    const file = create();
    file.attributes.set("a", -(2n ** 63n));
    same(reopen(file).attributes.get("a"), -(2n ** 63n));
  });
  behaviour("a bigint beyond i8 is stored as u8 when asked, else refused", ({ create, fails, same }) => {
    const { attributes } = create();
    fails(() => attributes.set("a", 2n ** 63n), "Usage", /i8|u8/);
    attributes.set("a", 2n ** 64n - 1n, { dtype: "u8" });
    same(attributes.get("a"), 2n ** 64n - 1n);
  });
  behaviour("a string comes back as it was, whatever its letters", ({ create, reopen, same }) => {
    const file = create();
    const texts = ["Hello", "", "Öl – 数据 🜁", "two\nlines", "ends with space ", "x".repeat(5000)];
    for (const [i, text] of texts.entries()) file.attributes.set(`a${i}`, text);
    const again = reopen(file);
    same(
      texts.map((_, i) => again.attributes.get(`a${i}`)),
      texts,
    );
  });
  behaviour("a string with a NUL is refused and not cut", ({ create, fails, same }) => {
    const { attributes } = create();
    fails(() => attributes.set("a", "one\0two"), "Usage", /NUL|zero|\\0/i);
    same(attributes.keys(), []);
  });
  behaviour(
    "half a surrogate pair is refused or comes back, never another text in silence",
    ({ create, same, fails }) => {
      const { attributes } = create();
      fails(() => attributes.set("a", "x\ud800"), "Usage");
      same(attributes.keys(), []);
    },
  );
  behaviour("a boolean comes back as one", ({ create, reopen, same }) => {
    const file = create();
    file.attributes.set("yes", true);
    file.attributes.set("no", false);
    file.attributes.set("all", [true, false, true]);
    const again = reopen(file).attributes;
    same([again.get("yes"), again.get("no"), again.get("all")], [true, false, [true, false, true]]);
    same(again.read("yes").dtype, "bool");
  });
  behaviour("typed arrays keep their type", ({ create, reopen, same }) => {
    const file = create();
    const arrays = [
      Float64Array.of(1, -0),
      Float32Array.of(1.5),
      BigInt64Array.of(-1n),
      Int32Array.of(-1, 2),
      Int16Array.of(-1),
      Int8Array.of(-1),
      BigUint64Array.of(2n ** 64n - 1n),
      Uint32Array.of(2 ** 32 - 1),
      Uint16Array.of(65535),
      Uint8Array.of(255),
    ];
    for (const [i, array] of arrays.entries()) file.attributes.set(`a${i}`, array);
    const again = reopen(file).attributes;
    same(
      arrays.map((_, i) => again.get(`a${i}`)),
      arrays,
    );
  });
  behaviour("a list of numbers is stored as f8, a list of strings as strings", ({ create, reopen, same }) => {
    const file = create();
    file.attributes.set("numbers", [1, 2.5]);
    file.attributes.set("texts", ["a", "", "ß"]);
    const again = reopen(file).attributes;
    same([again.get("numbers"), again.get("texts")], [Float64Array.of(1, 2.5), ["a", "", "ß"]]);
  });
  behaviour("an NDArray keeps its axes", ({ create, reopen, same }) => {
    const file = create();
    const values = ndarray(Int16Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
    file.attributes.set("a", values);
    same(reopen(file).attributes.read("a"), values);
  });
  behaviour("a value can be given a type and a shape", ({ create, same }) => {
    const { attributes } = create();
    attributes.set("a", 3, { dtype: "i4" });
    attributes.set("b", [1, 2, 3, 4], { dtype: "i2", shape: [2, 2] });
    same(attributes.read("a"), { dtype: "i4", shape: [], data: Int32Array.of(3) });
    same(attributes.read("b"), { dtype: "i2", shape: [2, 2], data: Int16Array.of(1, 2, 3, 4) });
  });
  behaviour("a value that the given type cannot hold is refused", ({ create, fails, same }) => {
    const { attributes } = create();
    fails(() => attributes.set("a", 300, { dtype: "u1" }), "Usage", /u1|255/);
    fails(() => attributes.set("a", 1.5, { dtype: "i4" }), "Usage", /i4|whole/);
    fails(() => attributes.set("a", "x" as never, { dtype: "i4" }), "Usage");
    fails(() => attributes.set("a", [1, 2, 3], { dtype: "i4", shape: [2] }), "Usage", /shape|2/);
    same(attributes.keys(), []);
  });
  behaviour("big-endian is stored when asked, and reads the same", ({ create, reopen, same }) => {
    const file = create();
    file.attributes.set("a", [1, 258], { dtype: "i2", storedAs: ">i2" });
    same(reopen(file).attributes.get("a"), Int16Array.of(1, 258));
  });
  behaviour("null is an attribute without a value", ({ create, reopen, same }) => {
    const file = create();
    file.attributes.set("a", null);
    const again = reopen(file).attributes;
    same([again.get("a"), again.has("a"), again.keys()], [null, true, ["a"]]);
  });
  behaviour("an empty array has no elements, which is not null", ({ create, reopen, same }) => {
    const file = create();
    file.attributes.set("a", new Int32Array(0));
    file.attributes.set("b", [] as string[], { dtype: "str" });
    const again = reopen(file).attributes;
    same([again.get("a"), again.get("b")], [new Int32Array(0), []]);
  });
  behaviour("an empty list without a type is refused, or is numbers", ({ create, same }) => {
    const { attributes } = create();
    let kind = "kept";
    try {
      attributes.set("a", []);
    } catch (error) {
      kind = (error as { code: string }).code;
    }
    same(["kept", "Usage"].includes(kind), true);
  });
  behaviour("a list of mixed kinds is refused", ({ create, fails, same }) => {
    const { attributes } = create();
    fails(() => attributes.set("a", [1, "two"] as never), "Usage");
    fails(() => attributes.set("a", ["one", 2] as never), "Usage");
    fails(() => attributes.set("a", [true, 1] as never), "Usage");
    same(attributes.keys(), []);
  });
  behaviour("what is no value is refused in words", ({ create, fails, same }) => {
    const { attributes } = create();
    for (const value of [undefined, {}, () => 1, Symbol("s"), new Date(0), new Map(), [[1]], [undefined]])
      fails(() => attributes.set("a", value as never), "Usage");
    same(attributes.keys(), []);
  });
  behaviour("a fixed string is stored and read without its padding", ({ create, reopen, same }) => {
    const file = create();
    file.attributes.set("a", "abc", { dtype: stringType({ length: 8 }) });
    file.attributes.set("b", ["x", "yz"], { dtype: stringType({ length: 2, encoding: "ascii" }) });
    const again = reopen(file).attributes;
    same([again.get("a"), again.get("b")], ["abc", ["x", "yz"]]);
    same(again.read("a").dtype, { kind: "string", length: 8, encoding: "utf8", padding: "zeros" });
  });
  behaviour("records are stored in attributes", ({ create, reopen, same }) => {
    const file = create();
    const dtype = compoundType({ mass: "f8", name: "str", spin: arrayType("i2", [2]) });
    const value = { mass: 1.5, name: "Ω", spin: Int16Array.of(1, -1) };
    file.attributes.set("one", value, { dtype });
    file.attributes.set("two", [value, { ...value, name: "" }], { dtype });
    const again = reopen(file).attributes;
    same(again.get("one"), value);
    same(again.get("two"), [value, { ...value, name: "" }]);
  });
  behaviour("enumerations and arrays are stored in attributes", ({ create, reopen, same }) => {
    const file = create();
    file.attributes.set("phase", 2, { dtype: enumType({ solid: 0, gas: 2 }, "u1") });
    file.attributes.set("matrix", Float32Array.of(1, 2, 3, 4), { dtype: arrayType("f4", [2, 2]) });
    const again = reopen(file).attributes;
    same(again.get("phase"), 2);
    same(again.get("matrix"), Float32Array.of(1, 2, 3, 4));
    same(again.read("phase").dtype, { kind: "enum", base: "u1", members: { solid: 0, gas: 2 } });
  });

  behaviour("set puts the new value in place of the old, of any type and shape", ({ create, same }) => {
    const { attributes } = create();
    attributes.set("a", 4);
    attributes.set("a", 5);
    same(attributes.get("a"), 5);
    attributes.set("a", "text");
    same(attributes.get("a"), "text");
    attributes.set("a", Int32Array.of(1, 2));
    same([attributes.get("a"), attributes.size], [Int32Array.of(1, 2), 1]);
  });
  behaviour("a refused set leaves the old value", ({ create, fails, same }) => {
    const { attributes } = create();
    attributes.set("a", 4);
    fails(() => attributes.set("a", {} as never), "Usage");
    fails(() => attributes.set("a", "x\0y"), "Usage");
    fails(() => attributes.set("a", 300, { dtype: "u1" }), "Usage");
    same(attributes.get("a"), 4);
  });
  behaviour("get of what is not there is undefined, read refuses", ({ create, same, fails }) => {
    const file = create();
    const error = fails(() => file.attributes.read("a"), "Hdf5", /a/);
    same([file.attributes.get("a"), error.file], [undefined, file.path]);
  });
  behaviour("get with a type refuses another one, and what is not there", ({ create, same, fails }) => {
    const { attributes } = create();
    attributes.set("a", Int32Array.of(1));
    same(attributes.get("a", "i4"), Int32Array.of(1));
    fails(() => attributes.get("a", "f8"), "Hdf5", /i4/);
    fails(() => attributes.get("b", "f8"), "Hdf5", /b/);
  });
  behaviour("delete removes, and refuses what is not there", ({ create, same, fails }) => {
    const { attributes } = create();
    attributes.set("a", 1);
    attributes.delete("a");
    same([attributes.has("a"), attributes.size], [false, 0]);
    fails(() => attributes.delete("a"), "Hdf5", /a/);
  });
  behaviour("rename keeps the value, and does not write over another", ({ create, same, fails }) => {
    const { attributes } = create();
    attributes.set("a", 1);
    attributes.rename("a", "b");
    same([attributes.get("b"), attributes.keys()], [1, ["b"]]);
    attributes.set("c", 2);
    fails(() => attributes.rename("b", "c"), "Hdf5");
    same([attributes.get("b"), attributes.get("c")], [1, 2]);
  });
  behaviour("keys are in order of the alphabet", ({ create, same }) => {
    const { attributes } = create();
    for (const name of ["delta", "alpha", "charlie", "bravo"]) attributes.set(name, 1);
    same(attributes.keys(), ["alpha", "bravo", "charlie", "delta"]);
  });
  behaviour("keys keep the order of adding where that is tracked, also after changes", ({ create, same }) => {
    const group = create().createGroup("g", { trackOrder: true });
    for (let i = 0; i < 12; i++) group.attributes.set(`k${11 - i}`, i);
    same(
      group.attributes.keys(),
      Array.from({ length: 12 }, (_, i) => `k${11 - i}`),
    );
    group.attributes.delete("k5");
    same(group.attributes.keys().indexOf("k5"), -1);
    same(group.attributes.size, 11);
  });
  behaviour("a dataset may track the order of its attributes", ({ create, reopen, same }) => {
    const file = create();
    const data = file.createDataset("x", { shape: [], dtype: "f8", trackOrder: true });
    for (const name of ["z", "m", "a"]) data.attributes.set(name, 1);
    same(reopen(file).dataset("x").attributes.keys(), ["z", "m", "a"]);
  });
  behaviour("entries are names with values", ({ create, same }) => {
    const { attributes } = create();
    attributes.set("a", 1);
    attributes.set("b", "two");
    same(attributes.entries(), [
      ["a", 1],
      ["b", "two"],
    ]);
  });
  behaviour("names have any letters, also / and spaces", ({ create, reopen, same }) => {
    const file = create();
    const names = ["Ω 数 🜁", "a/b", " ", ".", "-", "toString", "__proto__"].sort();
    for (const name of names) file.attributes.set(name, name);
    const again = reopen(file).attributes;
    same(new Set(again.keys()), new Set(names));
    same(
      names.map((name) => again.get(name)),
      names,
    );
  });
  behaviour("a name that is empty, no text or has a NUL is refused", ({ create, fails, same }) => {
    const { attributes } = create();
    fails(() => attributes.set("", 1), "Usage");
    fails(() => attributes.set(1 as never, 1), "Usage");
    fails(() => attributes.set("a\0b", 1), "Usage");
    same(attributes.keys(), []);
  });
  behaviour("groups, datasets and the file have attributes of their own", ({ create, same }) => {
    const file = create();
    const nodes = [file, file.createGroup("g"), file.put("x", Float64Array.of(1))];
    for (const [i, node] of nodes.entries()) node.attributes.set("a", i);
    same(
      nodes.map((node) => node.attributes.get("a")),
      [0, 1, 2],
    );
    same(file.get("x").attributes.get("a"), 2);
  });
  behaviour("two hundred attributes on one object are all there", ({ create, reopen, same }) => {
    const file = create();
    for (let i = 0; i < 200; i++) file.attributes.set(`a${i}`, i);
    const again = reopen(file).attributes;
    same([again.size, again.get("a0"), again.get("a199")], [200, 0, 199]);
  });
  behaviour(
    "64 KB is the most that the oldest format holds, and the message says what to do",
    ({ create, fails, same }) => {
      const file = create();
      const error = fails(() => file.attributes.set("a", new Float64Array(10_000)), "Hdf5", /64|format|dataset/);
      same([file.attributes.keys(), error.path !== undefined], [[], true]);
    },
  );
  behaviour("a large attribute is fine in format latest", ({ create, reopen, same }) => {
    const file = create({ format: "latest" });
    const large = new Float64Array(40_000).fill(2);
    file.attributes.set("a", large);
    same(reopen(file).attributes.get("a"), large);
  });
  behaviour("a large attribute that is refused leaves the one before it", ({ create, fails, same }) => {
    const { attributes } = create();
    attributes.set("a", "small");
    fails(() => attributes.set("a", new Float64Array(10_000)), "Hdf5");
    same(attributes.get("a"), "small");
  });
});
