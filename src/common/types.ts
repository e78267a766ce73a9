/** Types shared by all parts: the compile-time error, element types, arrays with a shape, running computations. */

declare const invalid: unique symbol;

/** A compile-time error in words: a parameter of this type accepts nothing, and the compiler prints `Message`. */
export interface GironaTypeError<out Message extends string> {
  readonly [invalid]: Message;
}

/** Element types, named as NumPy and HDF5 name them, with the typed array that holds each. */
export interface TypedArrays {
  /** 64-bit float */ f8: Float64Array<ArrayBuffer>;
  /** 32-bit float */ f4: Float32Array<ArrayBuffer>;
  /** 64-bit integer, elements are `bigint` */ i8: BigInt64Array<ArrayBuffer>;
  /** 32-bit integer */ i4: Int32Array<ArrayBuffer>;
  /** 16-bit integer */ i2: Int16Array<ArrayBuffer>;
  /** 8-bit integer */ i1: Int8Array<ArrayBuffer>;
  /** 64-bit unsigned integer, elements are `bigint` */ u8: BigUint64Array<ArrayBuffer>;
  /** 32-bit unsigned integer */ u4: Uint32Array<ArrayBuffer>;
  /** 16-bit unsigned integer */ u2: Uint16Array<ArrayBuffer>;
  /** 8-bit unsigned integer */ u1: Uint8Array<ArrayBuffer>;
}

export type DType = "f8" | "f4" | "i8" | "i4" | "i2" | "i1" | "u8" | "u4" | "u2" | "u1";

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

/** Values in memory with a shape, in C order. */
export interface NDArray<D extends DType = "f8"> {
  readonly dtype: D;
  readonly shape: readonly number[];
  /** The elements, row after row. */
  readonly data: TypedArrays[D];
}

/** A running computation: a promise that also knows how far it is, which is what `progress` shows. */
export interface Computation<T> extends Promise<T> {
  /** Tasks finished and known so far. */
  readonly state: { readonly done: number; readonly total: number };
  /** Stops it; the promise rejects with `CancelledError`. */
  cancel(): void;
}
