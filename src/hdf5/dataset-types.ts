/** Datasets: how they are made, read and written. */
import type { DType, GironaTypeError, NDArray, TypedArrayInput } from "../common/index.js";
import type {
  CompoundType,
  Element,
  ElementType,
  EnumType,
  Fields,
  PlainType,
  Values,
  ValuesAs,
} from "./element-types.js";
import type { Node, Selection } from "./types.js";

/** A number type in the file where it differs from the one in memory: the byte order, or half precision. */
export type StoredAs = `${"<" | ">"}${DType | "f2"}` | "f2";

export interface DatasetOptions<T extends ElementType> {
  /** `[]` is a scalar, `null` a dataset without elements (h5py's `Empty`). */
  shape: readonly number[] | null;
  dtype: T;
  /** Where unlimited axes may grow to: `null` for no limit. */
  maxShape?: readonly (number | null)[] | undefined;
  /** Shape of a chunk. `true`: chosen for about 1 MiB. Chosen too when an option needs chunks and none are given. */
  chunks?: readonly number[] | true | undefined;
  /** Level 4 without a number; 0 to 9. */
  compression?: "gzip" | { readonly gzip: number } | undefined;
  /** Bytes of equal weight side by side, which compresses better. */
  shuffle?: boolean | undefined;
  /** A checksum of each chunk, tested when it is read. */
  fletcher32?: boolean | undefined;
  /** What elements are before they are written. Default 0, "", false. */
  fillValue?: Element<T> | undefined;
  /** `">f8"` for big-endian, `"f2"` for half precision (with dtype `"f4"`). Default: little-endian, as in memory. */
  storedAs?: StoredAs | undefined;
  /** Attributes remember the order in which they were added. Default: the file's `trackOrder`. */
  trackOrder?: boolean | undefined;
}

/** A part of a virtual dataset: a dataset of another file, or of this one (`"."`), and where it appears. */
export interface VirtualSource {
  /** Relative paths are looked for beside the virtual file. */
  readonly file: string;
  readonly dataset: string;
  /** The source's shape. */
  readonly shape: readonly number[];
  /** What of the source. Default all. */
  readonly selection?: Selection | undefined;
  /** Where it is in the virtual dataset: as many elements. Default all. */
  readonly at?: Selection | undefined;
}

export interface VirtualDatasetOptions<T extends ElementType> {
  shape: readonly number[];
  dtype: T;
  sources: readonly VirtualSource[];
  maxShape?: readonly (number | null)[] | undefined;
  /** What elements are that no source has. Default 0. */
  fillValue?: Element<T> | undefined;
  storedAs?: StoredAs | undefined;
}

export interface TransferOptions {
  /** With `mpio`: do all ranks take part in this call? Default: the file's `collective`. */
  collective?: boolean | undefined;
}

/** What a dataset of `T` is written from. */
export type Writable<T extends ElementType> = T extends DType
  ? TypedArrayInput<T> | NDArray<T> | Element<T>
  : T extends EnumType<infer _M, infer B>
    ? TypedArrayInput<B> | Values<T> | Element<T>
    : T extends { readonly kind: "array"; readonly base: infer B extends PlainType }
      ? Writable<B>
      : readonly Element<T>[] | Values<T> | Element<T>;

/** How messages call a type. */
export type NameOf<T extends ElementType> = T extends string
  ? T
  : T extends { readonly kind: infer K extends string }
    ? K
    : never;

/** What numbers can be read into in place. */
type Target<T extends ElementType> = T extends DType
  ? TypedArrayInput<T>
  : T extends "bool"
    ? Uint8Array | Int8Array
    : T extends EnumType<infer _M, infer B>
      ? TypedArrayInput<B>
      : T extends { readonly kind: "array"; readonly base: infer B extends PlainType }
        ? Target<B>
        : never;

/** Elements of one type with a shape. */
export interface Dataset<T extends ElementType> extends Node {
  readonly kind: "dataset";
  /** The type of elements in memory. */
  readonly dtype: T;
  /** How numbers are stored: `">f8"`; `undefined` for types that are not numbers. */
  readonly storedAs: StoredAs | undefined;
  /** `[]` for a scalar, `[0]` for a dataset without a dataspace (`isNull`). */
  readonly shape: readonly number[];
  /** How many elements there are. */
  readonly size: number;
  /** Was it made with `shape: null`? */
  readonly isNull: boolean;
  /** Where each axis may grow to: `null` for no limit. */
  readonly maxShape: readonly (number | null)[];
  /** The shape of a chunk; `undefined` when it is not chunked. */
  readonly chunks: readonly number[] | undefined;
  readonly compression: { readonly gzip: number } | undefined;
  readonly shuffle: boolean;
  readonly fletcher32: boolean;
  readonly fillValue: Element<T>;
  /** Bytes in the file; less than `size` times the element when compressed or not written yet. */
  readonly storageBytes: number;
  /** Where the elements of a virtual dataset lie; `undefined` for others. */
  readonly virtualSources: readonly { readonly file: string; readonly dataset: string }[] | undefined;

  /** Reads all, or a selection. With `mpio`, every rank must call it. */
  read(selection?: Selection, options?: TransferOptions): Values<T>;
  /** Reads into `into`, which has as many elements as are selected, and is the `data` of the result. */
  read<A extends Target<T>>(selection: Selection | undefined, options: TransferOptions & { into: A }): ValuesAs<T, A>;
  /**
   * Writes all, or a selection; as many elements as are selected. One value alone is for a selection of one element. With
   * `mpio`, every rank must call it, one that has nothing to write with an empty selection.
   */
  write<V>(
    values: V extends Writable<T>
      ? V
      : GironaTypeError<`girona: a dataset of ${NameOf<T>} is written from its own typed array or an NDArray of ${NameOf<T>}.`>,
    selection?: Selection,
    options?: TransferOptions,
  ): void;
  /**
   * Elements beyond the new shape are gone, new ones are the fill value. With `mpio`, HDF5 1.10 leaves the rest of a chunk as it
   * is when part of it is cut off, and shows it again when the dataset grows there.
   */
  resize(shape: readonly number[]): void;
  /** The same dataset, its numbers converted to another type on reading, and from it on writing. */
  astype<D extends DType>(dtype: D): Dataset<D>;
  /** One field of a compound type, as a dataset of its own: `table.field("mass").read()`. */
  field<N extends FieldName<T>>(name: N): Dataset<FieldType<T, N>>;
  flush(): void;
  /** Sees what another process has written since (`swmr`), also a new shape. */
  refresh(): void;
}

type FieldName<T extends ElementType> = T extends CompoundType<infer F> ? keyof F & string : never;
type FieldType<T extends ElementType, N extends string> = T extends CompoundType<infer F> ? (F & Fields)[N] : never;
