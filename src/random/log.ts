/**
 * The natural logarithm, from + - * / and bits only: `Math.log` may differ in the last bit between engines and machines.
 *
 * Method and coefficients: fdlibm 5.3, e_log.c (https://www.netlib.org/fdlibm/e_log.c), in the order of operations that
 * musl and FreeBSD use. Its notice:
 *
 *   Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
 *   Developed at SunSoft, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and distribute this
 *   software is freely granted, provided that this notice is preserved.
 */

// ln 2 in two parts: the high one has zeros at its end, so that its product with an exponent is exact.
const ln2High = 0.6931471803691238;
const ln2Low = 1.9082149292705877e-10;

// log(1 + f) = f - s * (f - R), s = f / (2 + f), R a polynomial in s**2: Remez on [0, 0.1716], error below 2**-58.45.
const L1 = 0.6666666666666735;
const L2 = 0.3999999999940942;
const L3 = 0.2857142874366239;
const L4 = 0.22222198432149784;
const L5 = 0.1818357216161805;
const L6 = 0.15313837699209373;
const L7 = 0.14798198605116586;

// sqrt(1/2) in 31 bits, rounded up: from there on, x is halved once less, which keeps 1 + f within [sqrt(1/2), sqrt(2)].
const halfRoot = 0x5a82_799a;

/** ln `x`, within 1 ulp, for `x` in (0, 1]. */
export function log(x: number): number {
  let scaled = x;
  let doublings = 0;
  while (scaled < 2 ** -11) {
    scaled *= 2 ** 11;
    doublings += 11;
  }

  // Reading the exponent from a typed array's bytes takes longer than the rest: each call would wait for the one before.
  const head = (scaled * 2 ** 31) | 0;
  const zeros = Math.clz32(head);
  const below = (((head << zeros) >>> 1) - halfRoot) >>> 31;
  const shift = zeros - 1 + below;
  const exponent = -(doublings + shift);

  const f = scaled * (1 << shift) - 1;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (L2 + w * (L4 + w * L6));
  const odd = z * (L1 + w * (L3 + w * (L5 + w * L7)));
  const half = 0.5 * f * f;
  return s * (half + (odd + even)) + exponent * ln2Low - half + f + exponent * ln2High;
}
