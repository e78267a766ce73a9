import { describe, expect, test } from "vitest";
import { rng } from "../../src/random/index.ts";

test("normal: mean + deviation * z", () => {
  const z = rng(42).normal(1000);
  expect(rng(42).normal(1000, { mean: 10, deviation: 2 })).toEqual(z.map((value) => 10 + 2 * value));
  expect(rng(42).normal(3, { mean: 5, deviation: 0 })).toEqual(Float64Array.of(5, 5, 5));
});

describe("uniform", () => {
  test("low + (high - low) * u", () => {
    const u = rng(42).uniform(1000);
    expect(rng(42).uniform(1000, { low: -3, high: 5 })).toEqual(u.map((value) => -3 + 8 * value));
  });

  // Rounding would give `high` for half of the numbers, where there is no number between the bounds.
  test.each([
    [1, 1 + 2 ** -52],
    [-1 - 2 ** -52, -1],
    [-5e-324, 0],
    [0, 5e-324],
    [2 ** 52, 2 ** 52 + 1],
    [2 ** 53, 2 ** 53 + 2],
  ])("from %d to %d never reaches the upper bound", (low, high) => {
    expect(new Set(rng(42).uniform(1000, { low, high }))).toEqual(new Set([low]));
  });

  test("from 0 to 1 has 53 bits", () => {
    const u = rng(42).uniform(100_000);
    expect(u.every((value) => value >= 0 && value < 1 && Number.isInteger(value * 2 ** 53))).toBe(true);
    expect(u.some((value) => !Number.isInteger(value * 2 ** 52))).toBe(true);
  });
});

describe("integers", () => {
  test.each([
    { low: 0, high: 1 },
    { low: 1, high: 7 },
    { low: -3, high: -1 },
    { low: -(2 ** 31), high: -(2 ** 31) + 2 },
    { low: 2 ** 31 - 2, high: 2 ** 31 },
  ])("from $low to $high are all of them", ({ low, high }) => {
    const all = Array.from({ length: high - low }, (_, i) => low + i);
    expect([...new Set(rng(42).integers(1000, { low, high }))].sort((a, b) => a - b)).toEqual(all);
  });

  test("of all 2**32 reach both halves", () => {
    const all = rng(42).integers(1000, { low: -(2 ** 31), high: 2 ** 31 });
    expect(Math.min(...all)).toBeLessThan(-(2 ** 30));
    expect(Math.max(...all)).toBeGreaterThan(2 ** 30);
  });
});
