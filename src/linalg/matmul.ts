/** The product of two matrices. */
import { type Copied, dtypes, isNDArray, type NDArray, UsageError } from "../common/index.js";
import type { Real } from "../kernels/index.js";
import { gemm } from "./backend.js";

type SameReal<T extends Real> = T extends Float64Array ? Float64Array : Float32Array;

/** Sizes of a product: (m, k) times (k, n), rows one after another. */
export interface MatmulSizes<T extends Real> {
  m: number;
  k: number;
  n: number;
  /** Where the product goes; default a new array. Must not overlap with a factor. */
  out?: T | undefined;
}

/**
 * The matrix product of two flat row-major arrays of one type, (m, k) times (k, n), or of two NDArrays of these shapes.
 *
 * Sums are in the type of the elements, in an order that depends on the backend and the machine: the last digits may differ.
 *
 * @returns m times n elements: `out`, or a new array
 * @example
 * matmul(Float64Array.of(1, 2, 3, 4), Float64Array.of(10, 100), { m: 2, k: 2, n: 1 }); // 210, 430
 * @throws UsageError when shapes do not fit, types differ, or `out` overlaps with a factor
 */
export function matmul<T extends Real>(a: T, b: SameReal<T>, sizes: MatmulSizes<SameReal<T>>): Copied<T>;
export function matmul<D extends "f8" | "f4">(a: NDArray<D>, b: NDArray<D>): NDArray<D>;
export function matmul(a: unknown, b: unknown, sizes?: MatmulSizes<Real>): unknown {
  if (isReal(a)) return ofFlat(a, b, sizes);
  return ofShaped(a, b);
}

const isReal = (value: unknown): value is Real => value instanceof Float64Array || value instanceof Float32Array;

function ofFlat(a: Real, b: unknown, sizes: MatmulSizes<Real> | undefined): Real {
  if (!isReal(b) || b.constructor !== a.constructor)
    throw refusal("b", `a is a ${nameOf(a)} and b ${article(b)}: both must be of one type`);
  if (typeof sizes !== "object" || sizes === null)
    throw refusal("sizes", "the sizes are missing: matmul(a, b, { m, k, n }) for (m, k) times (k, n)");
  const { m, k, n, out } = sizes;
  for (const [name, value] of Object.entries({ m, k, n })) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw refusal(name, `${name} is ${String(value)}: it must be a whole number, 0 or more`);
  }
  const shapes = `(${m}, ${k}) times (${k}, ${n})`;
  if (a.length !== m * k) throw refusal("a", `a has ${a.length} elements; ${shapes} needs ${m * k}`);
  if (b.length !== k * n) throw refusal("b", `b has ${b.length} elements; ${shapes} needs ${k * n}`);
  if (out === undefined) return product(a, b, newLike(a, m * n), { m, k, n });

  if (!isReal(out) || out.constructor !== a.constructor)
    throw refusal("out", `a is a ${nameOf(a)} and out ${article(out)}: both must be of one type`);
  if (out.length !== m * n) throw refusal("out", `out has ${out.length} elements; ${shapes} gives ${m * n}`);
  for (const [name, factor] of Object.entries({ a, b })) {
    if (overlaps(out, factor))
      throw refusal("out", `out overlaps with ${name}, which is still read when it is written`);
  }
  return product(a, b, out, { m, k, n });
}

function ofShaped(a: unknown, b: unknown): NDArray<"f8" | "f4"> {
  for (const [name, value] of Object.entries({ a, b })) {
    if (!isNDArray(value) || (value.dtype !== "f8" && value.dtype !== "f4"))
      throw refusal(
        name,
        `${name} is ${article(value)}: it must be a Float64Array, a Float32Array, or an NDArray of f8 or f4`,
      );
  }
  const [left, right] = [a, b] as [NDArray<"f8" | "f4">, NDArray<"f8" | "f4">];
  const shapes = `(${left.shape.join(", ")}) and (${right.shape.join(", ")})`;
  if (left.dtype !== right.dtype)
    throw refusal("b", `a is of ${left.dtype} and b of ${right.dtype}: both must be of one type`);
  if (left.shape.length !== 2 || right.shape.length !== 2)
    throw refusal("shape", `the shapes are ${shapes}: both must have two axes`);
  const [m, k] = left.shape as [number, number];
  const [inner, n] = right.shape as [number, number];
  if (k !== inner)
    throw refusal("shape", `the shapes are ${shapes}: a must have as many columns (${k}) as b has rows (${inner})`);
  const data = product(left.data, right.data, newLike(left.data, m * n), { m, k, n });
  return { dtype: left.dtype, shape: [m, n], data } as NDArray<"f8" | "f4">;
}

function product<T extends Real>(a: Real, b: Real, out: T, sizes: { m: number; k: number; n: number }): T {
  // Libraries refuse sizes of zero; a sum of nothing is 0.
  if (sizes.m === 0 || sizes.k === 0 || sizes.n === 0) out.fill(0);
  else gemm(a, b, out, sizes);
  return out;
}

function newLike(a: Real, length: number): Real {
  const { array } = a instanceof Float64Array ? dtypes.f8 : dtypes.f4;
  return new array(length);
}

function overlaps(a: Real, b: Real): boolean {
  return (
    a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength
  );
}

const nameOf = (value: object): string => value.constructor.name;

function article(value: unknown): string {
  if (typeof value !== "object" || value === null) return value === undefined ? "missing" : `${value as string}`;
  const name = nameOf(value);
  return `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}`;
}

function refusal(parameter: string, problem: string): UsageError {
  return new UsageError(`matmul: ${problem}.`, { parameter });
}
