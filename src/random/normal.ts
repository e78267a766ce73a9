/**
 * The normal distribution, by the method of Box and Muller (doi:10.1214/aoms/1177706645): block k gives a radius (words
 * 0 and 1) and an angle (words 2 and 3); element 2k is their x, element 2k + 1 their y. No element is ever rejected, so
 * element i comes from block floor(i / 2) whatever lies before it.
 */
import { checkFinite, checkRange, refuse } from "./check.js";
import { log } from "./log.js";
import { cos, sin } from "./sincos.js";
import { blockWords, counterOf, fillBlocks, type Key, purposes } from "./threefry.js";

/** Mean and standard deviation; 0 and 1 by default. */
export interface NormalOptions {
  mean?: number | undefined;
  deviation?: number | undefined;
}

const batch = new Int32Array(512 * blockWords);
const pairs = new Float64Array(batch.length / 2);

/**
 * Fills `out` with elements `start`, `start + 1`, … of the key's normal sequence, in time that depends on the length of
 * `out` only. An element is `mean + deviation * z`, each operation rounded, and `z` is standard normal, at most 8.58
 * from 0.
 *
 * @throws UsageError when the mean or the deviation is not finite, the deviation is negative or so large that elements
 *   would be infinite, or `start` is no position.
 */
export function fillNormal(out: Float64Array, key: Key, start: number, options: NormalOptions = {}): void {
  const { mean = 0, deviation = 1 } = options;
  checkFinite("mean", mean);
  checkFinite("deviation", deviation);
  if (deviation < 0) refuse("deviation", deviation, "a finite number, 0 or more");
  if (!Number.isFinite(Math.abs(mean) + 9 * deviation)) {
    refuse("deviation", deviation, `a number such that mean + 9 * deviation is finite; mean is ${mean}`);
  }
  checkRange(start, out.length);

  let block = Math.floor(start / 2);
  let skip = start % 2;
  for (let i = 0; i < out.length; skip = 0) {
    const blocks = Math.min(batch.length / blockWords, Math.ceil((skip + out.length - i) / 2));
    fillBlocks(batch, blocks, key, counterOf(purposes.normal, block));
    boxMuller(blocks, mean, deviation);
    block += blocks;
    const count = Math.min(out.length - i, blocks * 2 - skip);
    out.set(pairs.subarray(skip, skip + count), i);
    i += count;
  }
}

/** Turns the first blocks of `batch` into as many pairs. */
function boxMuller(blocks: number, mean: number, deviation: number): void {
  for (let k = 0; k < blocks; k++) {
    const at = k * blockWords;

    // A 53-bit whole number plus one, over 2**53: in (0, 1], whose logarithm is finite.
    const u = ((batch[at]! >>> 5) * 2 ** 26 + (batch[at + 1]! >>> 6) + 1) * 2 ** -53;
    const radius = Math.sqrt(-2 * log(u));

    // The angle in turns is a signed 53-bit fraction, so the nearest quarter turn comes off exactly: the rest is at
    // most an eighth of a turn.
    const turn = batch[at + 2]!;
    const quarter = (turn + 0x2000_0000) >>> 30;
    const rest = (turn - (quarter << 30)) | 0;
    const angle = (rest * 2 ** 21 + (batch[at + 3]! >>> 11)) * 2 ** -53 * (2 * Math.PI);
    const c = cos(angle);
    const s = sin(angle);
    // Rotated by the quarter turns without a branch, which would be mispredicted half of the time.
    const odd = quarter & 1;
    const sign = 1 - (quarter & 2);
    const p = (sign - sign * odd) * radius;
    const q = sign * odd * radius;
    pairs[k * 2] = mean + deviation * (c * p - s * q);
    pairs[k * 2 + 1] = mean + deviation * (s * p + c * q);
  }
}
