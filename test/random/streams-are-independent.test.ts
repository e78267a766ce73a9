import { describe, expect, test } from "vitest";
import { type Generator, keyOf, rng, streamKey } from "../../src/random/index.ts";
import { correlation, expectDistribution, expectEven, expectStandardNormal, normalDistribution } from "./statistics.ts";

test("a stream does not depend on what was drawn, from its parent or from other streams", () => {
  const used = rng(42);
  used.normal(1000);
  used.stream(0).normal(1000);
  expect(used.stream(5).normal(10)).toEqual(rng(42).stream(5).normal(10));
});

test("calling stream twice gives two generators at the start of the same numbers", () => {
  const generator = rng(42);
  expect(generator.stream(1).normal(5)).toEqual(generator.stream(1).normal(5));
});

test("no two keys of a tree of streams are equal", () => {
  const keys = new Set<string>();
  let made = 0;
  const grow = (key: ReturnType<typeof keyOf>, depth: number) => {
    keys.add(key.join());
    made++;
    if (depth > 0) for (let i = 0; i < 20; i++) grow(streamKey(key, i), depth - 1);
  };
  for (const seed of [0, 1, 42]) grow(keyOf(seed), 3);
  for (const far of [2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1]) grow(streamKey(keyOf(42), far), 0);
  expect(keys.size).toBe(made);
});

test("the order of indices counts: stream(1).stream(2) is not stream(2).stream(1), nor stream(12) or stream(3)", () => {
  const g = rng(42);
  const first = [g.stream(1).stream(2), g.stream(2).stream(1), g.stream(12), g.stream(3)].map((s) => s.uniform(1)[0]);
  expect(new Set(first).size).toBe(4);
});

describe("between two generators", () => {
  const n = 100_000;
  const g = rng(42);
  const pairs: [string, Generator, Generator][] = [
    ["neighbouring streams", g.stream(0), g.stream(1)],
    ["streams that differ in one bit", g.stream(1), g.stream(1 + 2 ** 40)],
    ["a generator and its stream", rng(42), g.stream(0)],
    ["a stream and its own", g.stream(3), g.stream(3).stream(3)],
    ["cousins", g.stream(1).stream(2), g.stream(2).stream(2)],
    ["neighbouring seeds", rng(42), rng(43)],
    ["seeds that differ in the highest bit", rng(42), rng(42n + 2n ** 127n)],
    ["the same stream of neighbouring seeds", rng(42).stream(9), rng(43).stream(9)],
  ];

  describe.each(pairs)("%s", (_, a, b) => {
    test("normal numbers and their squares do not correlate", () => {
      const [x, y] = [a.normal(n), b.normal(n)];
      expectStandardNormal(correlation(x, y));
      const square = (v: number) => (v * v - 1) / Math.SQRT2;
      expectStandardNormal(correlation(x.map(square), y.map(square)));
    });

    test("pairs of uniform numbers fill 16 x 16 cells evenly", () => {
      const [x, y] = [a.uniform(n), b.uniform(n)];
      const counts = new Float64Array(256);
      for (const [i, u] of x.entries()) counts[Math.floor(u * 16) * 16 + Math.floor(y[i]! * 16)]!++;
      expectEven(counts);
    });
  });
});

describe("across many generators, the first element", () => {
  const many: [string, (i: number) => Generator][] = [
    ["of streams 0 to 9,999", (i) => rng(42).stream(i)],
    ["of seeds 0 to 9,999", (i) => rng(i)],
    [
      "of streams of streams",
      (i) =>
        rng(42)
          .stream(i % 100)
          .stream(Math.floor(i / 100)),
    ],
  ];
  test.each(many)("%s follows the distribution", (_, make) => {
    const generators = Array.from({ length: 10_000 }, (_, i) => make(i));
    expectDistribution(
      Float64Array.from(generators, (g) => g.uniform(1)[0]!),
      (x) => x,
    );
    expectDistribution(
      Float64Array.from(generators, (g) => g.normal(1)[0]!),
      normalDistribution,
    );
    const counts = new Float64Array(100);
    for (const g of generators) counts[g.integers(1, { high: 100 })[0]!]!++;
    expectEven(counts);
  });
});
