/**
 * Threefry4x32-20: a function that turns a 128-bit key and a 128-bit counter into 128 random bits. Nothing else is
 * random here; every number of girona is read from such a block.
 *
 * Source: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11
 * (doi:10.1145/2063384.2063405), and its library Random123, whose known answers are in the tests. Of the generators in
 * that paper it is the one made of 32-bit additions, rotations and exclusive ors only, which JavaScript engines compile
 * to one instruction each; and its key has 128 bits, so that derived keys do not meet.
 */

/** Four 32-bit words, the least significant first. Plain numbers, so that it travels as JSON. */
export type Key = readonly [number, number, number, number];

/** Four 32-bit words, as a `Key`: what the key turns into a block. */
export type Counter = Key;

/**
 * The third word of the counter, by which a key has one sequence of blocks per purpose. Fixed: a new distribution gets
 * a new number, and none is ever used for another.
 */
export const purposes = { stream: 0, uniform: 1, normal: 2, integers: 3 } as const;
export type Purpose = (typeof purposes)[keyof typeof purposes];

/** Words in a block. */
export const blockWords = 4;

// Threefish's key-schedule parity, cut to 32 bits (Random123: SKEIN_KS_PARITY32).
const parity = 0x1bd11bda;

/**
 * The counter of a block: `[block mod 2**32, floor(block / 2**32), purpose, attempt]`.
 *
 * @param block a whole number, 0 to 2**53 - 1
 * @param attempt 0, except where a distribution rejects an element and draws it again
 */
export function counterOf(purpose: Purpose, block: number, attempt = 0): Counter {
  return [block | 0, Math.floor(block / 2 ** 32) | 0, purpose, attempt];
}

/**
 * Fills `out` with consecutive blocks of a key, four words each: that of `counter`, and those of the counters above it,
 * where the first word carries into the second.
 *
 * @param out its first `4 * blocks` elements are written
 */
export function fillBlocks(out: Int32Array, blocks: number, key: Key, counter: Counter): void {
  const k0 = key[0] | 0;
  const k1 = key[1] | 0;
  const k2 = key[2] | 0;
  const k3 = key[3] | 0;
  const k4 = parity ^ k0 ^ k1 ^ k2 ^ k3;
  const c2 = (counter[2] + k2) | 0;
  const c3 = (counter[3] + k3) | 0;
  let low = counter[0] | 0;
  let high = counter[1] | 0;

  for (let at = 0; at < blocks * blockWords; at += blockWords) {
    let a = (low + k0) | 0;
    let b = (high + k1) | 0;
    let c = c2;
    let d = c3;

    // Written out, since a loop over tables of rotations is several times slower.
    a = (a + b) | 0;
    b = ((b << 10) | (b >>> 22)) ^ a;
    c = (c + d) | 0;
    d = ((d << 26) | (d >>> 6)) ^ c;
    a = (a + d) | 0;
    d = ((d << 11) | (d >>> 21)) ^ a;
    c = (c + b) | 0;
    b = ((b << 21) | (b >>> 11)) ^ c;
    a = (a + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ a;
    c = (c + d) | 0;
    d = ((d << 27) | (d >>> 5)) ^ c;
    a = (a + d) | 0;
    d = ((d << 23) | (d >>> 9)) ^ a;
    c = (c + b) | 0;
    b = ((b << 5) | (b >>> 27)) ^ c;

    a = (a + k1) | 0;
    b = (b + k2) | 0;
    c = (c + k3) | 0;
    d = (d + k4 + 1) | 0;

    a = (a + b) | 0;
    b = ((b << 6) | (b >>> 26)) ^ a;
    c = (c + d) | 0;
    d = ((d << 20) | (d >>> 12)) ^ c;
    a = (a + d) | 0;
    d = ((d << 17) | (d >>> 15)) ^ a;
    c = (c + b) | 0;
    b = ((b << 11) | (b >>> 21)) ^ c;
    a = (a + b) | 0;
    b = ((b << 25) | (b >>> 7)) ^ a;
    c = (c + d) | 0;
    d = ((d << 10) | (d >>> 22)) ^ c;
    a = (a + d) | 0;
    d = ((d << 18) | (d >>> 14)) ^ a;
    c = (c + b) | 0;
    b = ((b << 20) | (b >>> 12)) ^ c;

    a = (a + k2) | 0;
    b = (b + k3) | 0;
    c = (c + k4) | 0;
    d = (d + k0 + 2) | 0;

    a = (a + b) | 0;
    b = ((b << 10) | (b >>> 22)) ^ a;
    c = (c + d) | 0;
    d = ((d << 26) | (d >>> 6)) ^ c;
    a = (a + d) | 0;
    d = ((d << 11) | (d >>> 21)) ^ a;
    c = (c + b) | 0;
    b = ((b << 21) | (b >>> 11)) ^ c;
    a = (a + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ a;
    c = (c + d) | 0;
    d = ((d << 27) | (d >>> 5)) ^ c;
    a = (a + d) | 0;
    d = ((d << 23) | (d >>> 9)) ^ a;
    c = (c + b) | 0;
    b = ((b << 5) | (b >>> 27)) ^ c;

    a = (a + k3) | 0;
    b = (b + k4) | 0;
    c = (c + k0) | 0;
    d = (d + k1 + 3) | 0;

    a = (a + b) | 0;
    b = ((b << 6) | (b >>> 26)) ^ a;
    c = (c + d) | 0;
    d = ((d << 20) | (d >>> 12)) ^ c;
    a = (a + d) | 0;
    d = ((d << 17) | (d >>> 15)) ^ a;
    c = (c + b) | 0;
    b = ((b << 11) | (b >>> 21)) ^ c;
    a = (a + b) | 0;
    b = ((b << 25) | (b >>> 7)) ^ a;
    c = (c + d) | 0;
    d = ((d << 10) | (d >>> 22)) ^ c;
    a = (a + d) | 0;
    d = ((d << 18) | (d >>> 14)) ^ a;
    c = (c + b) | 0;
    b = ((b << 20) | (b >>> 12)) ^ c;

    a = (a + k4) | 0;
    b = (b + k0) | 0;
    c = (c + k1) | 0;
    d = (d + k2 + 4) | 0;

    a = (a + b) | 0;
    b = ((b << 10) | (b >>> 22)) ^ a;
    c = (c + d) | 0;
    d = ((d << 26) | (d >>> 6)) ^ c;
    a = (a + d) | 0;
    d = ((d << 11) | (d >>> 21)) ^ a;
    c = (c + b) | 0;
    b = ((b << 21) | (b >>> 11)) ^ c;
    a = (a + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ a;
    c = (c + d) | 0;
    d = ((d << 27) | (d >>> 5)) ^ c;
    a = (a + d) | 0;
    d = ((d << 23) | (d >>> 9)) ^ a;
    c = (c + b) | 0;
    b = ((b << 5) | (b >>> 27)) ^ c;

    a = (a + k0) | 0;
    b = (b + k1) | 0;
    c = (c + k2) | 0;
    d = (d + k3 + 5) | 0;

    out[at] = a;
    out[at + 1] = b;
    out[at + 2] = c;
    out[at + 3] = d;
    low = (low + 1) | 0;
    if (low === 0) high = (high + 1) | 0;
  }
}
