/**
 * Whole numbers, exactly uniform: element i is word i mod 4 of block floor(i / 4), scaled to the range by D. Lemire's
 * method (doi:10.1145/3230636). A word that would make some number likelier is rejected, and drawn again from the same
 * place of the next attempt, which is a block of its own (the counter's fourth word): other elements do not move.
 */
import { checkRange, refuse } from "./check.js";
import { blockWords, counterOf, fillBlocks, type Key, purposes } from "./threefry.js";

/** The bounds: `low` (0 by default) is among the numbers, `high` is not. */
export interface IntegersOptions {
  low?: number | undefined;
  high: number;
}

const batch = new Int32Array(512 * blockWords);
const again = new Int32Array(blockWords);

/**
 * Fills `out` with elements `start`, `start + 1`, … of the key's integer sequence, in time that depends on the length
 * of `out` only (and, where the range is more than half of 2**32 numbers, on chance: up to two draws per element).
 *
 * @throws UsageError when a bound is no whole number from -2**31 to 2**31, `low` is not below `high`, or `start` is no
 *   position.
 */
export function fillIntegers(out: Int32Array, key: Key, start: number, options: IntegersOptions): void {
  const { low = 0, high } = options;
  if (!Number.isInteger(low) || low < -(2 ** 31) || low >= 2 ** 31) {
    refuse("low", low, "a whole number from -2**31 to 2**31 - 1");
  }
  if (!Number.isInteger(high) || high <= low || high > 2 ** 31) {
    refuse("high", high, `a whole number above low, which is ${low}, up to 2**31`);
  }
  checkRange(start, out.length);

  const count = high - low;
  // 2**32 mod count: that many words are too many for each number to have equally many.
  const excess = 2 ** 32 % count;
  let block = Math.floor(start / blockWords);
  let word = start % blockWords;
  for (let i = 0; i < out.length; word = 0) {
    const blocks = Math.min(batch.length / blockWords, Math.ceil((word + out.length - i) / blockWords));
    fillBlocks(batch, blocks, key, counterOf(purposes.integers, block));
    const end = Math.min(out.length, i + blocks * blockWords - word);
    for (; i < end; i++, word++) {
      let bits = batch[word]! >>> 0;
      for (let attempt = 1; lowProduct(bits, count) < excess; attempt++) {
        fillBlocks(again, 1, key, counterOf(purposes.integers, block + Math.floor(word / blockWords), attempt));
        bits = again[word % blockWords]! >>> 0;
      }
      out[i] = low + highProduct(bits, count);
    }
    block += blocks;
  }
}

/** The lower 32 bits of `a * b`, for `a` below 2**32 and `b` up to it. */
function lowProduct(a: number, b: number): number {
  return Math.imul(a, b) >>> 0;
}

/**
 * The bits above the lower 32 of `a * b`, exactly: the rounded product is off by at most 2**10, and so is the
 * difference, which is far less than half of 2**32.
 */
function highProduct(a: number, b: number): number {
  return Math.round((a * b - lowProduct(a, b)) * 2 ** -32);
}
