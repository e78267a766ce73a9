/** Statistics of a sample, whose critical values are in `reference/reference.json`. */
import { expect } from "vitest";
import { expected } from "./support.ts";

const { critical, normalCdf } = expected;

/** A statistic that is standard normal for a good generator. */
export function expectStandardNormal(z: number): void {
  expect(Math.abs(z)).toBeLessThan(critical.z);
}

/** Chi-square of counts that are equally likely; its degrees of freedom are one fewer. */
export function expectEven(counts: ArrayLike<number>): void {
  const all = Array.from(counts);
  const mean = all.reduce((sum, count) => sum + count, 0) / all.length;
  const statistic = all.reduce((sum, count) => sum + (count - mean) ** 2, 0) / mean;
  const bounds = critical.chiSquare[String(all.length - 1) as keyof typeof critical.chiSquare];
  expect(statistic).toBeGreaterThan(bounds[0]!);
  expect(statistic).toBeLessThan(bounds[1]!);
}

/** The Kolmogorov-Smirnov distance of a sample from a distribution function. */
export function expectDistribution(sample: Float64Array, cdf: (x: number) => number): void {
  const sorted = sample.slice().sort();
  let distance = 0;
  for (const [i, x] of sorted.entries()) {
    const below = cdf(x);
    distance = Math.max(distance, below - i / sorted.length, (i + 1) / sorted.length - below);
  }
  expect(distance).toBeLessThan(critical.ks[String(sample.length) as keyof typeof critical.ks]);
}

/** The normal distribution function: scipy's table, continued by three terms of Taylor's series (error below 1e-9). */
export function normalDistribution(x: number): number {
  const index = Math.min(Math.max(Math.round((x + 9) * 64), 0), normalCdf.length - 1);
  const at = index / 64 - 9;
  const h = x - at;
  const density = Math.exp((-at * at) / 2) / Math.sqrt(2 * Math.PI);
  return normalCdf[index]! + density * (h - (at * h * h) / 2 + ((at * at - 1) * h ** 3) / 6);
}

/** The correlation of two samples from distributions of mean 0 and variance 1, times the root of their length. */
export function correlation(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (const [i, x] of a.entries()) sum += x * b[i]!;
  return sum / Math.sqrt(a.length);
}
