/**
 * Sine and cosine on [-π/4, π/4], from + - * only: `Math.sin` and `Math.cos` may differ in the last bit between engines
 * and machines. Reducing an angle to that range is the caller's, who knows it as an exact fraction of a turn.
 *
 * Polynomials and order of operations: fdlibm 5.3, k_sin.c and k_cos.c (https://www.netlib.org/fdlibm/), the latter as
 * FreeBSD revised it. Their notice:
 *
 *   Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
 *   Developed at SunSoft, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and distribute this
 *   software is freely granted, provided that this notice is preserved.
 */

const S1 = -0.16666666666666632;
const S2 = 0.00833333333332249;
const S3 = -0.0001984126982985795;
const S4 = 2.7557313707070068e-6;
const S5 = -2.5050760253406863e-8;
const S6 = 1.58969099521155e-10;

const C1 = 0.0416666666666666;
const C2 = -0.001388888888887411;
const C3 = 2.480158728947673e-5;
const C4 = -2.7557314351390663e-7;
const C5 = 2.087572321298175e-9;
const C6 = -1.1359647557788195e-11;

/** sin `x`, within 1 ulp, for |`x`| ≤ π/4. */
export function sin(x: number): number {
  const z = x * x;
  return x + z * x * (S1 + z * (S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)))));
}

/** cos `x`, within 1 ulp, for |`x`| ≤ π/4. */
export function cos(x: number): number {
  const z = x * x;
  const w = z * z;
  const r = z * (C1 + z * (C2 + z * C3)) + w * w * (C4 + z * (C5 + z * C6));
  const half = 0.5 * z;
  const rounded = 1 - half;
  return rounded + (1 - rounded - half + z * r);
}
