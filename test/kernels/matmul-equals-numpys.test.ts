import { expect, test } from "vitest";
import { matmul } from "../../src/kernels/index.ts";
import { rng } from "../../src/random/index.ts";
import { expectClose, expectNumpysProducts, expectNumpysSpecialValues, type Multiply } from "../linalg/support.ts";

const multiply: Multiply = (a, b, sizes) => {
  const out = a instanceof Float64Array ? new Float64Array(sizes.m * sizes.n) : new Float32Array(sizes.m * sizes.n);
  matmul(a, b, out, sizes);
  return out;
};

test("products are numpy's to the bit where sums are exact, whatever the shape", () => {
  expectNumpysProducts(multiply);
});

test("not a number, infinities and tiny numbers are numpy's", () => {
  expectNumpysSpecialValues(multiply);
});

test("random shapes and values are within the bound of rounding", () => {
  const random = rng(5);
  for (let round = 0; round < 60; round++) {
    const [m = 1, k = 1, n = 1] = Array.from(random.integers(3, { low: 1, high: 90 }), Number);
    const a = random.normal(m * k);
    const b = random.normal(k * n);
    expectClose(multiply(a, b, { m, k, n }), a, b, m, k, n, `(${m}, ${k}) times (${k}, ${n}) in f8`);
    const [a4, b4] = [Float32Array.from(a), Float32Array.from(b)];
    expectClose(multiply(a4, b4, { m, k, n }), a4, b4, m, k, n, `(${m}, ${k}) times (${k}, ${n}) in f4`);
  }
});

test("what was in out and in the workspace before does not matter", () => {
  const sizes = { m: 9, k: 300, n: 11 };
  const a = Float64Array.from({ length: 2700 }, (_, i) => i % 7);
  const b = Float64Array.from({ length: 3300 }, (_, i) => i % 5);
  const out = new Float64Array(99).fill(Number.NaN);
  matmul(a, b, out, sizes);
  const before = out.slice();
  multiply(new Float64Array(90_000).fill(Number.NaN), new Float64Array(90_000).fill(Number.NaN), {
    m: 300,
    k: 300,
    n: 300,
  });
  matmul(a, b, out, sizes);
  expect(out).toEqual(before);
  expect(out.every(Number.isFinite)).toBe(true);
});

test("a part of a larger array is read and written where it lies", () => {
  const memory = new Float64Array(32).fill(-1);
  memory.set([1, 2, 3, 4], 3);
  memory.set([5, 6, 7, 8], 9);
  matmul(memory.subarray(3, 7), memory.subarray(9, 13), memory.subarray(20, 24), { m: 2, k: 2, n: 2 });
  expect(Array.from(memory.subarray(19, 25))).toEqual([-1, 19, 22, 43, 50, -1]);
});
