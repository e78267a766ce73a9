/** Values of every sort that the lower-case calls carry. */

const basic: readonly unknown[] = [
  ...[undefined, null, true, false],
  ...[-7, 0, 7, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, -2.17, 1.62, 1e300, Infinity, NaN, -0],
  ...[0n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 64n - 1n, 2n ** 100n],
  ...["", "mpi4py", "Grüße, 世界, 🚀", "\u0000\uffff", "x".repeat(70_000)],
];

/** Alone, in an array, and in an object. */
export const values: readonly unknown[] = [
  ...basic,
  basic,
  Object.fromEntries(basic.map((value, i) => [`k${i}`, value])),
  [],
  {},
  [[1, [2, [3, []]]], { a: { b: { c: {} } } }],
];

/** What JSON does not carry. */
export const unusual: readonly unknown[] = [
  new Map<unknown, unknown>([
    ["a", 1],
    [{ key: true }, new Set([1, "two", 3n])],
  ]),
  new Set(basic),
  new Date(86_400_000.5),
  /gi+rona/gu,
  Float64Array.of(1, NaN, -0),
  BigInt64Array.of(-1n, 2n ** 62n),
  new Uint8Array(0),
  Uint8Array.of(1, 2, 3).buffer,
  new Float32Array(100_000).fill(1.5),
  { field: new Float64Array(50_000).fill(2), other: [new Int16Array(40_000).fill(-3), "text"] },
];
