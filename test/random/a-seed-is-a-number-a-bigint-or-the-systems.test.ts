import { expect, test } from "vitest";
import { keyOf, rng } from "../../src/random/index.ts";

test("a number and the same bigint are one seed", () => {
  expect(rng(42n).normal(5)).toEqual(rng(42).normal(5));
  expect(rng(-0).normal(5)).toEqual(rng(0).normal(5));
});

test("all 128 bits count", () => {
  expect(keyOf(0x0000_0004_0000_0003_0000_0002_0000_0001n)).toEqual([1, 2, 3, 4]);
  expect(keyOf(2 ** 53 - 1)).toEqual([0xffff_ffff, 0x1f_ffff, 0, 0]);
  expect(keyOf(2n ** 128n - 1n)).toEqual(Array(4).fill(0xffff_ffff));
});

test("without a seed, every generator is another", () => {
  const keys = Array.from({ length: 100 }, () => keyOf().join());
  expect(new Set(keys).size).toBe(100);
  expect(rng().normal(5)).not.toEqual(rng().normal(5));
});

test("a key travels as JSON", () => {
  expect(JSON.parse(JSON.stringify(keyOf(42)))).toEqual(keyOf(42));
});
