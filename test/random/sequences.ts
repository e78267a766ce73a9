/**
 * Hashes of what `rng(42)` gives, which must never change: made in this process by the test that has their values, and
 * in each version of Node by another.
 */
import { createHash } from "node:crypto";
import { rng } from "../../src/random/index.ts";

export interface Sequence {
  readonly name: string;
  /** SHA-256 of the elements' bytes, least significant first. */
  readonly hash: string;
}

const count = 100_000;

export function sequences(): Sequence[] {
  const generator = rng(42);
  const stream = generator.stream(3).stream(2 ** 40);
  return [
    { name: "normal", hash: hashOf(generator.normal(count)) },
    {
      name: "normal, mean 1/3, deviation 2/3",
      hash: hashOf(generator.normal(count, { mean: 1 / 3, deviation: 2 / 3 })),
    },
    { name: "uniform", hash: hashOf(generator.uniform(count)) },
    { name: "uniform from -1/3 to 5", hash: hashOf(generator.uniform(count, { low: -1 / 3, high: 5 })) },
    { name: "integers to 100", hash: hashOf(generator.integers(count, { high: 100 })) },
    {
      name: "integers from -2**30 to 2**31",
      hash: hashOf(generator.integers(count, { low: -(2 ** 30), high: 2 ** 31 })),
    },
    { name: "stream 3, stream 2**40, normal", hash: hashOf(stream.normal(count)) },
  ];
}

function hashOf(elements: Float64Array | Int32Array): string {
  const bytes = new DataView(new ArrayBuffer(elements.byteLength));
  const size = elements.BYTES_PER_ELEMENT;
  for (const [i, value] of elements.entries()) {
    if (size === 8) bytes.setFloat64(i * size, value, true);
    else bytes.setInt32(i * size, value, true);
  }
  return createHash("sha256").update(bytes).digest("hex");
}
