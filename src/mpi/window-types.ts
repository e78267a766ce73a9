/** The type of a window: memory that other ranks read and write. */
import type { TypedArray } from "../common/index.js";
import type { Comm } from "./comm-types.js";
import type { Buffer, Element, Group, InfoLike, Matching, MpiBuffer, Op, Request, TypedArrayClass } from "./types.js";

export interface TargetOptions {
  /** Whose memory. */
  target: number;
  /** Where in it, in elements. Default 0. */
  offset?: number | undefined;
}

/**
 * Memory of each rank that the others read and write, between two calls that synchronise: two fences, or `lock` and
 * `unlock`. Offsets and lengths are elements of the window's kind.
 *
 * @example
 * import { MPI } from "girona/mpi";
 *
 * const comm = MPI.COMM_WORLD;
 * using win = MPI.Win.allocate(Float64Array, 1, comm);
 * win.fence();
 * win.Put(Float64Array.of(comm.rank), { target: (comm.rank + 1) % comm.size });
 * win.fence();
 * console.log(win.memory[0]); // the rank before this one
 */
export interface Win<A extends TypedArray = TypedArray> extends Disposable {
  /** This rank's memory. Empty after `free`. */
  readonly memory: A;
  /** Elements of each rank. */
  readonly lengths: readonly number[];
  /** The memory of another rank of the same node, which only a shared window has: `MPI.Win.allocateShared`. */
  memoryOf(rank: number): A;
  name: string;

  Put<B>(buffer: Buffer<B>, options: TargetOptions): void;
  Get<B>(buffer: Buffer<B>, options: TargetOptions): void;
  /** Combines with what is there, element by element, each of them at once. Operations of one's own are not possible. */
  Accumulate<B extends MpiBuffer>(buffer: B, options: TargetOptions & { op?: Op<Element<B>> | undefined }): void;
  /** As `Accumulate`; `result` gets what was there before. */
  Get_accumulate<B extends MpiBuffer>(
    buffer: B,
    result: Matching<B>,
    options: TargetOptions & { op?: Op<Element<B>> | undefined },
  ): void;
  /** `Get_accumulate` of one element, faster. */
  Fetch_and_op<B extends MpiBuffer>(
    buffer: B,
    result: Matching<B>,
    options: TargetOptions & { op?: Op<Element<B>> | undefined },
  ): void;
  /** Puts the one element of `value` where `compare` is found; `result` gets what was there before. Integers only. */
  Compare_and_swap<B extends MpiBuffer>(
    value: B,
    compare: Matching<B>,
    result: Matching<B>,
    options: TargetOptions,
  ): void;
  /** `Put` with a request, under a lock. It has settled when `buffer` may be used again. */
  Rput<B>(buffer: Buffer<B>, options: TargetOptions): Request<void>;
  Rget<B>(buffer: Buffer<B>, options: TargetOptions): Request<void>;

  /** Collective: what was begun before it is complete after it. */
  fence(): void;
  lock(rank: number, options?: { shared?: boolean | undefined }): void;
  unlock(rank: number): void;
  lockAll(): void;
  unlockAll(): void;
  /** Completes what was begun, at both ends; for one rank or all. Under a lock. */
  flush(rank?: number): void;
  /** As `flush`, at this end alone: buffers may be used again. */
  flushLocal(rank?: number): void;
  /** Makes what others put visible to this rank's loads, and its stores to them. */
  sync(): void;
  /** Lets the group's ranks access this rank's memory until `wait`. */
  post(group: Group): void;
  /** Begins access to the memory of the group's ranks, which have posted; ends with `complete`. */
  start(group: Group): void;
  complete(): void;
  wait(): void;
  /** Collective. Arrays of its memory are empty afterwards. */
  free(): void;
}

export interface WinConstructors {
  /** New memory of `length` elements on each rank; the length may differ between them. Collective. */
  allocate<A extends TypedArray>(
    kind: TypedArrayClass<A>,
    length: number,
    comm: Comm,
    options?: { info?: InfoLike | undefined },
  ): Win<A>;
  /** New memory that the ranks of one node also see as their own: `memoryOf`. `comm` comes from `splitShared`. */
  allocateShared<A extends TypedArray>(
    kind: TypedArrayClass<A>,
    length: number,
    comm: Comm,
    options?: { info?: InfoLike | undefined },
  ): Win<A>;
  /** An array that is there already; `null` on ranks that give no memory. */
  create<A extends TypedArray>(array: A | null, comm: Comm, options?: { info?: InfoLike | undefined }): Win<A>;
}
