/** How datasets are stored: chunks, resizing, fill values, compression and checksums. */
import { readFileSync, writeFileSync } from "node:fs";
import { compoundType } from "../../../../src/hdf5/index.ts";
import { table } from "../behaviour.ts";

const ramp = (length: number) => Float64Array.from({ length }, (_, i) => i);

export const storage = table("storage", (behaviour) => {
  behaviour("chunks have the shape that is given", ({ create, reopen, same }) => {
    const file = create();
    file.createDataset("x", { shape: [100, 6], dtype: "f4", chunks: [10, 3] });
    same(reopen(file).dataset("x", "f4").chunks, [10, 3]);
  });
  behaviour("chunks of true are chosen, one length per axis within the shape", ({ create, same, ok }) => {
    const { chunks } = create().createDataset("x", { shape: [2000, 3000], dtype: "f8", chunks: true });
    same(chunks?.length, 2);
    ok(
      chunks!.every((length, i) => length >= 1 && length <= [2000, 3000][i]!),
      `chunks are ${chunks}`,
    );
    const bytes = chunks![0]! * chunks![1]! * 8;
    ok(bytes >= 8192 && bytes <= 4 << 20, `a chunk has ${bytes} bytes`);
  });
  behaviour("there are no chunks unless something needs them", ({ create, same }) => {
    same(create().createDataset("x", { shape: [100], dtype: "f8" }).chunks, undefined);
  });
  behaviour("filters and growth choose chunks where none are given", ({ create, ok, same }) => {
    const file = create();
    const shape = [50, 20];
    for (const [i, options] of [
      { compression: "gzip" },
      { shuffle: true },
      { fletcher32: true },
      { maxShape: [null, 20] },
    ].entries()) {
      const { chunks } = file.createDataset(`x${i}`, { shape, dtype: "f8", ...options } as never);
      ok(Array.isArray(chunks) && chunks.length === 2, `no chunks with ${JSON.stringify(options)}`);
    }
    same(file.keys().length, 4);
  });
  behaviour("chunks larger than a fixed axis are refused", ({ create, fails }) => {
    fails(() => create().createDataset("x", { shape: [100], dtype: "f4", chunks: [200] }), "Usage", /chunks/);
  });
  behaviour("chunks larger than an axis that may grow are fine", ({ create, same }) => {
    const data = create().createDataset("x", { shape: [10], dtype: "f4", chunks: [200], maxShape: [null] });
    same(data.chunks, [200]);
  });
  behaviour("chunks of another rank, of zero or of fractions are refused", ({ create, fails }) => {
    const file = create();
    for (const chunks of [[5, 5], [], [0], [-1], [2.5]])
      fails(() => file.createDataset("x", { shape: [10], dtype: "f4", chunks }), "Usage", /chunks/);
  });
  behaviour("a scalar has no chunks, no filters and no room to grow", ({ create, fails }) => {
    const file = create();
    for (const options of [
      { chunks: true },
      { chunks: [1] },
      { compression: "gzip" },
      { shuffle: true },
      { fletcher32: true },
      { maxShape: [null] },
    ])
      fails(() => file.createDataset("x", { shape: [], dtype: "f4", ...options } as never), "Usage");
  });
  behaviour("selections smaller, equal and larger than a chunk are written right", ({ create, same }) => {
    const data = create().createDataset("x", { shape: [3, 5, 5], dtype: "i4", chunks: [1, 5, 5] });
    data.write(new Int32Array(5).fill(10), [1, null, 4]);
    same(data.read([1, null, 4]).data, new Int32Array(5).fill(10));
    data.write(new Int32Array(25).fill(11), [1]);
    same(data.read([1]).data, new Int32Array(25).fill(11));
    data.write(new Int32Array(50).fill(12), [{ start: 0, end: 2 }]);
    same(data.read([{ start: 0, end: 2 }]).data, new Int32Array(50).fill(12));
    same(data.read([2]).data, new Int32Array(25));
  });
  behaviour("chunks that do not divide the shape lose nothing at the edge", ({ create, reopen, same }) => {
    const file = create();
    file.put("x", ramp(77), { shape: [7, 11], chunks: [3, 4] });
    same(reopen(file).dataset("x").read().data, ramp(77));
  });

  behaviour("maxShape says how far each axis may grow", ({ create, reopen, same }) => {
    const file = create();
    file.createDataset("x", { shape: [20, 30], dtype: "f4", maxShape: [20, 60] });
    file.createDataset("y", { shape: [20, 30], dtype: "f4", maxShape: [null, 30] });
    const again = reopen(file);
    same(
      [again.dataset("x", "f4").maxShape, again.dataset("y", "f4").maxShape],
      [
        [20, 60],
        [null, 30],
      ],
    );
  });
  behaviour("resize grows up to maxShape and no further", ({ create, same, fails }) => {
    const data = create().createDataset("x", { shape: [20, 30], dtype: "f4", maxShape: [20, 60] });
    data.resize([20, 50]);
    same(data.shape, [20, 50]);
    data.resize([20, 60]);
    same(data.shape, [20, 60]);
    fails(() => data.resize([20, 70]), "Usage", /60/);
    same(data.shape, [20, 60]);
  });
  behaviour("resize of a dataset without chunks is refused in words", ({ create, fails }) => {
    const data = create().createDataset("x", { shape: [20, 30], dtype: "f4" });
    fails(() => data.resize([20, 60]), "Usage", /maxShape/);
  });
  behaviour("resize takes as many lengths as there are axes", ({ create, fails }) => {
    const data = create().createDataset("x", { shape: [20, 30], dtype: "f4", maxShape: [null, null] });
    for (const shape of [[20], [20, 30, 40], [], [-1, 2], [1.5, 2], [NaN, 1]])
      fails(() => data.resize(shape), "Usage", /shape/);
  });
  behaviour("what is new after a resize is the fill value, what is old stays in its place", ({ create, same }) => {
    const data = create().createDataset("x", {
      ...{ shape: [2, 2], dtype: "f8", maxShape: [null, null], chunks: [2, 2], fillValue: -1 },
    });
    data.write(Float64Array.of(1, 2, 3, 4));
    data.resize([3, 3]);
    same(data.read().data, Float64Array.of(1, 2, -1, 3, 4, -1, -1, -1, -1));
  });
  behaviour(
    "what was cut off by a resize is gone when it grows again",
    ({ create, same }) => {
      const data = create().put("x", Float64Array.of(1, 2, 3, 4), { maxShape: [null], chunks: [4] });
      data.resize([2]);
      same(data.read().data, Float64Array.of(1, 2));
      data.resize([4]);
      same(data.read().data, Float64Array.of(1, 2, 0, 0));
    },
    { ranks: "HDF5 1.10 with MPI leaves the rest of the chunk as it is, which resize says" },
  );
  behaviour("an axis may begin with no length and grow", ({ create, same }) => {
    const data = create().createDataset("x", { shape: [15, 0], dtype: "f4", maxShape: [15, null] });
    same(
      [data.shape, data.maxShape],
      [
        [15, 0],
        [15, null],
      ],
    );
    data.resize([15, 2]);
    same(data.read(), { dtype: "f4", shape: [15, 2], data: new Float32Array(30) });
  });
  behaviour("resize to nothing leaves nothing", ({ create, same }) => {
    const data = create().put("x", ramp(5), { maxShape: [null], chunks: [2] });
    data.resize([0]);
    same(data.read(), { dtype: "f8", shape: [0], data: new Float64Array(0) });
  });
  behaviour("every handle on a dataset sees its new shape", ({ create, same }) => {
    const file = create();
    const data = file.put("x", ramp(5), { maxShape: [null], chunks: [2] });
    const other = file.dataset("x");
    data.resize([7]);
    same([other.shape, other.read().shape], [[7], [7]]);
  });
  behaviour("appending row after row gives all rows", ({ create, reopen, same }) => {
    const file = create();
    const data = file.createDataset("log", { shape: [0, 3], dtype: "f8", maxShape: [null, 3], chunks: [4, 3] });
    for (let row = 0; row < 10; row++) {
      data.resize([row + 1, 3]);
      data.write(
        ramp(3).map((x) => x + 3 * row),
        [row],
      );
    }
    same(reopen(file).dataset("log").read(), { dtype: "f8", shape: [10, 3], data: ramp(30) });
  });
  behaviour("maxShape below the shape, of another rank or of nonsense is refused", ({ create, fails }) => {
    const file = create();
    for (const maxShape of [[5], [10, 10], [], ["10"], [1.5]])
      fails(() => file.createDataset("x", { shape: [10], dtype: "f4", maxShape } as never), "Usage", /maxShape/);
  });

  behaviour("the fill value is what elements are before they are written", ({ create, reopen, same }) => {
    const file = create();
    const data = file.createDataset("x", { shape: [4], dtype: "f4", fillValue: 4, chunks: [2] });
    data.write(Float32Array.of(1), [{ start: 1, end: 2 }]);
    const again = reopen(file).dataset("x", "f4");
    same([again.read().data, again.fillValue], [Float32Array.of(4, 1, 4, 4), 4]);
  });
  behaviour("the fill value is 0 when none was given", ({ create, same }) => {
    const file = create();
    same(file.createDataset("x", { shape: [1], dtype: "f4" }).fillValue, 0);
    same(file.createDataset("y", { shape: [1], dtype: "i8" }).fillValue, 0n);
    same(file.createDataset("z", { shape: [1], dtype: "str" }).fillValue, "");
    same(file.createDataset("w", { shape: [1], dtype: "bool" }).fillValue, false);
  });
  behaviour("NaN is a fill value", ({ create, same }) => {
    const data = create().createDataset("x", { shape: [2], dtype: "f8", fillValue: NaN });
    same([data.fillValue, data.read().data], [NaN, Float64Array.of(NaN, NaN)]);
  });
  behaviour("64-bit fill values keep all their digits", ({ create, same }) => {
    const data = create().createDataset("x", { shape: [1], dtype: "u8", fillValue: 2n ** 64n - 1n });
    same([data.fillValue, data.read().data], [2n ** 64n - 1n, BigUint64Array.of(2n ** 64n - 1n)]);
  });
  behaviour("fill values of strings, booleans and records work", ({ create, reopen, same }) => {
    const file = create();
    const record = compoundType({ a: "f4", b: "i8" });
    file.createDataset("s", { shape: [2], dtype: "str", fillValue: "none yet" });
    file.createDataset("b", { shape: [2], dtype: "bool", fillValue: true });
    file.createDataset("c", { shape: [1], dtype: record, fillValue: { a: 1, b: 2n } });
    const again = reopen(file);
    same(again.dataset("s", "str").read().data, ["none yet", "none yet"]);
    same(again.dataset("b", "bool").read().data, [true, true]);
    same(again.dataset("c", record).read().data, [{ a: 1, b: 2n }]);
    same(again.dataset("c", record).fillValue, { a: 1, b: 2n });
  });
  behaviour("a fill value of another type, or one that does not fit, is refused", ({ create, fails, same }) => {
    const file = create();
    fails(() => file.createDataset("x", { shape: [1], dtype: "f8", fillValue: "4" as never }), "Usage", /fillValue/);
    fails(() => file.createDataset("x", { shape: [1], dtype: "u1", fillValue: 300 }), "Usage", /fillValue|u1/);
    fails(() => file.createDataset("x", { shape: [1], dtype: "i8", fillValue: 3 as never }), "Usage", /bigint/);
    fails(
      () => file.createDataset("x", { shape: [1], dtype: compoundType({ a: "f4" }), fillValue: 42 as never }),
      "Usage",
    );
    same(file.keys(), []);
  });

  behaviour("gzip makes it smaller and gives it back", ({ create, reopen, same, ok }) => {
    const file = create();
    const values = new Float64Array(10_000).map((_, i) => i % 7);
    file.put("x", values, { compression: "gzip" });
    const again = reopen(file).dataset("x");
    same([again.read().data, again.compression], [values, { gzip: 4 }]);
    ok(again.storageBytes > 0 && again.storageBytes < 20_000, `it takes ${again.storageBytes} bytes`);
  });
  behaviour("gzip has levels from 0 to 9", ({ create, same, fails }) => {
    const file = create();
    for (let gzip = 0; gzip <= 9; gzip++)
      same(file.put(`x${gzip}`, ramp(100), { compression: { gzip } }).compression, { gzip });
    for (const gzip of [10, -1, 1.5, NaN, "4"])
      fails(() => file.put("y", ramp(10), { compression: { gzip } as never }), "Usage", /0.*9/);
  });
  behaviour("a compression that does not exist is refused", ({ create, fails }) => {
    const file = create();
    for (const compression of ["lzma", "foo", 4, {}, true])
      fails(() => file.put("x", ramp(10), { compression: compression as never }), "Usage", /gzip/);
  });
  behaviour("shuffle is told and gives back what was written", ({ create, reopen, same }) => {
    const file = create();
    file.put("x", ramp(1000), { shuffle: true });
    const again = reopen(file).dataset("x");
    same([again.shuffle, again.read().data], [true, ramp(1000)]);
  });
  behaviour("shuffle before gzip compresses a ramp better", ({ create, ok }) => {
    const file = create();
    const plain = file.put("x", Int32Array.from(ramp(20_000)), { compression: "gzip", chunks: [20_000] });
    const shuffled = file.put("y", Int32Array.from(ramp(20_000)), {
      compression: "gzip",
      chunks: [20_000],
      shuffle: true,
    });
    file.flush();
    ok(shuffled.storageBytes < plain.storageBytes, `${shuffled.storageBytes} against ${plain.storageBytes}`);
  });
  behaviour("fletcher32 is told and gives back what was written", ({ create, reopen, same }) => {
    const file = create();
    file.put("x", ramp(1000), { fletcher32: true });
    const again = reopen(file).dataset("x");
    same([again.fletcher32, again.read().data], [true, ramp(1000)]);
  });
  behaviour("fletcher32 finds a flipped bit", ({ create, open, fails }) => {
    const file = create();
    file.put("x", new Uint8Array(512).fill(0x5a), { fletcher32: true, chunks: [512] });
    file.close();
    const bytes = readFileSync(file.path);
    const at = bytes.indexOf(Buffer.alloc(512, 0x5a));
    bytes[at + 100]! ^= 4;
    writeFileSync(file.path, bytes);
    fails(() => open(file.path).dataset("x", "u1").read(), "Hdf5", /checksum|filter/i);
  });
  behaviour("all filters together work on every type", ({ create, reopen, same }) => {
    const file = create();
    const options = { compression: { gzip: 1 }, shuffle: true, fletcher32: true, chunks: [3] } as const;
    file.put("f8", ramp(10), options);
    file.put("u1", Uint8Array.of(1, 2, 3, 4), options);
    file.put("i8", BigInt64Array.of(1n, -2n, 3n, 4n), options);
    file.put("bool", [true, false, true, true], options);
    const again = reopen(file);
    same(again.dataset("f8").read().data, ramp(10));
    same(again.dataset("u1", "u1").read().data, Uint8Array.of(1, 2, 3, 4));
    same(again.dataset("i8", "i8").read().data, BigInt64Array.of(1n, -2n, 3n, 4n));
    same(again.dataset("bool", "bool").read().data, [true, false, true, true]);
  });
  behaviour("filters on a dataset without elements do no harm", ({ create, same }) => {
    const data = create().createDataset("x", { shape: [0], dtype: "f8", maxShape: [null], compression: "gzip" });
    same(data.read().shape, [0]);
  });
  behaviour("an option that is misspelt is refused with the right one", ({ create, fails, same }) => {
    const file = create();
    fails(() => file.createDataset("x", { shape: [10], dtype: "f8", maxshape: [null] } as never), "Usage", /maxShape/);
    fails(() => file.createDataset("x", { shape: [10], dtype: "f8", fillvalue: 1 } as never), "Usage", /fillValue/);
    same(file.keys(), []);
  });
  behaviour("storedAs of another type is refused", ({ create, fails }) => {
    const file = create();
    fails(() => file.createDataset("x", { shape: [1], dtype: "f8", storedAs: "<i4" }), "Usage", /storedAs/);
    fails(() => file.createDataset("x", { shape: [1], dtype: "str", storedAs: "<f8" }), "Usage", /storedAs/);
    fails(() => file.createDataset("x", { shape: [1], dtype: "f8", storedAs: "=f8" as never }), "Usage", /storedAs/);
  });
});
