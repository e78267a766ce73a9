/** The uniform distribution: element i is 53 bits of block floor(i / 2), words 0 and 1 for even i, 2 and 3 for odd. */
import { checkFinite, checkRange, refuse } from "./check.js";
import { blockWords, counterOf, fillBlocks, type Key, purposes } from "./threefry.js";

/** The bounds; [0, 1) by default. */
export interface UniformOptions {
  low?: number | undefined;
  high?: number | undefined;
}

const batch = new Int32Array(512 * blockWords);

/**
 * Fills `out` with elements `start`, `start + 1`, … of the key's uniform sequence, in time that depends on the length
 * of `out` only.
 *
 * With `n` the 53 bits, an element is `low + (high - low) * (n * 2**-53)`, each operation rounded; where that rounds up
 * to `high`, the largest number below it.
 *
 * @throws UsageError when a bound or their difference is not finite, `low` is not below `high`, or `start` is no
 *   position.
 */
export function fillUniform(out: Float64Array, key: Key, start: number, options: UniformOptions = {}): void {
  const { low = 0, high = 1 } = options;
  checkFinite("low", low);
  checkFinite("high", high);
  if (low >= high) refuse("high", high, `a number above low, which is ${low}`);
  if (!Number.isFinite(high - low)) refuse("high", high, `a number such that high - low is finite; low is ${low}`);
  checkRange(start, out.length);

  const width = high - low;
  const last = before(high);
  let block = Math.floor(start / 2);
  let word = (start % 2) * 2;
  for (let i = 0; i < out.length; word = 0) {
    const blocks = Math.min(batch.length / blockWords, Math.ceil((word / 2 + out.length - i) / 2));
    fillBlocks(batch, blocks, key, counterOf(purposes.uniform, block));
    block += blocks;
    const end = Math.min(out.length, i + blocks * 2 - word / 2);
    for (; i < end; i++, word += 2) {
      const value = low + width * fraction(batch[word]!, batch[word + 1]!);
      out[i] = value < high ? value : last;
    }
  }
}

/** 53 bits as a number in [0, 1): the upper 27 of the first word, then the upper 26 of the second. */
function fraction(first: number, second: number): number {
  return ((first >>> 5) * 2 ** 26 + (second >>> 6)) * 2 ** -53;
}

/** The largest number below a finite one. */
function before(value: number): number {
  if (value === 0) return -Number.MIN_VALUE;
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  bits[0]! += value > 0 ? -1n : 1n;
  return new Float64Array(bits.buffer)[0]!;
}
