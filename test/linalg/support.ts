/** Factors and products of `reference/make.py`, which says how they are made. */
import { expect } from "vitest";
import reference from "./reference/reference.json" with { type: "json" };

export { reference };
export type Real = Float64Array<ArrayBuffer> | Float32Array<ArrayBuffer>;
export type Multiply = (a: Real, b: Real, sizes: { m: number; k: number; n: number }) => Real;

const arrays = { f8: Float64Array, f4: Float32Array } as const;
type Name = keyof typeof arrays;

/** A new array of this type with `length` elements, each by its number. */
function made(name: Name, length: number, element: (i: number) => number): Real {
  const array: Real = new arrays[name](length);
  for (let i = 0; i < length; i++) array[i] = element(i);
  return array;
}

export function expectNumpysProducts(multiply: Multiply): void {
  for (const { m, k, n, dtype, ...told } of reference.products) {
    const type = dtype as Name;
    const a = made(type, m * k, (i) => ((7 * i + 3) % 31) - 15);
    const b = made(type, k * n, (i) => ((5 * i + 1) % 29) - 14);
    const c = multiply(a, b, { m, k, n });
    const name = `(${m}, ${k}) times (${k}, ${n}) in ${dtype}`;
    expect(c.length, name).toBe(m * n);
    expect(c.constructor, name).toBe(arrays[type]);
    if ("values" in told) expect(Array.from(c), name).toEqual(told.values);
    else {
      const weighed = Array.from(c, (value, i) => value * ((i % 97) + 1));
      const sum = weighed.reduce((total, value) => total + value, 0);
      expect({ sum, first: c[0], last: c.at(-1) }, name).toEqual(told);
    }
  }
}

export function expectNumpysSpecialValues(multiply: Multiply): void {
  for (const dtype of ["f8", "f4"] as const) {
    const numbers = (texts: readonly string[]) =>
      made(dtype, texts.length, (i) => Number(texts[i]!.replace("inf", "Infinity").replace("nan", "NaN")));
    const { a, b, c } = reference.special[dtype];
    const product = multiply(numbers(a), numbers(b), { m: 5, k: 2, n: 3 });
    // 0 and -0 are equal here: numpy itself gives either, by processor.
    expect(
      Array.from(product, (x) => x + 0),
      dtype,
    ).toEqual(Array.from(numbers(c), (x) => x + 0));
  }
}

/** By the definition, in f8. */
export function naive(a: Real, b: Real, m: number, k: number, n: number): Float64Array {
  const c = new Float64Array(m * n);
  for (let i = 0; i < m; i++)
    for (let p = 0; p < k; p++) for (let j = 0; j < n; j++) c[i * n + j]! += a[i * k + p]! * b[p * n + j]!;
  return c;
}

/** Higham, "Accuracy and Stability of Numerical Algorithms", 3.5: |error| <= k u |a| |b|, and as much for rounding twice. */
export function expectClose(c: Real, a: Real, b: Real, m: number, k: number, n: number, what: string): void {
  const unit = c instanceof Float64Array ? 2 ** -53 : 2 ** -24;
  const absolute = (x: Real) => x.map(Math.abs) as Real;
  const bound = naive(absolute(a), absolute(b), m, k, n);
  const right = naive(a, b, m, k, n);
  let worst = 0;
  for (let i = 0; i < right.length; i++)
    worst = Math.max(worst, Math.abs(c[i]! - right[i]!) / (2 * (k + 2) * unit * bound[i]! + Number.MIN_VALUE));
  expect(worst, what).toBeLessThan(1);
}
