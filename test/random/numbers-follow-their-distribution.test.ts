import { describe, expect, test } from "vitest";
import { type Generator, rng } from "../../src/random/index.ts";
import { correlation, expectDistribution, expectEven, expectStandardNormal, normalDistribution } from "./statistics.ts";
import { expected } from "./support.ts";

const { beyond } = expected.critical;
const n = 1_000_000;

// Generators whose keys are as unalike as they get: seeds of few bits and many, and streams.
const generators: { name: string; make: () => Generator }[] = [
  { name: "rng(0)", make: () => rng(0) },
  { name: "rng(42)", make: () => rng(42) },
  { name: "rng(2**128 - 1)", make: () => rng(2n ** 128n - 1n) },
  { name: "rng(42).stream(0)", make: () => rng(42).stream(0) },
  { name: "rng(42).stream(1).stream(2)", make: () => rng(42).stream(1).stream(2) },
];

describe.each(generators)("$name", ({ make }) => {
  describe("normal", () => {
    const sample = make().normal(n);
    const moment = (power: number) => sample.reduce((sum, x) => sum + x ** power, 0) / n;

    // Of a standard normal variable: the moment, and the variance of its power.
    test.each([
      { power: 1, mean: 0, variance: 1 },
      { power: 2, mean: 1, variance: 2 },
      { power: 3, mean: 0, variance: 15 },
      { power: 4, mean: 3, variance: 96 },
    ])("moment $power", ({ power, mean, variance }) => {
      expectStandardNormal((moment(power) - mean) / Math.sqrt(variance / n));
    });

    test("Kolmogorov-Smirnov distance", () => {
      expectDistribution(sample.slice(0, 100_000), normalDistribution);
    });

    test("chi-square of 1000 equally likely bins", () => {
      const sorted = sample.slice().sort();
      const edges = [...expected.normalEdges, Number.POSITIVE_INFINITY];
      const counts = new Float64Array(edges.length);
      let bin = 0;
      for (const x of sorted) {
        while (x >= edges[bin]!) bin++;
        counts[bin]!++;
      }
      expectEven(counts);
    });

    test.each(Object.entries(beyond))("how many lie beyond %s", (z, [least = 0, most = 0]) => {
      const count = sample.reduce((sum, x) => sum + (Math.abs(x) > Number(z) ? 1 : 0), 0);
      expect(count).toBeGreaterThanOrEqual(least);
      expect(count).toBeLessThanOrEqual(most);
    });

    // 1 is the other of a pair of Box and Muller, for every second element; the batch of 1024 is the other period.
    test.each([1, 2, 3, 4, 1024])("no correlation with the element %d further, nor of squares", (lag) => {
      expectStandardNormal(correlation(sample.subarray(lag), sample.subarray(0, n - lag)));
      const squares = sample.map((x) => (x * x - 1) / Math.SQRT2);
      expectStandardNormal(correlation(squares.subarray(lag), squares.subarray(0, n - lag)));
    });
  });

  describe("uniform", () => {
    const sample = make().uniform(n);

    test("Kolmogorov-Smirnov distance", () => {
      expectDistribution(sample.slice(0, 100_000), (x) => x);
    });

    test("chi-square of 1000 bins", () => {
      const counts = new Float64Array(1000);
      for (const x of sample) counts[Math.floor(x * 1000)]!++;
      expectEven(counts);
    });

    test.each([1, 2, 3, 512])("chi-square of pairs with the element %d further, in 16 x 16 cells", (lag) => {
      const counts = new Float64Array(256);
      for (let i = 0; i + lag < n; i++) counts[Math.floor(sample[i]! * 16) * 16 + Math.floor(sample[i + lag]! * 16)]!++;
      expectEven(counts);
    });

    test.each([5, 20, 40, 45])("chi-square of the 8 bits from bit %d on", (bit) => {
      const counts = new Float64Array(256);
      for (const x of sample) counts[Math.floor(((x * 2 ** bit) % 1) * 256)]!++;
      expectEven(counts);
    });
  });

  describe("integers", () => {
    test("chi-square of 0 to 99", () => {
      const counts = new Float64Array(100);
      for (const value of make().integers(n, { high: 100 })) counts[value]!++;
      expectEven(counts);
    });

    test("dice", () => {
      const counts = new Float64Array(7);
      for (const value of make().integers(n, { low: -3, high: 4 })) counts[value + 3]!++;
      expectEven(counts);
    });

    // Scaling 32 bits to 3 * 2**30 numbers without rejection makes every third one twice as likely.
    test("each of 3 * 2**30 numbers as likely as the others", () => {
      const counts = new Float64Array(3);
      for (const value of make().integers(n, { low: -(2 ** 30), high: 2 ** 31 })) counts[(value + 2 ** 30) % 3]!++;
      expectEven(counts);
    });
  });
});
