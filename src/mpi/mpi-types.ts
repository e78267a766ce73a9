/** The type of `MPI`: communicators, constants, operations, and calls that belong to no communicator. */
import type { TypedArray } from "../common/index.js";
import type { Comm } from "./comm-types.js";
import type { BufferView, Datatype, Info, InPlace, Op, Request, Status } from "./types.js";
import type { WinConstructors } from "./window-types.js";

type Results<R extends readonly unknown[]> = { -readonly [K in keyof R]: Awaited<R[K]> };

/** A request that has settled, by its place in the list. */
export interface Settled<T = unknown> {
  readonly index: number;
  readonly value: T;
  readonly status: Status;
}

export interface Mpi {
  /** All ranks. */
  readonly COMM_WORLD: Comm;
  /** This rank alone. */
  readonly COMM_SELF: Comm;
  readonly ANY_SOURCE: number;
  readonly ANY_TAG: number;
  /** A rank that is nobody: sends to it and receives from it end at once, with nothing. */
  readonly PROC_NULL: number;
  /** The largest tag. */
  readonly TAG_UB: number;
  /** As the send buffer of a collective call: the data lies in the receive buffer. */
  readonly IN_PLACE: InPlace;

  readonly SUM: Op<number | bigint>;
  readonly PROD: Op<number | bigint>;
  readonly MAX: Op<number | bigint>;
  readonly MIN: Op<number | bigint>;
  readonly LAND: Op<number | boolean>;
  readonly LOR: Op<number | boolean>;
  readonly LXOR: Op<number | boolean>;
  readonly BAND: Op<number | bigint>;
  readonly BOR: Op<number | bigint>;
  readonly BXOR: Op<number | bigint>;
  /** The largest value and who has it; of equal ones, the lowest rank. Typed arrays as `MPI.pairs`. */
  readonly MAXLOC: Op<readonly [value: number, rank: number]>;
  readonly MINLOC: Op<readonly [value: number, rank: number]>;
  /** For windows: what is put takes the place of what is there. */
  readonly REPLACE: Op<unknown>;
  /** For windows: nothing changes; `Get_accumulate` reads with it. */
  readonly NO_OP: Op<unknown>;
  /**
   * An operation of one's own, associative, for any call but those of windows; on typed arrays it combines numbers one by
   * one.
   *
   * @example
   * import { MPI } from "girona/mpi";
   *
   * const longest = MPI.op((a: string, b: string) => (b.length > a.length ? b : a));
   * MPI.COMM_WORLD.allreduce("x".repeat(MPI.COMM_WORLD.rank), { op: longest });
   */
  op<T>(combine: (a: T, b: T) => T, options?: { commutative?: boolean | undefined }): Op<T>;

  /** `blockLength` elements, `count` times, from one block to the next `stride` elements. */
  vector(count: number, blockLength: number, stride: number): Datatype;
  /** Blocks of any length at any place. */
  indexed(blockLengths: readonly number[], displacements: readonly number[]): Datatype;
  /** The block of `counts` elements that begins at `starts` in an array of `shape`, rows after each other. */
  subarray(shape: readonly number[], starts: readonly number[], counts: readonly number[]): Datatype;
  /** Complex numbers as pairs of real and imaginary part, so that `PROD` is their product. */
  complex<A extends Float64Array | Float32Array>(array: A): BufferView<A, number>;
  /** Pairs of a value and a rank, for `MAXLOC` and `MINLOC`. */
  pairs<A extends Exclude<TypedArray, BigInt64Array | BigUint64Array>>(
    array: A,
  ): BufferView<A, readonly [value: number, rank: number]>;

  /** Resolves to what each request gives, in order; rejects with the first error. */
  waitAll<const R extends readonly PromiseLike<unknown>[]>(requests: R): Promise<Results<R>>;
  /** The first that settles. As in MPI, each request is given once, however often this and the next are called. */
  waitAny<T>(requests: readonly Request<T>[]): Promise<Settled<T>>;
  /** All that have settled when the first has. */
  waitSome<T>(requests: readonly Request<T>[]): Promise<Settled<T>[]>;
  /** Have all finished? Never blocks. */
  testAll(requests: readonly Request<unknown>[]): boolean;
  /** One that has finished, or `undefined`. Never blocks. */
  testAny<T>(requests: readonly Request<T>[]): Settled<T> | undefined;
  /** Those that have finished. Never blocks. */
  testSome<T>(requests: readonly Request<T>[]): Settled<T>[];

  readonly Win: WinConstructors;
  /** `status: new MPI.Status()` of a lower-case receive is filled in. */
  readonly Status: new () => Status;
  info(settings?: Readonly<Record<string, string>>): Info;
  /**
   * Dimensions of a grid of `ranks` ranks, as equal as can be; with a list, those that are not 0 are kept.
   *
   * @throws MpiError when `ranks` is no multiple of the given ones.
   */
  dims(ranks: number, dimensions: number | readonly number[]): number[];

  /** Seconds since some fixed moment. */
  Wtime(): number;
  /** The resolution of `Wtime`, in seconds. */
  Wtick(): number;
  /** `"Open MPI v4.1.4"` and the like. */
  readonly library: string;
  /** Of the MPI standard: `[3, 1]` and the like. */
  readonly version: readonly [major: number, minor: number];
  readonly processorName: string;
}
