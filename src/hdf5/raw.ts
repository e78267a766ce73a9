/**
 * What an HDF5 library must offer to the classes here: the addon's functions (native/hdf5/), and the same over h5wasm
 * (wasm.ts). All take and give plain values; objects of the library are handles, numbers that mean nothing outside of it.
 */
import type { TypedArray } from "../common/index.js";
import type { AnyElement, AnyElements, Link } from "./types.js";

/** A handle. */
export type Handle = number;

/** An element type as HDF5 has it; `size` in bytes, `big` for big-endian. */
export type RawType =
  | { class: "integer"; size: number; signed: boolean; big: boolean }
  | { class: "float"; size: number; big: boolean }
  /** `size` 0: of any length; `pad` as in H5T_str_t: 0 terminated by a zero, 1 filled up with zeros, 2 with spaces. */
  | { class: "string"; size: number; utf8: boolean; pad: number }
  | { class: "enum"; size?: number; base: RawType; names: string[]; values: number[] }
  | { class: "compound"; size?: number; names: string[]; types: RawType[] }
  | { class: "array"; size?: number; base: RawType; shape: number[] }
  | { class: "vlen"; size?: number; base: RawType }
  | { class: "opaque"; size: number; tag: string }
  | { class: "reference"; size?: number }
  /** Types that JavaScript has nothing for. */
  | { class: "other"; size: number };

/** Per axis how many runs there are, then start, step and count of each; `undefined` for everything. */
export type RawSelection = Float64Array | undefined;

export interface RawFileOptions {
  driver: "sec2" | "core" | "mpio";
  swmr: boolean;
  backingStore: boolean;
  increment: number;
  /** Fortran's number of the communicator. */
  comm: number | undefined;
  collectiveMetadata: boolean;
  hints: [name: string, value: string][];
  low: string | undefined;
  high: string | undefined;
  alignment: [threshold: number, bytes: number] | undefined;
  cache: [slots: number, bytes: number] | undefined;
  locking: "on" | "off" | "best-effort" | undefined;
  trackOrder: boolean;
  userBlock: number | undefined;
}

export interface RawSource {
  file: string;
  dataset: string;
  shape: readonly number[];
  selection: RawSelection;
  at: RawSelection;
}

export interface RawDatasetOptions {
  chunks: readonly number[] | undefined;
  gzip: number | undefined;
  shuffle: boolean;
  fletcher32: boolean;
  trackOrder: boolean;
  fillValue: AnyElement | undefined;
  /** Of the fill value. */
  memoryType: Handle;
  virtual: readonly RawSource[] | undefined;
}

export interface RawDatasetInfo {
  maxShape: (number | null)[] | null;
  storageBytes: number;
  chunks?: number[];
  gzip?: number;
  shuffle?: boolean;
  fletcher32?: boolean;
  /** Filters of the dataset that this library does not have. */
  missingFilters: string[];
  virtual?: { file: string; dataset: string }[];
}

export interface RawLibrary {
  info(): { version: string; parallel: boolean; gzip: boolean };
  /** The class that elements of the class "reference" are made by. */
  useReferenceClass(reference: unknown): void;
  isHdf5(path: string): boolean;

  /** `mode`: `"r"`, `"r+"`, `"w"`, `"w-"`, `"a"`. */
  fileOpen(path: string, mode: string, options: RawFileOptions): Handle;
  fileClose(file: Handle): void;
  flush(file: Handle): void;
  userBlock(file: Handle): number;
  startSwmr(file: Handle): void;
  atomicity(file: Handle, atomic?: boolean): boolean;

  groupCreate(at: Handle, path: string, trackOrder: boolean): Handle;
  /** A path, or the address of a reference. */
  objectOpen(at: Handle, path: string | bigint): [handle: Handle, kind: "group" | "dataset" | "type"];
  close(handle: Handle): void;
  objectName(handle: Handle): string;
  address(handle: Handle): bigint;
  sameObject(a: Handle, b: Handle): boolean;
  keys(group: Handle): string[];
  visit(group: Handle): string[];
  exists(at: Handle, path: string): boolean;
  linkInfo(at: Handle, path: string): Link | undefined;
  linkDelete(at: Handle, path: string): void;
  linkMove(at: Handle, path: string, to: string): void;
  linkHard(at: Handle, path: string, targetAt: Handle, target: string): void;
  linkSoft(at: Handle, path: string, target: string): void;
  linkExternal(at: Handle, path: string, file: string, target: string): void;
  copy(
    from: Handle,
    path: string,
    to: Handle,
    toPath: string,
    options: { shallow: boolean; expandSoft: boolean; expandExternal: boolean; withoutAttributes: boolean },
  ): void;

  /** Belongs to no file, and is never closed. */
  typeMake(type: RawType): Handle;
  typeCommit(at: Handle, path: string, type: Handle): void;
  typeOf(target: Handle): RawType;

  datasetCreate(
    at: Handle,
    path: string,
    type: Handle,
    shape: readonly number[] | null,
    /** -1 for no limit. */
    maxShape: readonly number[] | undefined,
    options: RawDatasetOptions,
  ): Handle;
  datasetInfo(dataset: Handle): RawDatasetInfo;
  /** `null`: no dataspace. */
  shape(target: Handle): number[] | null;
  fillValue(dataset: Handle, memoryType: Handle): AnyElement;
  resize(dataset: Handle, shape: readonly number[]): void;
  datasetFlush(dataset: Handle): void;
  refresh(dataset: Handle): void;

  attributeCreate(at: Handle, name: string, type: Handle, shape: readonly number[] | null): Handle;
  attributeOpen(at: Handle, name: string): Handle;
  attributeExists(at: Handle, name: string): boolean;
  attributeDelete(at: Handle, name: string): void;
  attributeRename(at: Handle, name: string, to: string): void;
  attributeNames(at: Handle): string[];

  readNumbers(target: Handle, memory: Handle, selection: RawSelection, into: TypedArray, collective: boolean): void;
  writeNumbers(target: Handle, memory: Handle, selection: RawSelection, from: TypedArray, collective: boolean): void;
  readValues(
    target: Handle,
    memory: Handle,
    selection: RawSelection,
    unused: undefined,
    collective: boolean,
  ): AnyElements;
  writeValues(target: Handle, memory: Handle, selection: RawSelection, values: AnyElements, collective: boolean): void;

  /** With MPI: `undefined` when all ranks say the same, else what each said. */
  guard?(comm: number, call: string, place: string, seconds: number): (string | null)[] | undefined;
  guardEnd?(comm: number): void;
}

/** What the addon throws: `origin` says whose words the message is. */
export interface RawError extends Error {
  readonly origin: "hdf5" | "file" | "usage";
}
