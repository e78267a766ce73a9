import { expect, test } from "vitest";
import { rng } from "../../src/random/index.ts";

test("each distribution is a sequence of its own, whatever is drawn from the others", () => {
  const mixed = rng(42);
  const normal: number[] = [];
  const uniform: number[] = [];
  const integers: number[] = [];
  for (const length of [1, 4, 2, 9]) {
    normal.push(...mixed.normal(length));
    uniform.push(...mixed.uniform(length * 2));
    integers.push(...mixed.integers(length * 3, { high: 1000 }));
    mixed.stream(length).normal(5);
  }
  expect(normal).toEqual([...rng(42).normal(16)]);
  expect(uniform).toEqual([...rng(42).uniform(32)]);
  expect(integers).toEqual([...rng(42).integers(48, { high: 1000 })]);
});

test("options change the numbers, not the position", () => {
  const generator = rng(42);
  generator.normal(3, { mean: 100, deviation: 7 });
  generator.uniform(3, { low: -9, high: 9 });
  generator.integers(3, { low: -9, high: 9 });
  expect(generator.normal(2)).toEqual(rng(42).normal(5).subarray(3));
  expect(generator.uniform(2)).toEqual(rng(42).uniform(5).subarray(3));
  expect(generator.integers(2, { high: 5 })).toEqual(rng(42).integers(5, { high: 5 }).subarray(3));
});

test("a refused call takes nothing", () => {
  const generator = rng(42);
  expect(() => generator.normal(3, { deviation: -1 })).toThrow();
  expect(generator.normal(3)).toEqual(rng(42).normal(3));
});

test("no two distributions read the same bits", () => {
  const generator = rng(42);
  const uniform = generator.uniform(1000);
  const integers = generator.integers(1000, { high: 1000 });
  const equal = integers.filter((value, i) => value === Math.floor(uniform[i]! * 1000));
  expect(equal.length).toBeLessThan(10);
});
