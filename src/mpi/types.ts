/** The types of `girona/mpi` that are not of one object: buffers, options, operations, statuses, requests. */
import type { GironaTypeError, SameKind, TypedArray } from "../common/index.js";

// --- buffers -------------------------------------------------------------------------------------------------------

declare const inPlace: unique symbol;
/** The type of `MPI.IN_PLACE`: what is sent already lies in the receive buffer, where the result goes. */
export type InPlace = typeof inPlace;

/**
 * A part of a typed array that upper-case calls move as they move an array: a column, a block, complex numbers, pairs.
 * Made by `Datatype.of`, `MPI.complex` and `MPI.pairs`. `E` is what an operation combines.
 */
export interface BufferView<A extends TypedArray = TypedArray, E = A[number]> {
  readonly array: A;
  /** Where in `array` it begins, in elements. */
  readonly offset: number;
  /** How many times its datatype. */
  readonly count: number;
  /** Not there when it runs: keeps the type of an element. */
  readonly element?: E;
}

/** What upper-case calls move: a typed array, or a part of one. */
export type MpiBuffer = TypedArray | BufferView<TypedArray, unknown>;

/** `B` itself when MPI can send it in place. */
export type Buffer<B> = B extends MpiBuffer
  ? B
  : GironaTypeError<"girona: upper-case MPI calls take a typed array, such as Float64Array.of(1, 2). For any other value use the lower-case call.">;

/** A buffer that matches `B`: the same kind of array, whole or in part. */
export type Matching<B> =
  B extends BufferView<infer A, infer E>
    ? (A[number] extends E ? SameKind<A> : never) | BufferView<SameKind<A>, E>
    : B extends TypedArray
      ? SameKind<B> | BufferView<SameKind<B>>
      : never;

/** A matching buffer, or nothing on the ranks where the call ignores it. */
export type RootBuffer<B> = Matching<B> | null | undefined;

/** What an operation combines when it reduces `B`. */
export type Element<B> = B extends BufferView<TypedArray, infer E> ? E : B extends TypedArray ? B[number] : never;

/** A class of typed arrays: `Float64Array` itself. */
export interface TypedArrayClass<A extends TypedArray> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): A;
}

// --- options -------------------------------------------------------------------------------------------------------

export interface ToOptions {
  /** A rank, or `MPI.PROC_NULL`: then nothing is sent. */
  dest: number;
  /** From 0 to `MPI.TAG_UB`. Default 0. */
  tag?: number | undefined;
}

export interface FromOptions {
  /** A rank, `MPI.ANY_SOURCE` (the default), or `MPI.PROC_NULL`: then nothing is received. */
  source?: number | undefined;
  /** A tag, or `MPI.ANY_TAG` (the default). */
  tag?: number | undefined;
}

export interface ValueFromOptions extends FromOptions {
  /** Filled in with whom the value came from: `const status = new MPI.Status(); comm.recv({ status })`. */
  status?: Status | undefined;
}

export interface ValueRoomOptions extends FromOptions {
  /** How long a value may be, in bytes: the receive begins before that is known. Default 1 MiB. */
  bytes?: number | undefined;
}

export interface RootOptions {
  /** Default 0. */
  root?: number | undefined;
}

export interface CountOptions {
  /** Elements per rank; default: the length of each rank's part. */
  counts?: readonly number[] | undefined;
  /** Where each rank's part begins; default: one after the other, without gaps. */
  displacements?: readonly number[] | undefined;
}

/** Of a call that returns before the ranks have met, so that lengths cannot be asked for: `counts` is needed where `whole` is. */
export interface GivenCountOptions extends CountOptions {
  counts: readonly number[];
}

export interface AlltoallvOptions {
  /** Elements for each rank. */
  sendCounts: readonly number[];
  /** Elements from each rank. */
  receiveCounts: readonly number[];
  /** Default: one after the other, without gaps. */
  sendDisplacements?: readonly number[] | undefined;
  /** Default: one after the other, without gaps. */
  receiveDisplacements?: readonly number[] | undefined;
}

export interface OpOptions<T> {
  /** Default `MPI.SUM`. */
  op?: Op<T> | undefined;
}

/** The part of one rank, from `start` up to but not including `end`; also a selection along an axis in `girona/hdf5`. */
export interface Share {
  readonly start: number;
  readonly end: number;
  /** `end - start`. */
  readonly count: number;
}

// --- operations, statuses, requests --------------------------------------------------------------------------------

/** A reduction of values of type `T`: `SUM` is an `Op<number | bigint>`, so a sum of strings does not compile. */
export interface Op<in T> {
  readonly name: string;
  /** May ranks be combined in any order? The order of the ranks is kept otherwise. */
  readonly commutative: boolean;
  /** Gives the combined value. */
  apply(a: T, b: T): unknown;
}

export interface Status {
  readonly source: number;
  readonly tag: number;
  /** Elements received, those of the receive buffer's kind; bytes where there is no buffer (`Probe`, lower-case calls). */
  readonly count: number;
  readonly bytes: number;
  readonly cancelled: boolean;
}

/**
 * A call under way. Its buffer must not be touched before it has settled, and lives until then, also when nobody waits.
 *
 * @example
 * import { MPI } from "girona/mpi";
 *
 * const inbox = new Float64Array(10);
 * const request = MPI.COMM_SELF.Irecv(inbox);
 * MPI.COMM_SELF.Send(new Float64Array(4), { dest: 0 });
 * const { count } = await request; // 4
 */
export interface Request<T = Status> extends PromiseLike<T> {
  /** Has it finished? Never blocks. Throws its error if it failed. */
  test(): boolean;
  /** Blocks until it has finished, and with it all that runs in this process; `await request` does not. */
  wait(): T;
  /** Asks MPI to give it up. It settles all the same, and its status tells whether it was cancelled. */
  cancel(): void;
  /** Of a request that has settled. */
  readonly status: Status | undefined;
}

/** A message that `Mprobe` or `Improbe` took: only this object can receive it. */
export interface Message {
  readonly source: number;
  readonly tag: number;
  readonly bytes: number;
  /** @throws MpiError when the buffer is too small (`MPI_ERR_TRUNCATE`). */
  Recv<B>(buffer: Buffer<B>): Status;
  Irecv<B>(buffer: Buffer<B>): Request;
  /** The value that a lower-case call sent. */
  recv<T = unknown>(): T;
}

/** Settings that a library may heed, by name. */
export interface Info extends Disposable {
  readonly size: number;
  get(key: string): string | undefined;
  set(key: string, value: string): this;
  has(key: string): boolean;
  delete(key: string): void;
  keys(): string[];
  entries(): [key: string, value: string][];
  dup(): Info;
  free(): void;
}

/** Info, or the settings themselves. */
export type InfoLike = Info | Readonly<Record<string, string>>;

/**
 * Which elements of an array a call moves, counted from where it is applied: a column, a block, a halo.
 *
 * @example
 * import { MPI } from "girona/mpi";
 *
 * const rows = 3;
 * const columns = 4;
 * const matrix = new Float64Array(rows * columns);
 * const column = MPI.vector(rows, 1, columns);
 * MPI.COMM_SELF.Sendrecv(column.of(matrix), { dest: 0 }, column.of(matrix, { offset: 1 }), { source: 0 });
 */
export interface Datatype extends Disposable {
  /** Elements moved. */
  readonly size: number;
  /** Elements from one to the next, when several are moved: by default, from the first to after the last. */
  readonly extent: number;
  /**
   * The part of `array` that begins at element `offset` (default 0), `count` times (default 1), each `extent` after the last.
   *
   * @throws UsageError when that reaches beyond the array.
   */
  of<A extends TypedArray>(
    array: A,
    options?: { offset?: number | undefined; count?: number | undefined },
  ): BufferView<A>;
  /** The same elements, the next ones `extent` elements on: with 1, columns follow each other. */
  resized(extent: number): Datatype;
  free(): void;
}

/** How two communicators or groups compare: the same; the same ranks in the same order; in another order; neither. */
export type Comparison = "identical" | "congruent" | "similar" | "unequal";

/** An ordered set of ranks, from which communicators are made. */
export interface Group extends Disposable {
  readonly size: number;
  /** This process's, or `undefined` when it is not in the group. */
  readonly rank: number | undefined;
  include(ranks: readonly number[]): Group;
  exclude(ranks: readonly number[]): Group;
  union(other: Group): Group;
  intersection(other: Group): Group;
  difference(other: Group): Group;
  /** The ranks that these have in `other`; `undefined` for those that are not in it. `MPI.PROC_NULL` stays what it is. */
  translate(ranks: readonly number[], other: Group): (number | undefined)[];
  compare(other: Group): Exclude<Comparison, "congruent">;
  free(): void;
}
