/** Values in memory with a shape. */
import { type DType, type DTypeOf, dtypeOf, isDType, type TypedArrays } from "./dtype.js";
import { UsageError } from "./errors.js";

/** Values in memory with a shape, in C order. A plain object, so that it travels between processes as it is. */
export interface NDArray<D extends DType = "f8"> {
  readonly dtype: D;
  readonly shape: readonly number[];
  /** The elements, row after row. */
  readonly data: TypedArrays[D];
}

/** How many elements an array of this shape has: 1 for `[]`. */
export function sizeOf(shape: readonly number[]): number {
  let size = 1;
  for (const length of shape) size *= length;
  return size;
}

/** Is it an NDArray: its typed array of its element type, as long as its shape says? */
export function isNDArray(value: unknown): value is NDArray<DType> {
  if (typeof value !== "object" || value === null) return false;
  const { dtype, shape, data } = value as Partial<NDArray<DType>>;
  return isDType(dtype) && Array.isArray(shape) && dtypeOf(data) === dtype && data!.length === sizeOf(shape);
}

/**
 * Gives a typed array a shape. The elements stay where they are: a change of one is seen through the other.
 *
 * @param shape default: one axis, as long as the array
 * @example
 * import { ndarray } from "./index.js";
 * ndarray(Float64Array.of(1, 2, 3, 4, 5, 6), [2, 3]); // 1 2 3 in the first row
 * @throws UsageError when the shape has another number of elements than the array, or `data` is no typed array
 */
export function ndarray<A extends TypedArrays[DType]>(
  data: A,
  shape: readonly number[] = [data.length],
): NDArray<DTypeOf<A>> {
  const dtype = dtypeOf(data);
  if (!dtype)
    throw new UsageError("ndarray: data must be a typed array, such as Float64Array.of(1, 2).", { parameter: "data" });
  if (!shape.every((length) => Number.isSafeInteger(length) && length >= 0) || sizeOf(shape) !== data.length) {
    const message = `ndarray: a shape of [${shape.join(", ")}] needs ${sizeOf(shape)} elements; data has ${data.length}.`;
    throw new UsageError(message, { parameter: "shape" });
  }
  return { dtype, shape: [...shape], data } as never;
}
