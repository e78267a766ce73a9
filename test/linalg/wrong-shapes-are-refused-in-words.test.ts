import { expect, test } from "vitest";
import { isGironaError, ndarray } from "../../src/common/index.ts";
import { matmul } from "../../src/linalg/index.ts";

const f8 = (length: number) => new Float64Array(length);
const f4 = (length: number) => new Float32Array(length);
const call = matmul as (...values: unknown[]) => unknown;
const memory = f8(20);

const cases: readonly [what: string, parameter: string, message: string, values: readonly unknown[]][] = [
  ["a of another length", "a", "a has 5 elements; (2, 3) times (3, 4) needs 6", [f8(5), f8(12), { m: 2, k: 3, n: 4 }]],
  [
    "b of another length",
    "b",
    "b has 11 elements; (2, 3) times (3, 4) needs 12",
    [f8(6), f8(11), { m: 2, k: 3, n: 4 }],
  ],
  [
    "out of another length",
    "out",
    "out has 7 elements; (2, 3) times (3, 4) gives 8",
    [f8(6), f8(12), { m: 2, k: 3, n: 4, out: f8(7) }],
  ],
  ["two types", "b", "a is a Float64Array and b a Float32Array", [f8(1), f4(1), { m: 1, k: 1, n: 1 }]],
  [
    "out of another type",
    "out",
    "a is a Float32Array and out a Float64Array",
    [f4(1), f4(1), { m: 1, k: 1, n: 1, out: f8(1) }],
  ],
  [
    "integers",
    "a",
    "a is an Int32Array: it must be a Float64Array, a Float32Array",
    [Int32Array.of(1), Int32Array.of(1)],
  ],
  ["an array of JavaScript's own", "a", "a is an Array", [[1], [1], { m: 1, k: 1, n: 1 }]],
  ["nothing", "a", "a is missing", []],
  ["no sizes", "sizes", "the sizes are missing: matmul(a, b, { m, k, n })", [f8(1), f8(1)]],
  ["a size that is missing", "k", "k is undefined: it must be a whole number", [f8(1), f8(1), { m: 1, n: 1 }]],
  ["a size that is no whole number", "m", "m is 1.5", [f8(1), f8(1), { m: 1.5, k: 1, n: 1 }]],
  ["a negative size", "n", "n is -1", [f8(1), f8(1), { m: 1, k: 1, n: -1 }]],
  [
    "out that is a factor",
    "out",
    "out overlaps with b, which is still read",
    [f8(4), memory.subarray(0, 4), { m: 2, k: 2, n: 2, out: memory.subarray(3, 7) }],
  ],
  [
    "out that is the other factor",
    "out",
    "out overlaps with a",
    [memory.subarray(8, 12), f8(4), { m: 2, k: 2, n: 2, out: memory.subarray(8, 12) }],
  ],
  [
    "inner sizes that differ",
    "shape",
    "the shapes are (2, 3) and (2, 3): a must have as many columns (3) as b has rows (2)",
    [ndarray(f8(6), [2, 3]), ndarray(f8(6), [2, 3])],
  ],
  [
    "one axis",
    "shape",
    "the shapes are (6) and (3, 2): both must have two axes",
    [ndarray(f8(6)), ndarray(f8(6), [3, 2])],
  ],
  ["two element types", "b", "a is of f8 and b of f4", [ndarray(f8(1), [1, 1]), ndarray(f4(1), [1, 1])]],
  [
    "an array with a shape of integers",
    "a",
    "a is an Object",
    [ndarray(Int32Array.of(1), [1, 1]), ndarray(f8(1), [1, 1])],
  ],
  [
    "data that does not fit its shape",
    "b",
    "b is an Object",
    [ndarray(f8(1), [1, 1]), { dtype: "f8", shape: [1, 2], data: f8(1) }],
  ],
];

test.each(cases)("%s", (_, parameter, message, values) => {
  let thrown: unknown;
  try {
    call(...values);
  } catch (error) {
    thrown = error;
  }
  expect(isGironaError(thrown, "Usage") && thrown.parameter).toBe(parameter);
  expect((thrown as Error).message).toContain(`matmul: ${message}`);
});

test("out beside a factor in the same memory is right", () => {
  const values = Float64Array.of(2, 3, 0, 0);
  matmul(values.subarray(0, 1), values.subarray(1, 2), { m: 1, k: 1, n: 1, out: values.subarray(2, 3) });
  expect(Array.from(values)).toEqual([2, 3, 6, 0]);
});
