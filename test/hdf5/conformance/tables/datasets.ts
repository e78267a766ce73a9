/** Datasets: shapes and types, reading and writing as a whole, what a dataset says of itself. */
import { ndarray } from "../../../../src/common/index.ts";
import type { DType } from "../../../../src/hdf5/index.ts";
import { table } from "../behaviour.ts";

const numbers: { [D in DType]: ArrayLike<number | bigint> } = {
  f8: Float64Array.of(-0, 1.5, Number.MAX_VALUE, Number.MIN_VALUE, Infinity, -Infinity),
  f4: Float32Array.of(-0, 1.5, 3.4028234663852886e38, 1e-45, Infinity, -Infinity),
  i8: BigInt64Array.of(0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, 7n),
  i4: Int32Array.of(0, -1, 2 ** 31 - 1, -(2 ** 31), 5, 7),
  i2: Int16Array.of(0, -1, 32767, -32768, 5, 7),
  i1: Int8Array.of(0, -1, 127, -128, 5, 7),
  u8: BigUint64Array.of(0n, 1n, 2n ** 64n - 1n, 2n ** 63n, 2n ** 53n + 1n, 7n),
  u4: Uint32Array.of(0, 1, 2 ** 32 - 1, 2 ** 31, 5, 7),
  u2: Uint16Array.of(0, 1, 65535, 32768, 5, 7),
  u1: Uint8Array.of(0, 1, 255, 128, 5, 7),
};

export const datasets = table("datasets", (behaviour) => {
  for (const dtype of Object.keys(numbers) as DType[]) {
    behaviour(`${dtype} comes back to the last bit, whole and in its extremes`, ({ create, reopen, same }) => {
      const file = create();
      const data = file.createDataset("x", { shape: [2, 3], dtype });
      data.write(numbers[dtype] as never);
      const again = reopen(file).dataset("x", dtype);
      same(again.read(), { dtype, shape: [2, 3], data: numbers[dtype] });
      same([again.dtype, again.storedAs], [dtype, `<${dtype}`]);
    });
    behaviour(`${dtype} stored big-endian comes back the same`, ({ create, reopen, same }) => {
      const file = create();
      file.createDataset("x", { shape: [6], dtype, storedAs: `>${dtype}` }).write(numbers[dtype] as never);
      const again = reopen(file).dataset("x", dtype);
      same([again.read().data, again.dtype], [numbers[dtype], dtype]);
      same(again.storedAs, dtype.endsWith("1") ? again.storedAs : `>${dtype}`);
    });
  }
  behaviour("NaN comes back with its bits", ({ create, reopen, same }) => {
    const file = create();
    const bits = BigUint64Array.of(0x7ff8_0000_dead_beefn, 0xfff8_0000_0000_0001n);
    file.put("x", new Float64Array(bits.buffer));
    const read = reopen(file).dataset("x").read().data;
    same(new BigUint64Array(read.buffer), bits);
  });
  behaviour("half precision is stored in two bytes and read as f4", ({ create, reopen, same }) => {
    const file = create();
    const data = file.createDataset("x", { shape: [4], dtype: "f4", storedAs: "f2" });
    data.write(Float32Array.of(1.5, 65504, 0.1, -Infinity));
    const again = reopen(file).dataset("x", "f4");
    same(again.read().data, Float32Array.of(1.5, 65504, 0.0999755859375, -Infinity));
    same([again.storedAs, again.storageBytes], ["<f2", 8]);
  });

  behaviour("a scalar has no axes and one element", ({ create, reopen, same }) => {
    const file = create();
    file.createDataset("x", { shape: [], dtype: "f8" }).write(2.5);
    const again = reopen(file).dataset("x");
    same(again.read(), { dtype: "f8", shape: [], data: Float64Array.of(2.5) });
    same([again.shape, again.size, again.maxShape], [[], 1, []]);
  });
  behaviour("put makes a scalar of a number", ({ create, same }) => {
    const data = create().put("x", 42);
    same([data.shape, data.dtype, data.read().data], [[], "f8", Float64Array.of(42)]);
  });
  behaviour("put takes the type and length of a typed array", ({ create, same }) => {
    const data = create().put("x", Uint16Array.of(1, 2, 3));
    same([data.shape, data.dtype], [[3], "u2"]);
  });
  behaviour("put takes the shape of an NDArray", ({ create, same }) => {
    const values = ndarray(Float32Array.of(1, 2, 3, 4, 5, 6), [3, 2]);
    same(create().put("x", values).read(), values);
  });
  behaviour("put takes another shape of as many elements, and refuses one of others", ({ create, same, fails }) => {
    const file = create();
    same(file.put("x", Int8Array.of(1, 2, 3, 4, 5, 6), { shape: [2, 3] }).shape, [2, 3]);
    fails(() => file.put("y", Int8Array.of(1, 2, 3), { shape: [2, 2] }), "Usage", /shape/);
    same(file.keys(), ["x"]);
  });
  behaviour("put takes what a dataset is made with", ({ create, same }) => {
    const data = create().put("x", new Float64Array(20), { chunks: [5], compression: "gzip", maxShape: [null] });
    same([data.chunks, data.compression, data.maxShape], [[5], { gzip: 4 }, [null]]);
  });
  behaviour("groups on the way to a dataset are made", ({ create, same }) => {
    const file = create();
    file.put("a/b/x", Float64Array.of(1));
    same(file.group("a/b").keys(), ["x"]);
  });
  behaviour("a dataset of eight axes is read as it was written", ({ create, same }) => {
    const shape = [2, 1, 3, 1, 2, 1, 2, 2];
    const data = create().createDataset("x", { shape, dtype: "i4" });
    const values = Int32Array.from({ length: 48 }, (_, i) => i);
    data.write(values);
    same(data.read(), { dtype: "i4", shape, data: values });
  });
  behaviour("thirty-two axes are the most that HDF5 has", ({ create, same, fails }) => {
    const file = create();
    const data = file.createDataset("x", { shape: new Array(32).fill(1), dtype: "f8" });
    data.write(Float64Array.of(3));
    same([data.shape.length, data.read().data], [32, Float64Array.of(3)]);
    same(data.read(new Array(32).fill(0)).shape, []);
    fails(() => file.createDataset("y", { shape: new Array(33).fill(1), dtype: "f8" }), "Usage", /32/);
  });
  behaviour("an axis may have no length", ({ create, reopen, same }) => {
    const file = create();
    file.createDataset("x", { shape: [0], dtype: "i4" });
    file.createDataset("y", { shape: [3, 0, 2], dtype: "f8" }).write(new Float64Array(0));
    const again = reopen(file);
    same(again.dataset("x", "i4").read(), { dtype: "i4", shape: [0], data: new Int32Array(0) });
    same(again.dataset("y").read().shape, [3, 0, 2]);
    same(again.dataset("y").size, 0);
  });
  behaviour("a dataset without a dataspace says so and reads as nothing", ({ create, reopen, same }) => {
    const file = create();
    file.createDataset("x", { shape: null, dtype: "f8" });
    const again = reopen(file).dataset("x");
    same([again.isNull, again.size, again.shape], [true, 0, [0]]);
    same(again.read().data, new Float64Array(0));
  });
  behaviour("a dataset without a dataspace takes no chunks, no maxShape and no values", ({ create, fails }) => {
    const file = create();
    fails(() => file.createDataset("x", { shape: null, dtype: "f8", chunks: true }), "Usage");
    fails(() => file.createDataset("y", { shape: null, dtype: "f8", maxShape: [null] }), "Usage");
    fails(() => file.createDataset("z", { shape: null, dtype: "f8" }).write(1), "Usage");
  });
  behaviour("a very large shape costs nothing until it is written", ({ create, same }) => {
    const file = create();
    const data = file.createDataset("x", { shape: [2 ** 31, 2 ** 20], dtype: "f8", chunks: [1, 1024] });
    data.write(new Float64Array(2).fill(7), [2 ** 31 - 1, { start: 2 ** 20 - 2, end: 2 ** 20 }]);
    same(data.size, 2 ** 51);
    same(data.read([-1, { start: 2 ** 20 - 3, end: 2 ** 20 }]).data, Float64Array.of(0, 7, 7));
  });
  behaviour("a read that no typed array could hold is refused before memory is asked for", ({ create, fails }) => {
    const data = create().createDataset("x", { shape: [2 ** 40], dtype: "f8", chunks: [1024] });
    fails(() => data.read(), "Usage", /select/);
  });
  behaviour("elements never written are zero", ({ create, same }) => {
    same(
      create()
        .createDataset("x", { shape: [3], dtype: "i2" })
        .read().data,
      new Int16Array(3),
    );
  });

  behaviour("shapes that are none are refused", ({ create, fails, same }) => {
    const file = create();
    for (const shape of [[-1], [1.5], [NaN], ["3"], [2 ** 60], 3, undefined, [Infinity]])
      fails(() => file.createDataset("x", { shape, dtype: "f8" } as never), "Usage", /shape/);
    same(file.keys(), []);
  });
  behaviour("a type that does not exist is refused with the nearest that does", ({ create, fails, same }) => {
    const file = create();
    fails(() => file.createDataset("x", { shape: [1], dtype: "f9" as never }), "Usage", /f8/);
    fails(() => file.createDataset("x", { shape: [1] } as never), "Usage", /dtype/);
    same(file.keys(), []);
  });
  behaviour("a failed making leaves no dataset behind", ({ create, fails, same }) => {
    const file = create();
    fails(() => file.createDataset("g/x", { shape: [10], dtype: "f8", chunks: [20] }), "Usage");
    same(file.has("g/x"), false);
  });

  behaviour("dataset reads f8 when no type is given, and refuses others with their name", ({ create, same, fails }) => {
    const file = create();
    file.put("x", Float64Array.of(1));
    file.put("y", Int32Array.of(1));
    same(file.dataset("x").read().data, Float64Array.of(1));
    const error = fails(() => file.dataset("y"), "Hdf5", /i4/);
    same([error.path, error.file], ["/y", file.path]);
  });
  behaviour("another type than the stored one is refused, also one that is near", ({ create, fails }) => {
    const file = create();
    file.put("x", Int32Array.of(1));
    for (const dtype of ["u4", "i8", "i2", "f4", "str", "bool", "ref"] as const)
      fails(() => file.dataset("x", dtype), "Hdf5", /i4/);
  });
  behaviour("astype converts on reading", ({ create, same }) => {
    const data = create().put("x", Int16Array.of(-3, 0, 1000));
    same(data.astype("f8").read(), { dtype: "f8", shape: [3], data: Float64Array.of(-3, 0, 1000) });
    same(data.astype("i8").read([2]).data, BigInt64Array.of(1000n));
  });
  behaviour("astype clips what the type cannot hold, as HDF5 does", ({ create, same }) => {
    const data = create().put("x", Int32Array.of(-5, 7, 300));
    same(data.astype("u1").read().data, Uint8Array.of(0, 7, 255));
    same(data.astype("i1").read().data, Int8Array.of(-5, 7, 127));
  });
  behaviour("astype converts on writing", ({ create, same }) => {
    const file = create();
    const data = file.createDataset("x", { shape: [3], dtype: "f4" });
    data.astype("i4").write(Int32Array.of(1, 2, 3));
    same(data.read().data, Float32Array.of(1, 2, 3));
  });
  behaviour("astype leaves the dataset as it is", ({ create, same }) => {
    const data = create().put("x", Int16Array.of(1));
    same([data.astype("f8").dtype, data.dtype, data.astype("f8").shape], ["f8", "i2", [1]]);
  });

  behaviour("write takes a typed array, an NDArray, and one number for one element", ({ create, same }) => {
    const file = create();
    const data = file.createDataset("x", { shape: [2, 2], dtype: "f4" });
    data.write(Float32Array.of(1, 2, 3, 4));
    data.write(ndarray(Float32Array.of(5, 6), [1, 2]), [{ start: 1, end: 2 }]);
    data.write(9, [0, 0]);
    same(data.read().data, Float32Array.of(9, 2, 5, 6));
  });
  behaviour("one number for many elements is refused", ({ create, fails }) => {
    const data = create().createDataset("x", { shape: [4], dtype: "f8" });
    fails(() => data.write(1), "Usage", /4/);
  });
  behaviour("the wrong number of values is refused, and nothing is written", ({ create, fails, same }) => {
    const data = create().put("x", Float64Array.of(1, 2, 3));
    fails(() => data.write(Float64Array.of(7, 7)), "Usage", /2.*3|3.*2/);
    fails(() => data.write(new Float64Array(4)), "Usage", /4.*3|3.*4/);
    same(data.read().data, Float64Array.of(1, 2, 3));
  });
  behaviour("an array of another type is refused, and nothing is written", ({ create, fails, same }) => {
    const data = create().put("x", Float64Array.of(1, 2));
    fails(() => data.write(Float32Array.of(7, 7) as never), "Usage", /f4|Float32Array/);
    fails(() => data.write([7, 7] as never), "Usage", /Float64Array/);
    fails(() => data.write("77" as never), "Usage");
    fails(() => data.write(undefined as never), "Usage");
    same(data.read().data, Float64Array.of(1, 2));
  });
  behaviour("a number for 64-bit integers is refused, a bigint is taken", ({ create, fails, same }) => {
    const data = create().createDataset("x", { shape: [], dtype: "i8" });
    fails(() => data.write(1 as never), "Usage", /bigint/);
    data.write(5n);
    same(data.read().data, BigInt64Array.of(5n));
  });
  behaviour("a single value that the type cannot hold is refused", ({ create, fails }) => {
    const file = create();
    fails(() => file.createDataset("a", { shape: [], dtype: "u1" }).write(256), "Usage", /255|u1/);
    fails(() => file.createDataset("b", { shape: [], dtype: "i4" }).write(1.5), "Usage", /i4|whole/);
    fails(() => file.createDataset("c", { shape: [], dtype: "u8" }).write(-1n), "Usage", /u8/);
  });
  behaviour("part of a larger buffer is written as that part", ({ create, same }) => {
    const whole = Float64Array.of(0, 1, 2, 3, 4, 5);
    const data = create().createDataset("x", { shape: [3], dtype: "f8" });
    data.write(whole.subarray(2, 5));
    same(data.read().data, Float64Array.of(2, 3, 4));
  });
  behaviour("shared memory is written and read into", ({ create, same }) => {
    const shared = new Float64Array(new SharedArrayBuffer(24));
    shared.set([1, 2, 3]);
    const data = create().createDataset("x", { shape: [3], dtype: "f8" });
    data.write(shared);
    shared.fill(0);
    data.read(undefined, { into: shared });
    same([...shared], [1, 2, 3]);
  });
  behaviour("Uint8ClampedArray and Buffer count as u1", ({ create, same }) => {
    const data = create().createDataset("x", { shape: [2], dtype: "u1" });
    data.write(Uint8ClampedArray.of(3, 4) as never);
    same(data.read().data, Uint8Array.of(3, 4));
    data.write(Buffer.from([5, 6]));
    same(data.read().data, Uint8Array.of(5, 6));
  });

  behaviour("read fills a given array and gives it back", ({ create, same, ok }) => {
    const data = create().put("x", Float64Array.of(1, 2, 3, 4));
    const into = new Float64Array(4);
    const result = data.read(undefined, { into });
    ok(result.data === into, "another array");
    same([into, result.shape], [Float64Array.of(1, 2, 3, 4), [4]]);
  });
  behaviour("read fills a part of a given array, and no more", ({ create, same }) => {
    const data = create().put("x", Float64Array.of(1, 2, 3, 4));
    const all = new Float64Array(6).fill(9);
    data.read([{ start: 1, end: 3 }], { into: all.subarray(2, 4) });
    same(all, Float64Array.of(9, 9, 2, 3, 9, 9));
  });
  behaviour("read into an array of another length or type is refused", ({ create, fails }) => {
    const data = create().put("x", Float64Array.of(1, 2, 3));
    fails(() => data.read(undefined, { into: new Float64Array(2) }), "Usage", /into/);
    fails(() => data.read(undefined, { into: new Float64Array(4) }), "Usage", /into/);
    fails(() => data.read(undefined, { into: new Float32Array(3) as never }), "Usage", /into/);
    fails(() => data.read(undefined, { into: [0, 0, 0] as never }), "Usage", /into/);
  });
  behaviour("a detached array is refused", ({ create, fails }) => {
    const data = create().put("x", Float64Array.of(1, 2, 3));
    const into = new Float64Array(3);
    structuredClone(into.buffer, { transfer: [into.buffer] });
    fails(() => data.read(undefined, { into }), "Usage");
    fails(() => data.write(into), "Usage");
  });
  behaviour("each read is an array of its own", ({ create, same }) => {
    const data = create().put("x", Float64Array.of(1, 2));
    data.read().data.fill(7);
    same(data.read().data, Float64Array.of(1, 2));
  });

  behaviour("requireDataset makes what is not there", ({ create, same }) => {
    const data = create().requireDataset("g/x", { shape: [10, 3], dtype: "f4" });
    same([data.shape, data.dtype], [[10, 3], "f4"]);
  });
  behaviour("requireDataset opens what is there, with what is in it", ({ create, same }) => {
    const file = create();
    const made = file.put("x", Float32Array.of(1, 2));
    const data = file.requireDataset("x", { shape: [2], dtype: "f4" });
    same([data.equals(made), data.read().data], [true, Float32Array.of(1, 2)]);
  });
  behaviour("requireDataset refuses another shape or type, and a group", ({ create, fails }) => {
    const file = create();
    file.put("x", Float32Array.of(1, 2));
    file.createGroup("g");
    fails(() => file.requireDataset("x", { shape: [3], dtype: "f4" }), "Hdf5", /shape|\[2\]/);
    fails(() => file.requireDataset("x", { shape: [2], dtype: "i4" }), "Hdf5", /f4/);
    fails(() => file.requireDataset("g", { shape: [2], dtype: "i4" }), "Hdf5", /group/);
  });
  behaviour("a dataset says its name, kind, size and storage", ({ create, same }) => {
    const data = create().put("g/x", new Int16Array(6), { shape: [2, 3] });
    same(
      [data.name, data.kind, data.size, data.shape, data.maxShape, data.isNull],
      ["/g/x", "dataset", 6, [2, 3], [2, 3], false],
    );
    same(
      [
        data.chunks,
        data.compression,
        data.shuffle,
        data.fletcher32,
        data.fillValue,
        data.virtualSources,
        data.storageBytes,
      ],
      [undefined, undefined, false, false, 0, undefined, 12],
    );
  });
  behaviour("a shape cannot be changed from outside", ({ create, same }) => {
    const data = create().put("x", new Float64Array(6), { shape: [2, 3] });
    try {
      (data.shape as number[])[0] = 99;
    } catch {
      // Frozen is fine too.
    }
    same(data.shape, [2, 3]);
  });
  behaviour("nothing is stored for a dataset that was never written", ({ create, same }) => {
    same(create().createDataset("x", { shape: [100], dtype: "f8" }).storageBytes, 0);
  });
  behaviour("two openings of one dataset are equal and share what is written", ({ create, same }) => {
    const file = create();
    const first = file.put("x", Float64Array.of(1));
    const second = file.dataset("x");
    first.write(Float64Array.of(2));
    same([first.equals(second), second.read().data], [true, Float64Array.of(2)]);
  });
  behaviour("flush of a dataset is all right while its file is open", ({ create, same }) => {
    const data = create().put("x", Float64Array.of(1));
    data.flush();
    same(data.read().data, Float64Array.of(1));
  });
});
