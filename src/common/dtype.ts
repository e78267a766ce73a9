/** Element types: one table that names, typed arrays and sizes are read from, here and by the compiler. */

/** How a typed array is made, with the buffer it has then. */
interface Kind<A> {
  new (length?: number): A;
  new (values: Iterable<number> | Iterable<bigint> | ArrayLike<number> | ArrayLike<bigint>): A;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): A;
  readonly BYTES_PER_ELEMENT: number;
  readonly name: string;
}
const kind = <A>(array: unknown): Kind<A> => array as Kind<A>;

/** Element types, named as NumPy and HDF5 name them: the typed array that holds each, its bytes, and what it is. */
export const dtypes = {
  f8: { array: kind<Float64Array<ArrayBuffer>>(Float64Array), bytes: 8, kind: "float" },
  f4: { array: kind<Float32Array<ArrayBuffer>>(Float32Array), bytes: 4, kind: "float" },
  i8: { array: kind<BigInt64Array<ArrayBuffer>>(BigInt64Array), bytes: 8, kind: "signed" },
  i4: { array: kind<Int32Array<ArrayBuffer>>(Int32Array), bytes: 4, kind: "signed" },
  i2: { array: kind<Int16Array<ArrayBuffer>>(Int16Array), bytes: 2, kind: "signed" },
  i1: { array: kind<Int8Array<ArrayBuffer>>(Int8Array), bytes: 1, kind: "signed" },
  u8: { array: kind<BigUint64Array<ArrayBuffer>>(BigUint64Array), bytes: 8, kind: "unsigned" },
  u4: { array: kind<Uint32Array<ArrayBuffer>>(Uint32Array), bytes: 4, kind: "unsigned" },
  u2: { array: kind<Uint16Array<ArrayBuffer>>(Uint16Array), bytes: 2, kind: "unsigned" },
  u1: { array: kind<Uint8Array<ArrayBuffer>>(Uint8Array), bytes: 1, kind: "unsigned" },
} as const;

/**
 * An element type: a letter for float (`f`), signed (`i`) or unsigned integer (`u`), and the number of bytes. Elements of
 * `"i8"` and `"u8"` are `bigint`, all others `number`.
 */
export type DType = keyof typeof dtypes;

/** The typed array that holds each element type, on a buffer of its own. */
export type TypedArrays = { [D in DType]: InstanceType<(typeof dtypes)[D]["array"]> };

/** Any typed array, on any kind of buffer. */
export type TypedArray =
  | Float64Array
  | Float32Array
  | BigInt64Array
  | Int32Array
  | Int16Array
  | Int8Array
  | BigUint64Array
  | Uint32Array
  | Uint16Array
  | Uint8Array
  | Uint8ClampedArray;

/** `number`, or `bigint` for the 64-bit integers. */
export type Scalar<D extends DType> = TypedArrays[D][number];

/** The same class as `T`, on any kind of buffer: what a matching send or receive buffer must be. */
export type SameKind<T extends TypedArray> = T extends Float64Array
  ? Float64Array
  : T extends Float32Array
    ? Float32Array
    : T extends BigInt64Array
      ? BigInt64Array
      : T extends Int32Array
        ? Int32Array
        : T extends Int16Array
          ? Int16Array
          : T extends Int8Array
            ? Int8Array
            : T extends BigUint64Array
              ? BigUint64Array
              : T extends Uint32Array
                ? Uint32Array
                : T extends Uint16Array
                  ? Uint16Array
                  : T extends Uint8Array
                    ? Uint8Array
                    : T extends Uint8ClampedArray
                      ? Uint8ClampedArray
                      : never;

/** What `T` is after a copy: a typed array has an `ArrayBuffer` of its own then, everything else is as it was. */
export type Copied<T> = T extends TypedArray
  ? Extract<TypedArrays[DType] | Uint8ClampedArray<ArrayBuffer>, SameKind<T>>
  : T;

/** Any-typed-array version of `TypedArrays[D]`, for parameters. */
export type TypedArrayInput<D extends DType> = SameKind<TypedArrays[D]>;

/** The element type of a typed array. */
export type DTypeOf<A extends TypedArray> = A extends Uint8ClampedArray
  ? "u1"
  : { [D in DType]: A extends TypedArrayInput<D> ? D : never }[DType];

// By the name of the class, which also knows an array made in another realm (vm, vitest).
const byClass = new Map<string, DType>(
  (Object.keys(dtypes) as DType[]).map((dtype): [string, DType] => [dtypes[dtype].array.name, dtype]),
);
byClass.set("Uint8ClampedArray", "u1");

/** Is it the name of an element type? */
export function isDType(value: unknown): value is DType {
  return typeof value === "string" && Object.hasOwn(dtypes, value);
}

/**
 * The element type of a typed array; `undefined` for everything else, a `DataView` and a `Float16Array` too.
 *
 * @example
 * import { dtypeOf } from "./index.js";
 * dtypeOf(new Float32Array(3)); // "f4"
 */
export function dtypeOf(value: unknown): DType | undefined {
  if (!ArrayBuffer.isView(value)) return undefined;
  return byClass.get(Object.prototype.toString.call(value).slice(8, -1));
}
