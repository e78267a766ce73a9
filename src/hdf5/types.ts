/**
 * The public interfaces: selections, files, links, groups. Those of datasets are in dataset-types.ts, of attributes in
 * attribute-types.ts, of elements in element-types.ts.
 */
import type { DType, DTypeOf, NDArray, TypedArray } from "../common/index.js";
import type { Comm } from "../mpi/index.js";
import type { Attributes } from "./attribute-types.js";
import type { Dataset, DatasetOptions, VirtualDatasetOptions } from "./dataset-types.js";
import type { ElementType } from "./element-types.js";
import type { Reference } from "./reference.js";

export type * from "./attribute-types.js";
export type * from "./dataset-types.js";
export type {
  AnyData,
  AnyElement,
  AnyElements,
  AnyRecord,
  ArrayType,
  CompoundType,
  Data,
  Element,
  ElementType,
  EnumType,
  Fields,
  IntegerType,
  OpaqueType,
  PlainType,
  RecordOf,
  StringType,
  Values,
  ValuesAs,
  VlenType,
} from "./element-types.js";

// --- selections ----------------------------------------------------------------------------------------------------

/** From `start` up to but not including `end`. What `comm.share(n)` returns is one. */
export interface Range {
  readonly start: number;
  readonly end: number;
  /** Default 1. */
  readonly step?: number | undefined;
}

/**
 * What is selected along one axis:
 *
 * - `null`: all of it;
 * - an integer: that index, and the axis is dropped from the shape; `-1` is the last one, as `.at(-1)` has it;
 * - `{ start, end, step? }`: a range, whose end is at most the length of the axis;
 * - `[0, 3, 4]`: these indices, in increasing order. So `[0, 10]` is two indices; a range is `{ start: 0, end: 10 }`;
 * - `[true, false, true]`: a mask as long as the axis.
 */
export type Axis = null | number | Range | readonly number[] | readonly boolean[];
/** One entry per axis; missing trailing axes are whole. */
export type Selection = readonly Axis[];

// --- files ---------------------------------------------------------------------------------------------------------

/** `r` read, `r+` read and write, `w` create or truncate, `w-` (or `x`) create and fail if there, `a` either. */
export type Mode = "r" | "r+" | "w" | "w-" | "x" | "a";

/** Which versions of HDF5's file format are written: the oldest that can hold the data, or up to date. */
export type FormatVersion = "earliest" | "v108" | "v110" | "v112" | "v114" | "latest";

export interface CommonFileOptions {
  /**
   * May others have the file open? HDF5 locks files; on file systems without locks `false` leaves it out, and
   * `"best-effort"` locks where it can. Default: what `HDF5_USE_FILE_LOCKING` says, else HDF5's own choice.
   */
  locking?: boolean | "best-effort" | undefined;
  /** The oldest format to write, or `[oldest, newest]`. Default: what every version of HDF5 reads. */
  format?: FormatVersion | readonly [FormatVersion, FormatVersion] | undefined;
  /** Objects of `threshold` bytes and more (default 1) begin at multiples of `bytes`: the stripe of a parallel file system. */
  alignment?: { readonly bytes: number; readonly threshold?: number | undefined } | undefined;
  /** Memory for chunks of each dataset, in bytes. Default 1 MiB. A chunk larger than that is not kept. */
  chunkCache?: { readonly bytes: number; readonly slots?: number | undefined } | undefined;
  /** New groups and attributes remember the order in which things were added, and `keys()` gives that order. */
  trackOrder?: boolean | undefined;
  /** Bytes before the HDF5 data that are left to others; 0 or a power of two from 512. Only when creating. */
  userBlock?: number | undefined;
}

/** One process, or all ranks of `comm`: `mpio` without a communicator does not compile. */
export type FileOptions = CommonFileOptions &
  (
    | {
        driver?: "sec2" | undefined;
        comm?: undefined;
        /** Reads while another process writes (mode `r`): see `dataset.refresh()`. */
        swmr?: boolean | undefined;
      }
    | {
        /** In memory. */
        driver: "core";
        comm?: undefined;
        /** Write it to disk on close? Default true. */
        backingStore?: boolean | undefined;
        /** Memory grows by so many bytes. Default 64 KiB. */
        increment?: number | undefined;
      }
    | {
        driver: "mpio";
        comm: Comm;
        /** Are reads and writes collective unless their own option says otherwise? Default true. */
        collective?: boolean | undefined;
        /** Is metadata read and written by all ranks together? Default true. */
        collectiveMetadata?: boolean | undefined;
        /** Hints for MPI-IO, as ROMIO and OMPIO name them: `{ striping_factor: 8, cb_nodes: 2 }`. */
        hints?: Readonly<Record<string, string | number | boolean>> | undefined;
      }
  );

// --- groups --------------------------------------------------------------------------------------------------------

/** What a name in a group stands for. */
export type Link =
  | { readonly kind: "hard" }
  | { readonly kind: "soft"; readonly target: string }
  | { readonly kind: "external"; readonly file: string; readonly target: string };

/** A dataset of whatever element type: its `dtype` tells which. */
export type AnyDataset =
  | { [T in DType | "bool" | "str" | "ref"]: Dataset<T> }[DType | "bool" | "str" | "ref"]
  | Dataset<Exclude<ElementType, string>>;

/** What groups and datasets have in common. */
export interface Node {
  /** The path in the file: `"/run/temperature"`. */
  readonly name: string;
  readonly file: OpenFile;
  readonly attributes: Attributes;
  readonly ref: Reference;
  /** Are both the same object, whatever the names they were opened by? */
  equals(other: Node): boolean;
}

/** A folder of the file. Paths are relative to it unless they begin with `/`. */
export interface Group extends Node {
  readonly kind: "group";
  /** Names in this group, in alphabetical order or in that of their making (`trackOrder`). */
  keys(): string[];
  entries(): [name: string, node: Group | AnyDataset][];
  /** Is there something at the path? A soft or external link to nothing is not. */
  has(path: string): boolean;
  createGroup(path: string, options?: { trackOrder?: boolean | undefined }): Group;
  group(path: string): Group;
  /** The group, made if it is not there. */
  requireGroup(path: string): Group;
  /** A group, or a dataset of whatever element type: look at its `kind` and `dtype`. */
  get(path: string | Reference): Group | AnyDataset;
  /** Calls with every group and dataset below, each once, paths relative to this one. `true` from it ends the visit. */
  visit(each: (path: string, node: Group | AnyDataset) => unknown): void;

  createDataset<const T extends ElementType>(path: string, options: DatasetOptions<T>): Dataset<T>;
  /** Creates a dataset of these values and writes them, with the type and shape that they have. */
  put<A extends TypedArray>(path: string, values: A, options?: PutOptions<DTypeOf<A>>): Dataset<DTypeOf<A>>;
  put<D extends DType>(path: string, values: NDArray<D>, options?: PutOptions<D>): Dataset<D>;
  put(path: string, values: number, options?: PutOptions<"f8">): Dataset<"f8">;
  put(path: string, values: string | readonly string[], options?: PutOptions<"str">): Dataset<"str">;
  put(path: string, values: boolean | readonly boolean[], options?: PutOptions<"bool">): Dataset<"bool">;
  /** Opens the dataset, or creates it. @throws Hdf5Error when one of another shape or type is there. */
  requireDataset<const T extends ElementType>(path: string, options: DatasetOptions<T>): Dataset<T>;
  /** A dataset whose elements lie in other datasets. Needs HDF5 1.10 to read. */
  createVirtualDataset<const T extends ElementType>(path: string, options: VirtualDatasetOptions<T>): Dataset<T>;
  /**
   * Opens a dataset as elements of type `dtype`, `"f8"` when it is left out. Throws, naming the stored type, when the
   * file holds another one; so `.read()` is always what the compiler says. `"str"` opens strings of every kind, `"f4"` also
   * half precision, an integer type also an enumeration of it.
   */
  dataset(path: string): Dataset<"f8">;
  dataset<const T extends ElementType>(path: string, dtype: T): Dataset<T>;

  /** Removes the name; the object too when that was its last. Space in the file is reused, not given back. */
  delete(path: string): void;
  move(path: string, to: string): void;
  /** Copies a group with all below it, or a dataset; from another file as well. */
  copy(source: string | Node, to: string, options?: CopyOptions): void;
  /** What the last name of the path stands for; `undefined` when it is not there. */
  link(path: string): Link | undefined;
  /** A second name for the object. */
  createHardLink(path: string, target: string | Node): void;
  /** A name that stands for a path, which need not exist. */
  createSoftLink(path: string, target: string): void;
  /** A name that stands for a path in another file, looked for beside this one. */
  createExternalLink(path: string, file: string, target: string): void;
  /** Stores a type under a name. */
  createType(path: string, dtype: ElementType): void;
  /** The type that is stored under a name. */
  type(path: string): ElementType;
}

/** As for `createDataset`; the shape may be another one of as many elements. */
export type PutOptions<T extends ElementType> = Partial<Omit<DatasetOptions<T>, "dtype" | "shape">> & {
  shape?: readonly number[] | undefined;
};

export interface CopyOptions {
  /** Leave attributes out. */
  withoutAttributes?: boolean | undefined;
  /** Copy what soft links point to in place of the links. */
  expandSoft?: boolean | undefined;
  /** Copy what external links point to in place of the links. */
  expandExternal?: boolean | undefined;
  /** Copy only the group and what lies directly in it. */
  shallow?: boolean | undefined;
}

// --- open files ----------------------------------------------------------------------------------------------------

/** An open file: its root group, and what concerns the file. The class `File` makes one. */
export interface OpenFile extends Group, Disposable {
  /** As it was given. */
  readonly path: string;
  /** `"r"`, or `"r+"` for every mode that writes. */
  readonly mode: "r" | "r+";
  readonly driver: "sec2" | "core" | "mpio";
  /** The HDF5 that holds it open: `"HDF5 1.10.8"`, with what it was built for. */
  readonly library: string;
  readonly isOpen: boolean;
  readonly userBlock: number;
  /** Is it read while another process writes, or written while others read? */
  readonly swmr: boolean;
  /** From now on others may read with `swmr: true` while this process writes. Needs `format: "latest"`; no new names after it. */
  startSwmr(): void;
  /** With `mpio`: is what one rank wrote seen by the others at once? Default false. */
  atomic: boolean;
  /** Hands everything to the operating system. */
  flush(): void;
  /** Closes the file with all groups and datasets of it; those throw from then on. A second call does nothing. */
  close(): void;
}
