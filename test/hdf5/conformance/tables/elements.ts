/** Element types beyond numbers: strings, booleans, enumerations, records, arrays, sequences, opaque bytes. */
import { arrayType, compoundType, enumType, opaqueType, stringType, vlenType } from "../../../../src/hdf5/index.ts";
import { table } from "../behaviour.ts";

export const elements = table("element types", (behaviour) => {
  behaviour("strings of any length come back as they were", ({ create, reopen, same }) => {
    const file = create();
    const texts = ["", "a", "Hello – 数据 🜁", "x".repeat(100_000), "\n\t "];
    const data = file.put("x", texts);
    same([data.dtype, data.shape], ["str", [5]]);
    same(reopen(file).dataset("x", "str").read(), { dtype: "str", shape: [5], data: texts });
  });
  behaviour("one string is a scalar", ({ create, reopen, same }) => {
    const file = create();
    file.put("x", "hello");
    same(reopen(file).dataset("x", "str").read(), { dtype: "str", shape: [], data: ["hello"] });
  });
  behaviour("strings in a grid are selected like numbers", ({ create, same }) => {
    const data = create().createDataset("x", { shape: [2, 3], dtype: "str" });
    data.write(["a", "b", "c", "d", "e", "f"]);
    same(data.read([1, { start: 0, end: 3, step: 2 }]), { dtype: "str", shape: [2], data: ["d", "f"] });
    data.write("Z", [0, 1]);
    same(data.read([null, 1]).data, ["Z", "e"]);
  });
  behaviour("strings never written are empty", ({ create, same }) => {
    same(
      create()
        .createDataset("x", { shape: [2], dtype: "str" })
        .read().data,
      ["", ""],
    );
  });
  behaviour("strings in compressed chunks come back", ({ create, reopen, same }) => {
    const file = create();
    const texts = Array.from({ length: 100 }, (_, i) => `line ${i}`);
    file.put("x", texts, { chunks: [7], compression: "gzip" });
    same(reopen(file).dataset("x", "str").read().data, texts);
  });
  behaviour("a string with a NUL is refused and not cut", ({ create, fails, same }) => {
    const data = create().createDataset("x", { shape: [2], dtype: "str" });
    fails(() => data.write(["good", "b\0d"]), "Usage", /NUL|zero|\\0/i);
    same(data.read().data, ["", ""]);
  });
  behaviour("what is no string is refused, with its index", ({ create, fails }) => {
    const data = create().createDataset("x", { shape: [3], dtype: "str" });
    fails(() => data.write(["a", 5, "c"] as never), "Usage", /1/);
    fails(() => data.write(["a", undefined, "c"] as never), "Usage", /1/);
    fails(() => data.write(["a", "b"]), "Usage", /2.*3|3.*2/);
  });
  for (const padding of ["zeros", "terminated", "spaces"] as const) {
    behaviour(`fixed strings filled up by ${padding} come back without it`, ({ create, reopen, same }) => {
      const file = create();
      const dtype = stringType({ length: 6, padding });
      file.createDataset("x", { shape: [3], dtype }).write(["abc", "", "abcde"]);
      const again = reopen(file);
      same(again.dataset("x", "str").read().data, ["abc", "", "abcde"]);
      same(again.get("x").kind === "dataset" && (again.get("x") as { dtype: unknown }).dtype, dtype);
    });
  }
  behaviour("a string longer than a fixed one is refused, counted in bytes", ({ create, fails, same }) => {
    const data = create().createDataset("x", { shape: [1], dtype: stringType({ length: 4 }) });
    data.write(["abcd"]);
    fails(() => data.write(["abcde"]), "Usage", /4/);
    fails(() => data.write(["äöü"]), "Usage", /6/);
    same(data.read().data, ["abcd"]);
  });
  behaviour("a terminated string needs a byte for its end", ({ create, same, fails }) => {
    const dtype = stringType({ length: 4, padding: "terminated" });
    const data = create().createDataset("x", { shape: [1], dtype });
    data.write(["abc"]);
    same(data.read().data, ["abc"]);
    fails(() => data.write(["abcd"]), "Usage", /3|4/);
  });
  behaviour("ASCII strings take no other letters", ({ create, fails, same }) => {
    const data = create().createDataset("x", { shape: [1], dtype: stringType({ length: 8, encoding: "ascii" }) });
    data.write(["plain"]);
    fails(() => data.write(["ö"]), "Usage", /ascii/i);
    same(data.read().data, ["plain"]);
  });
  behaviour("variable ASCII strings come back", ({ create, reopen, same }) => {
    const file = create();
    const dtype = stringType({ encoding: "ascii" });
    file.createDataset("x", { shape: [2], dtype }).write(["a", "bcd"]);
    same(reopen(file).dataset("x", dtype).read().data, ["a", "bcd"]);
  });
  behaviour("a string type of no length or another encoding is refused", ({ same, fails }) => {
    fails(() => stringType({ length: 0 }), "Usage");
    fails(() => stringType({ length: 1.5 }), "Usage");
    fails(() => stringType({ encoding: "latin1" as never }), "Usage", /utf8/);
    same(stringType().length, undefined);
  });

  behaviour("booleans come back as booleans", ({ create, reopen, same }) => {
    const file = create();
    file.put("x", [true, false, true]);
    same(reopen(file).dataset("x", "bool").read(), { dtype: "bool", shape: [3], data: [true, false, true] });
  });
  behaviour("one boolean is a scalar", ({ create, same }) => {
    same(create().put("x", true).read(), { dtype: "bool", shape: [], data: [true] });
  });
  behaviour("booleans read into bytes are 0 and 1", ({ create, same }) => {
    const into = new Uint8Array(3);
    create().put("x", [true, false, true]).read(undefined, { into });
    same(into, Uint8Array.of(1, 0, 1));
  });
  behaviour("what is no boolean is refused", ({ create, fails }) => {
    const data = create().createDataset("x", { shape: [2], dtype: "bool" });
    fails(() => data.write([true, 1] as never), "Usage");
    fails(() => data.write(["true", "false"] as never), "Usage");
  });

  const Phase = enumType({ solid: 0, liquid: 1, gas: 42 }, "u1");
  behaviour("an enumeration is stored with its names and read as integers", ({ create, reopen, same }) => {
    const file = create();
    file.createDataset("x", { shape: [3], dtype: Phase }).write(Uint8Array.of(42, 0, 1));
    const again = reopen(file).dataset("x", Phase);
    same(again.read().data, Uint8Array.of(42, 0, 1));
    same(again.dtype.members, { solid: 0, liquid: 1, gas: 42 });
  });
  behaviour("an enumeration opens as its integers", ({ create, same }) => {
    const file = create();
    file.createDataset("x", { shape: [2], dtype: enumType({ a: -5, b: 1000 }, "i4") }).write(Int32Array.of(-5, 1000));
    same(file.dataset("x", "i4").read().data, Int32Array.of(-5, 1000));
  });
  behaviour("get tells an enumeration with its names", ({ create, reopen, same }) => {
    const file = create();
    file.createDataset("x", { shape: [1], dtype: Phase });
    const node = reopen(file).get("x");
    same(node.kind === "dataset" && node.dtype, {
      kind: "enum",
      base: "u1",
      members: { solid: 0, liquid: 1, gas: 42 },
    });
  });
  behaviour("a member that the integers cannot hold is refused", ({ fails, same }) => {
    fails(() => enumType({ a: 256 }, "u1"), "Usage", /256/);
    fails(() => enumType({ a: 1.5 }), "Usage");
    fails(() => enumType({}), "Usage");
    fails(() => enumType({ a: 1 }, "f8" as never), "Usage");
    same(enumType({ a: 255 }, "u1").members.a, 255);
  });

  const Particle = compoundType({ mass: "f8", charge: "i2", id: "u8", name: "str" });
  const particles = [
    { mass: 1.5, charge: -1, id: 2n ** 63n, name: "electron – e⁻" },
    { mass: 0, charge: 32767, id: 0n, name: "" },
  ];
  behaviour("records come back field by field", ({ create, reopen, same }) => {
    const file = create();
    file.createDataset("x", { shape: [2], dtype: Particle }).write(particles);
    const again = reopen(file).dataset("x", Particle);
    same(again.read(), { dtype: Particle, shape: [2], data: particles });
  });
  behaviour("one record is written and read at its index", ({ create, same }) => {
    const data = create().createDataset("x", { shape: [4], dtype: Particle });
    data.write(particles[0]!, [2]);
    same(data.read([2]), { dtype: Particle, shape: [], data: [particles[0]] });
    same(data.read([3]).data, [{ mass: 0, charge: 0, id: 0n, name: "" }]);
  });
  behaviour("a scalar may be a record", ({ create, reopen, same }) => {
    const file = create();
    file.createDataset("x", { shape: [], dtype: Particle }).write(particles[0]!);
    same(reopen(file).dataset("x", Particle).read(), { dtype: Particle, shape: [], data: [particles[0]] });
  });
  behaviour("one field is read alone", ({ create, reopen, same }) => {
    const file = create();
    file.createDataset("x", { shape: [2], dtype: Particle }).write(particles);
    const again = reopen(file).dataset("x", Particle);
    same(again.field("mass").read(), { dtype: "f8", shape: [2], data: Float64Array.of(1.5, 0) });
    same(again.field("name").read([0]).data, ["electron – e⁻"]);
    same(again.field("id").read().data, BigUint64Array.of(2n ** 63n, 0n));
  });
  behaviour("one field is written alone, the others stay", ({ create, same }) => {
    const data = create().createDataset("x", { shape: [2], dtype: Particle });
    data.write(particles);
    data.field("charge").write(Int16Array.of(7, 8));
    data.field("mass").write(9, [1]);
    same(data.read().data, [
      { ...particles[0], charge: 7 },
      { ...particles[1], charge: 8, mass: 9 },
    ]);
  });
  behaviour("a field that does not exist is refused with those that do", ({ create, fails }) => {
    const data = create().createDataset("x", { shape: [1], dtype: Particle });
    fails(() => data.field("mas" as never), "Usage", /mass/);
    fails(
      () =>
        create()
          .put("y", Float64Array.of(1))
          .field("a" as never),
      "Usage",
    );
  });
  behaviour(
    "a record without a field, or with a wrong one, is refused and nothing is written",
    ({ create, fails, same }) => {
      const data = create().createDataset("x", { shape: [1], dtype: Particle });
      const { name: _name, ...rest } = particles[0]!;
      fails(() => data.write([rest] as never), "Usage", /name/);
      fails(() => data.write([{ ...particles[0]!, charge: "x" }] as never), "Usage", /charge/);
      fails(() => data.write([{ ...particles[0]!, charge: 70_000 }]), "Usage", /charge|i2/);
      fails(() => data.write([{ ...particles[0]!, spin: 1 }] as never), "Usage", /spin/);
      same(data.read().data, [{ mass: 0, charge: 0, id: 0n, name: "" }]);
    },
  );
  behaviour("records nest, with arrays, booleans and enumerations in them", ({ create, reopen, same }) => {
    const file = create();
    const dtype = compoundType({
      at: compoundType({ x: "f4", y: "f4" }),
      grid: arrayType("i4", [2, 2]),
      ok: "bool",
      phase: Phase,
      tag: stringType({ length: 4 }),
    });
    const value = { at: { x: 1, y: 2 }, grid: Int32Array.of(1, 2, 3, 4), ok: true, phase: 42, tag: "ab" };
    file.createDataset("x", { shape: [2], dtype }).write([value, { ...value, ok: false, phase: 0 }]);
    const again = reopen(file).dataset("x", dtype);
    same(again.read().data, [value, { ...value, ok: false, phase: 0 }]);
    same(again.field("at").read().data, [value.at, value.at]);
  });
  behaviour("records hold sequences and references", ({ create, reopen, same }) => {
    const file = create();
    const dtype = compoundType({ hits: vlenType("f4"), of: "ref" });
    const group = file.createGroup("g");
    file.createDataset("x", { shape: [2], dtype }).write([
      { hits: Float32Array.of(1, 2, 3), of: group.ref },
      { hits: new Float32Array(0), of: null },
    ]);
    const again = reopen(file);
    const [first, second] = again.dataset("x", dtype).read().data;
    same([first!.hits, second!.hits, second!.of], [Float32Array.of(1, 2, 3), new Float32Array(0), null]);
    same(again.get(first!.of!).name, "/g");
  });
  behaviour("field names have any letters", ({ create, reopen, same }) => {
    const file = create();
    const dtype = compoundType({ "Größe Ω": "f8", "a.b/c": "i4" });
    const value = { "Größe Ω": 1, "a.b/c": 2 };
    file.createDataset("x", { shape: [1], dtype }).write([value]);
    same(reopen(file).dataset("x", dtype).read().data, [value]);
  });
  behaviour("another record type than the stored one is refused", ({ create, fails }) => {
    const file = create();
    file.createDataset("x", { shape: [1], dtype: Particle });
    fails(() => file.dataset("x", compoundType({ mass: "f4" })), "Hdf5", /mass/);
    fails(() => file.dataset("x", "f8"), "Hdf5", /compound/);
  });
  behaviour("records are chunked, compressed and grown", ({ create, same }) => {
    const dtype = compoundType({ i: "i4", x: "f8" });
    const data = create().createDataset("x", { shape: [0], dtype, maxShape: [null], chunks: [4], compression: "gzip" });
    data.resize([6]);
    data.write(Array.from({ length: 6 }, (_, i) => ({ i, x: i / 2 })));
    data.resize([7]);
    same(data.read([{ start: 5, end: 7 }]).data, [
      { i: 5, x: 2.5 },
      { i: 0, x: 0 },
    ]);
  });

  const Vector = arrayType("f4", [3]);
  behaviour("array elements are axes after those of the dataset", ({ create, reopen, same }) => {
    const file = create();
    const values = Float32Array.of(1, 2, 3, 4, 5, 6);
    file.createDataset("x", { shape: [2], dtype: Vector }).write(values);
    const again = reopen(file).dataset("x", Vector);
    same([again.shape, again.read()], [[2], { dtype: "f4", shape: [2, 3], data: values }]);
    same(again.read([1]), { dtype: "f4", shape: [3], data: Float32Array.of(4, 5, 6) });
  });
  behaviour("an array element is written whole", ({ create, same, fails }) => {
    const data = create().createDataset("x", { shape: [2], dtype: Vector });
    data.write(Float32Array.of(7, 8, 9), [1]);
    same(data.read().data, Float32Array.of(0, 0, 0, 7, 8, 9));
    fails(() => data.write(Float32Array.of(1, 2), [1]), "Usage", /2.*3|3.*2/);
  });
  behaviour("arrays of strings and of records are elements", ({ create, reopen, same }) => {
    const file = create();
    const texts = arrayType("str", [2]);
    file.createDataset("s", { shape: [2], dtype: texts }).write(["a", "b", "c", "d"]);
    const pairs = arrayType(compoundType({ a: "i4" }), [2]);
    file.createDataset("p", { shape: [1], dtype: pairs }).write([{ a: 1 }, { a: 2 }]);
    const again = reopen(file);
    same(again.dataset("s", texts).read(), { dtype: "str", shape: [2, 2], data: ["a", "b", "c", "d"] });
    same(again.dataset("p", pairs).read().data, [{ a: 1 }, { a: 2 }]);
  });

  behaviour("sequences have lengths of their own", ({ create, reopen, same }) => {
    const file = create();
    const dtype = vlenType("i4");
    const values = [Int32Array.of(1, 2, 3), new Int32Array(0), Int32Array.of(-7)];
    file.createDataset("x", { shape: [3], dtype }).write(values);
    const again = reopen(file).dataset("x", dtype);
    same([again.read().data, again.read([{ start: 2, end: 3 }]).data], [values, [values[2]]]);
  });
  behaviour("sequences never written are empty", ({ create, same }) => {
    same(
      create()
        .createDataset("x", { shape: [1], dtype: vlenType("f8") })
        .read().data,
      [new Float64Array(0)],
    );
  });
  behaviour("sequences of strings, of records and of sequences work", ({ create, reopen, same }) => {
    const file = create();
    const words = vlenType("str");
    const nested = vlenType(vlenType("u1"));
    const records = vlenType(compoundType({ n: "i4" }));
    file.createDataset("w", { shape: [2], dtype: words }).write([["a", "bc"], []]);
    file.createDataset("n", { shape: [1], dtype: nested }).write([[Uint8Array.of(1), Uint8Array.of(2, 3)]]);
    file.createDataset("r", { shape: [1], dtype: records }).write([[{ n: 1 }, { n: 2 }]]);
    const again = reopen(file);
    same(again.dataset("w", words).read().data, [["a", "bc"], []]);
    same(again.dataset("n", nested).read().data, [[Uint8Array.of(1), Uint8Array.of(2, 3)]]);
    same(again.dataset("r", records).read().data, [[{ n: 1 }, { n: 2 }]]);
  });
  behaviour("a sequence of another type is refused", ({ create, fails }) => {
    const data = create().createDataset("x", { shape: [1], dtype: vlenType("i4") });
    fails(() => data.write([Float64Array.of(1.5)] as never), "Usage");
    fails(() => data.write([5] as never), "Usage");
  });

  behaviour("opaque elements are bytes with a tag", ({ create, reopen, same, fails }) => {
    const file = create();
    const dtype = opaqueType(3, "mine");
    const data = file.createDataset("x", { shape: [2], dtype });
    data.write([Uint8Array.of(1, 2, 3), Uint8Array.of(0, 255, 0)]);
    fails(() => data.write([Uint8Array.of(1, 2), Uint8Array.of(1, 2, 3)]), "Usage", /3/);
    const again = reopen(file).get("x");
    same(again.kind === "dataset" && again.dtype, dtype);
    same(again.kind === "dataset" && again.read().data, [Uint8Array.of(1, 2, 3), Uint8Array.of(0, 255, 0)]);
  });
});
