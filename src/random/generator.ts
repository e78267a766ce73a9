/** The generator that callers hold: a key, and how far each distribution has been drawn. */
import { allocate, refuse } from "./check.js";
import { fillIntegers, type IntegersOptions } from "./integers.js";
import { keyOf, streamKey } from "./key.js";
import { fillNormal, type NormalOptions } from "./normal.js";
import type { Key } from "./threefry.js";
import { fillUniform, type UniformOptions } from "./uniform.js";

/**
 * A counter-based generator: the same seed and stream give the same numbers on every machine.
 *
 * Each distribution is a sequence of its own, and every call continues its sequence: `normal(3)` and then `normal(5)`
 * give elements 0 to 2 and 3 to 7, whatever is drawn from `uniform` or `integers` between them, and with whatever
 * options. Streams do not depend on what has been drawn.
 *
 * @example
 * import { rng } from "girona/random";
 * const generator = rng(42);
 * const points = generator.uniform(1_000, { low: -1, high: 1 }); // Float64Array
 * const dice = generator.integers(10, { low: 1, high: 7 }); // Int32Array
 */
export interface Generator {
  /**
   * Standard normal numbers, or those of another mean and standard deviation.
   *
   * @throws UsageError when the length is no whole number, the mean or deviation is not finite, or the deviation is
   *   negative.
   */
  normal(
    length: number,
    options?: { mean?: number | undefined; deviation?: number | undefined },
  ): Float64Array<ArrayBuffer>;
  /**
   * Numbers in [low, high), default [0, 1), with 53 random bits.
   *
   * @throws UsageError when the length is no whole number, a bound is not finite, or `low` is not below `high`.
   */
  uniform(length: number, options?: { low?: number | undefined; high?: number | undefined }): Float64Array<ArrayBuffer>;
  /**
   * Whole numbers in [low, high), each as likely as the others; `low` is 0 by default. The bounds are within -2**31 and
   * 2**31.
   *
   * @throws UsageError when the length or a bound is no whole number, or `low` is not below `high`.
   */
  integers(length: number, options: { low?: number | undefined; high: number }): Int32Array<ArrayBuffer>;
  /**
   * An independent generator: one per rank or task. Streams have streams, all different: `stream(1).stream(2)`.
   *
   * @throws UsageError when the index is not a whole number from 0 to 2**53 - 1.
   */
  stream(index: number): Generator;
}

/**
 * A generator. The seed is a whole number from 0, or a `bigint` of up to 128 bits; without one, the operating system
 * gives it. Per rank: `rng(42).stream(rank)`.
 *
 * @example
 * import { rng } from "girona/random";
 * const sample = rng(42).normal(1_000_000, { mean: 10, deviation: 2 });
 * @throws UsageError when the seed is negative, fractional or too large.
 */
export function rng(seed?: number | bigint): Generator {
  return new CounterGenerator(keyOf(seed));
}

class CounterGenerator implements Generator {
  readonly #key: Key;
  /** The position of the next element, per distribution. */
  readonly #next = { normal: 0, uniform: 0, integers: 0 };

  constructor(key: Key) {
    this.#key = key;
  }

  normal(length: number, options?: NormalOptions): Float64Array<ArrayBuffer> {
    const out = allocate(Float64Array, length);
    fillNormal(out, this.#key, this.#next.normal, options);
    this.#next.normal += length;
    return out;
  }

  uniform(length: number, options?: UniformOptions): Float64Array<ArrayBuffer> {
    const out = allocate(Float64Array, length);
    fillUniform(out, this.#key, this.#next.uniform, options);
    this.#next.uniform += length;
    return out;
  }

  integers(length: number, options: IntegersOptions): Int32Array<ArrayBuffer> {
    if (typeof options !== "object" || options === null)
      refuse("options", options, "an object with high, and maybe low");
    const out = allocate(Int32Array, length);
    fillIntegers(out, this.#key, this.#next.integers, options);
    this.#next.integers += length;
    return out;
  }

  stream(index: number): Generator {
    return new CounterGenerator(streamKey(this.#key, index));
  }
}
