/**
 * `girona/random`: numbers on this machine, as typed arrays, the same for the same seed on every machine.
 *
 * @example
 * import { rng } from "girona/random";
 *
 * const generator = rng(42);
 * generator.normal(1_000_000); // standard normal, a Float64Array
 * generator.uniform(3, { low: -1, high: 1 }); // in [-1, 1)
 * generator.integers(10, { low: 1, high: 7 }); // ten dice, an Int32Array
 *
 * const rank = 3;
 * generator.stream(rank).normal(100); // independent of every other rank's
 */
export { type Generator, rng } from "./generator.js";

/**
 * For girona's own parts: any range of a key's sequences, which is how lazy arrays have the same numbers however they
 * are chunked. `fillNormal(out, keyOf(42), 1_000)` writes what `rng(42).normal(1_000 + out.length)` has from 1,000 on.
 *
 * @internal
 */
export { fillIntegers, type IntegersOptions } from "./integers.js";
/** @internal */
export { keyOf, streamKey } from "./key.js";
/** @internal */
export { fillNormal, type NormalOptions } from "./normal.js";
/** @internal */
export type { Key } from "./threefry.js";
/** @internal */
export { fillUniform, type UniformOptions } from "./uniform.js";
