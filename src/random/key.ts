/** Keys: one from a seed, and one per stream of a key. */
import { isWhole, refuse } from "./check.js";
import { counterOf, fillBlocks, type Key, purposes } from "./threefry.js";

const seedHelp =
  "a whole number from 0 to 2**53 - 1, or a bigint from 0n to 2n**128n - 1n; nothing, for a seed of the operating system";

/**
 * The key of a seed: its 128 bits as they are, so `42` and `42n` are one seed and no two seeds share a key. Without a
 * seed: 128 bits of the operating system's entropy.
 *
 * @throws UsageError when the seed is negative, fractional, too large, or neither number nor bigint.
 */
export function keyOf(seed?: number | bigint): Key {
  if (seed === undefined) return keyFrom(crypto.getRandomValues(new Uint32Array(4)));
  if (typeof seed === "number" ? !isWhole(seed) : typeof seed !== "bigint" || seed < 0n || seed >> 128n !== 0n) {
    refuse("seed", seed, seedHelp);
  }
  const bits = BigInt(seed);
  return keyFrom(Uint32Array.from([0n, 32n, 64n, 96n], (shift) => Number((bits >> shift) & 0xffff_ffffn)));
}

/**
 * The key of a stream: block `index` of the key's own blocks for this purpose. For one key, distinct indices have
 * distinct keys, since Threefry is a permutation; keys of different parents meet as rarely as random 128-bit numbers.
 *
 * @throws UsageError when the index is not a whole number from 0 to 2**53 - 1.
 */
export function streamKey(key: Key, index: number): Key {
  if (!isWhole(index)) refuse("index", index, "a whole number from 0 to 2**53 - 1");
  const block = new Int32Array(4);
  fillBlocks(block, 1, key, counterOf(purposes.stream, index));
  return keyFrom(block);
}

function keyFrom(words: Int32Array | Uint32Array): Key {
  const [a, b, c, d] = new Uint32Array(words);
  return Object.freeze([a!, b!, c!, d!] as const);
}
