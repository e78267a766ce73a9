import { describe, expect, test } from "vitest";
import { fillIntegers, fillNormal, fillUniform, type Key, keyOf, rng } from "../../src/random/index.ts";

type Fill = (length: number, key: Key, start: number) => Float64Array | Int32Array;
const distributions: { name: string; fill: Fill }[] = [
  {
    name: "uniform",
    fill: (length, key, start) => filled(new Float64Array(length), (out) => fillUniform(out, key, start)),
  },
  {
    name: "normal",
    fill: (length, key, start) => filled(new Float64Array(length), (out) => fillNormal(out, key, start)),
  },
  {
    name: "integers",
    fill: (length, key, start) => filled(new Int32Array(length), (out) => fillIntegers(out, key, start, { high: 10 })),
  },
  {
    // Where a third of the words is rejected.
    name: "integers of a wide range",
    fill: (length, key, start) =>
      filled(new Int32Array(length), (out) => fillIntegers(out, key, start, { low: -(2 ** 30), high: 2 ** 31 })),
  },
];

function filled<T>(out: T, fill: (out: T) => void): T {
  fill(out);
  return out;
}

describe.each(distributions)("$name", ({ fill }) => {
  // The last one straddles a block number of 2**32 for every number of elements per block.
  test.each([0, 1, 2, 3, 4097, 2 ** 33 - 5000, 2 ** 34 - 5000])("random ranges, from element %d on", (origin) => {
    const key = keyOf(7);
    const whole = fill(10_000, key, origin);
    const choices = rng(origin);
    for (let round = 0; round < 200; round++) {
      const [start = 0] = choices.integers(1, { high: whole.length });
      const [length = 0] = choices.integers(1, { high: round % 2 ? 10 : whole.length - start });
      const part = fill(Math.min(length, whole.length - start), key, origin + start);
      expect(part.findIndex((value, i) => value !== whole[start + i])).toBe(-1);
    }
  });

  // Were it made from the start on, the test would not end.
  test("a range at the last positions", () => {
    expect(fill(3, keyOf(7), 2 ** 53 - 4)).toEqual(fill(5, keyOf(7), 2 ** 53 - 6).subarray(2));
  });
});

test("successive calls continue the sequence", () => {
  const generator = rng(42);
  const parts = [3, 5, 0, 1, 1, 2000, 7].flatMap((length) => [...generator.normal(length)]);
  expect(parts).toEqual([...rng(42).normal(parts.length)]);
});

test("rng(seed) has the numbers that the range functions give for keyOf(seed)", () => {
  const out = new Float64Array(100);
  fillNormal(out, keyOf(42), 50);
  expect(out).toEqual(rng(42).normal(150).subarray(50));
});

test("a range is written into the part of a larger array that is given, and nowhere else", () => {
  const out = new Float64Array(12);
  fillNormal(out.subarray(3, 8), keyOf(42), 1);
  expect([...out]).toEqual([0, 0, 0, ...rng(42).normal(6).subarray(1), 0, 0, 0, 0]);
});
