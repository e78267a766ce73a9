/** The type of a communicator: what ranks say to each other. */
import type {
  AlltoallvOptions,
  Buffer,
  Comparison,
  CountOptions,
  Element,
  FromOptions,
  GivenCountOptions,
  Group,
  InfoLike,
  InPlace,
  Matching,
  Message,
  MpiBuffer,
  Op,
  OpOptions,
  Request,
  RootBuffer,
  RootOptions,
  Share,
  Status,
  ToOptions,
  ValueFromOptions,
  ValueRoomOptions,
} from "./types.js";

/** A value sent to a rank with one call may be received with another of the same case: upper or lower. */
interface PointToPoint {
  // typed arrays
  Send<B>(buffer: Buffer<B>, options: ToOptions): void;
  /** As `Send`, and returns only once the receive has begun. */
  Ssend<B>(buffer: Buffer<B>, options: ToOptions): void;
  /** @throws MpiError when the message is longer than the buffer (`MPI_ERR_TRUNCATE`). */
  Recv<B>(buffer: Buffer<B>, options?: FromOptions): Status;
  Isend<B>(buffer: Buffer<B>, options: ToOptions): Request;
  Issend<B>(buffer: Buffer<B>, options: ToOptions): Request;
  Irecv<B>(buffer: Buffer<B>, options?: FromOptions): Request;
  Sendrecv<S, B>(send: Buffer<S>, to: ToOptions, receive: Buffer<B>, from?: FromOptions): Status;
  /** What is received takes the place of what is sent. */
  Sendrecv_replace<B>(buffer: Buffer<B>, to: ToOptions, from?: FromOptions): Status;
  /** Waits for a message and tells of it, without receiving it. */
  Probe(options?: FromOptions): Status;
  /** `undefined` when there is no such message yet. */
  Iprobe(options?: FromOptions): Status | undefined;
  /** Waits for a message and takes it: no other receive sees it. */
  Mprobe(options?: FromOptions): Message;
  Improbe(options?: FromOptions): Message | undefined;

  // any value
  send(value: unknown, options: ToOptions): void;
  ssend(value: unknown, options: ToOptions): void;
  /** The value's type is the sender's affair: `comm.recv<Settings>()` is a promise to the compiler, not a check. */
  recv<T = unknown>(options?: ValueFromOptions): T;
  isend(value: unknown, options: ToOptions): Request<void>;
  issend(value: unknown, options: ToOptions): Request<void>;
  /** @throws MpiError when the value is longer than `bytes` (`MPI_ERR_TRUNCATE`). */
  irecv<T = unknown>(options?: ValueRoomOptions): Request<T>;
  sendrecv<T = unknown>(value: unknown, to: ToOptions, from?: ValueFromOptions): T;
}

/** Collective calls: every rank of the communicator makes them, in the same order. */
interface Collective {
  Barrier(): void;
  Bcast<B>(buffer: Buffer<B>, options?: RootOptions): void;
  /** `whole` counts on the root only: `null` elsewhere. `part` may be `MPI.IN_PLACE` on the root. */
  Scatter<B extends MpiBuffer>(whole: RootBuffer<B>, part: B, options?: RootOptions): void;
  Scatter(whole: MpiBuffer, part: InPlace, options?: RootOptions): void;
  /** As `Scatter` with parts of any length: those of the ranks' `part`s, or `counts`. */
  Scatterv<B extends MpiBuffer>(whole: RootBuffer<B>, part: B, options?: RootOptions & CountOptions): void;
  Scatterv(whole: MpiBuffer, part: InPlace, options: RootOptions & GivenCountOptions): void;
  /** `whole` counts on the root only: `null` elsewhere. `part` may be `MPI.IN_PLACE` on the root. */
  Gather<B extends MpiBuffer>(part: B, whole: RootBuffer<B>, options?: RootOptions): void;
  Gather(part: InPlace, whole: MpiBuffer, options?: RootOptions): void;
  /** As `Gather` with parts of any length. */
  Gatherv<B extends MpiBuffer>(part: B, whole: RootBuffer<B>, options?: RootOptions & CountOptions): void;
  Gatherv(part: InPlace, whole: MpiBuffer, options: RootOptions & GivenCountOptions): void;
  Allgather<B extends MpiBuffer>(part: B, whole: Matching<B>): void;
  Allgather(part: InPlace, whole: MpiBuffer): void;
  /** As `Allgather` with parts of any length. With `counts` on every rank, no lengths are exchanged first. */
  Allgatherv<B extends MpiBuffer>(part: B, whole: Matching<B>, options?: CountOptions): void;
  Allgatherv(part: InPlace, whole: MpiBuffer, options: GivenCountOptions): void;
  Alltoall<B extends MpiBuffer>(send: B, receive: Matching<B>): void;
  Alltoall(send: InPlace, receive: MpiBuffer): void;
  Alltoallv<B extends MpiBuffer>(send: B, receive: Matching<B>, options: AlltoallvOptions): void;
  /** `receive` counts on the root only: `null` elsewhere. `send` may be `MPI.IN_PLACE` on the root. */
  Reduce<B extends MpiBuffer>(send: B, receive: RootBuffer<B>, options?: RootOptions & OpOptions<Element<B>>): void;
  Reduce<B extends MpiBuffer>(send: InPlace, receive: B, options?: RootOptions & OpOptions<Element<B>>): void;
  Allreduce<B extends MpiBuffer>(send: B, receive: Matching<B>, options?: OpOptions<Element<B>>): void;
  Allreduce<B extends MpiBuffer>(send: InPlace, receive: B, options?: OpOptions<Element<B>>): void;
  /** Reduces and scatters the result: rank `r` receives `counts[r]` elements, by default as many as its `receive` has. */
  Reduce_scatter<B extends MpiBuffer>(
    send: B,
    receive: Matching<B>,
    options?: OpOptions<Element<B>> & { counts?: readonly number[] | undefined },
  ): void;
  Reduce_scatter<B extends MpiBuffer>(
    send: InPlace,
    receive: B,
    options: OpOptions<Element<B>> & { counts: readonly number[] },
  ): void;
  /** As `Reduce_scatter` with parts of the same length. */
  Reduce_scatter_block<B extends MpiBuffer>(send: B, receive: Matching<B>, options?: OpOptions<Element<B>>): void;
  Reduce_scatter_block<B extends MpiBuffer>(send: InPlace, receive: B, options?: OpOptions<Element<B>>): void;
  /** The reduction over the ranks from 0 to this one. */
  Scan<B extends MpiBuffer>(send: B, receive: Matching<B>, options?: OpOptions<Element<B>>): void;
  Scan<B extends MpiBuffer>(send: InPlace, receive: B, options?: OpOptions<Element<B>>): void;
  /** The reduction over the ranks before this one; on rank 0 `receive` stays as it is. */
  Exscan<B extends MpiBuffer>(send: B, receive: Matching<B>, options?: OpOptions<Element<B>>): void;
  Exscan<B extends MpiBuffer>(send: InPlace, receive: B, options?: OpOptions<Element<B>>): void;
}

/** The collective calls that return at once. Buffers are MPI's until the request has settled. */
interface CollectiveRequests {
  Ibarrier(): Request<void>;
  Ibcast<B>(buffer: Buffer<B>, options?: RootOptions): Request<void>;
  Iscatter<B extends MpiBuffer>(whole: RootBuffer<B>, part: B, options?: RootOptions): Request<void>;
  Iscatter(whole: MpiBuffer, part: InPlace, options?: RootOptions): Request<void>;
  /** `counts` counts on the root only, where it is needed. */
  Iscatterv<B extends MpiBuffer>(
    whole: RootBuffer<B>,
    part: B | InPlace,
    options: RootOptions & CountOptions,
  ): Request<void>;
  Igather<B extends MpiBuffer>(part: B, whole: RootBuffer<B>, options?: RootOptions): Request<void>;
  Igather(part: InPlace, whole: MpiBuffer, options?: RootOptions): Request<void>;
  /** `counts` counts on the root only, where it is needed. */
  Igatherv<B extends MpiBuffer>(part: B, whole: RootBuffer<B>, options: RootOptions & CountOptions): Request<void>;
  Igatherv(part: InPlace, whole: MpiBuffer, options: RootOptions & GivenCountOptions): Request<void>;
  Iallgather<B extends MpiBuffer>(part: B, whole: Matching<B>): Request<void>;
  Iallgather(part: InPlace, whole: MpiBuffer): Request<void>;
  Iallgatherv<B extends MpiBuffer>(part: B, whole: Matching<B>, options: GivenCountOptions): Request<void>;
  Iallgatherv(part: InPlace, whole: MpiBuffer, options: GivenCountOptions): Request<void>;
  Ialltoall<B extends MpiBuffer>(send: B, receive: Matching<B>): Request<void>;
  Ialltoall(send: InPlace, receive: MpiBuffer): Request<void>;
  Ialltoallv<B extends MpiBuffer>(send: B, receive: Matching<B>, options: AlltoallvOptions): Request<void>;
  Ireduce<B extends MpiBuffer>(
    send: B,
    receive: RootBuffer<B>,
    options?: RootOptions & OpOptions<Element<B>>,
  ): Request<void>;
  Ireduce<B extends MpiBuffer>(send: InPlace, receive: B, options?: RootOptions & OpOptions<Element<B>>): Request<void>;
  Iallreduce<B extends MpiBuffer>(send: B, receive: Matching<B>, options?: OpOptions<Element<B>>): Request<void>;
  Iallreduce<B extends MpiBuffer>(send: InPlace, receive: B, options?: OpOptions<Element<B>>): Request<void>;
  Ireduce_scatter<B extends MpiBuffer>(
    send: B,
    receive: Matching<B>,
    options: OpOptions<Element<B>> & { counts: readonly number[] },
  ): Request<void>;
  Ireduce_scatter<B extends MpiBuffer>(
    send: InPlace,
    receive: B,
    options: OpOptions<Element<B>> & { counts: readonly number[] },
  ): Request<void>;
  Ireduce_scatter_block<B extends MpiBuffer>(
    send: B,
    receive: Matching<B>,
    options?: OpOptions<Element<B>>,
  ): Request<void>;
  Ireduce_scatter_block<B extends MpiBuffer>(send: InPlace, receive: B, options?: OpOptions<Element<B>>): Request<void>;
  Iscan<B extends MpiBuffer>(send: B, receive: Matching<B>, options?: OpOptions<Element<B>>): Request<void>;
  Iscan<B extends MpiBuffer>(send: InPlace, receive: B, options?: OpOptions<Element<B>>): Request<void>;
  Iexscan<B extends MpiBuffer>(send: B, receive: Matching<B>, options?: OpOptions<Element<B>>): Request<void>;
  Iexscan<B extends MpiBuffer>(send: InPlace, receive: B, options?: OpOptions<Element<B>>): Request<void>;
}

/** Collective calls for any value, which travels as by `structuredClone`: without its class, if it has one. */
interface CollectiveValues {
  barrier(): void;
  /** The root's value, on every rank. The others pass `undefined`. */
  bcast<T>(value: T | undefined, options?: RootOptions): T;
  /** On the root, one value per rank; `undefined` elsewhere. */
  scatter<T>(values: readonly T[] | null | undefined, options?: RootOptions): T;
  /** On the root, one value per rank; `undefined` elsewhere. */
  gather<T>(value: T, options?: RootOptions): T[] | undefined;
  allgather<T>(value: T): T[];
  /** One value for each rank; gives one from each. */
  alltoall<T>(values: readonly T[]): T[];
  /** On the root, the reduced value; `undefined` elsewhere. The order of the ranks is kept. */
  reduce<T>(value: T, options: RootOptions & { op: Op<T> }): T | undefined;
  allreduce<T>(value: T, options: { op: Op<T> }): T;
  /** The reduction over the ranks from 0 to this one. */
  scan<T>(value: T, options: { op: Op<T> }): T;
  /** The reduction over the ranks before this one; `undefined` on rank 0. */
  exscan<T>(value: T, options: { op: Op<T> }): T | undefined;
}

/**
 * Ranks that speak with each other, and with nobody else.
 *
 * @example
 * import { MPI } from "girona/mpi";
 *
 * const comm = MPI.COMM_WORLD;
 * const mine = comm.share(1000); // { start, end, count } of this rank
 * const total = comm.allreduce(mine.count, { op: MPI.SUM }); // 1000
 */
export interface Comm extends PointToPoint, Collective, CollectiveRequests, CollectiveValues, Disposable {
  readonly rank: number;
  readonly size: number;
  /** May be set. */
  name: string;
  /** The ranks, as a group to choose from. */
  readonly group: Group;
  /** This rank's part of `length` things (or that of `rank`); parts differ by at most one. */
  share(length: number, rank?: number): Share;

  /** A communicator of the ranks with this color, ordered by `key`, then by rank; `undefined` leaves the caller out. */
  split(color: number, key?: number): Comm;
  split(color: undefined, key?: number): undefined;
  split(color: number | undefined, key?: number): Comm | undefined;
  /** A communicator of the ranks that share memory with this one: those of its node. */
  splitShared(key?: number): Comm;
  /** The same ranks with messages of their own: for a library, so that its messages never meet the caller's. */
  dup(options?: { info?: InfoLike | undefined }): Comm;
  /** A communicator of the group's ranks; every rank of this one calls, and those outside get `undefined`. */
  create(group: Group): Comm | undefined;
  /** As `create`, called by the ranks of the group alone. */
  createGroup(group: Group, options?: { tag?: number | undefined }): Comm | undefined;
  /**
   * The ranks as a grid of `dims.length` dimensions; those that it has no place for get `undefined`. `MPI.dims` finds
   * dimensions for a number of ranks.
   */
  createCart(
    dims: readonly number[],
    options?: { periods?: readonly boolean[] | boolean | undefined; reorder?: boolean | undefined },
  ): CartComm | undefined;
  compare(other: Comm): Comparison;
  /** Gives it back to MPI; calls on it fail from then on. Collective. COMM_WORLD and COMM_SELF cannot be freed. */
  free(): void;
  /** Ends all ranks. */
  abort(code?: number): never;
}

/** Ranks in a grid. The last dimension is the one whose neighbours have neighbouring ranks. */
export interface CartComm extends Comm {
  readonly dims: readonly number[];
  readonly periods: readonly boolean[];
  /** This rank's place. */
  readonly coords: readonly number[];
  coordsOf(rank: number): number[];
  /** @throws MpiError when a coordinate of a dimension that is not periodic is outside. */
  rankOf(coords: readonly number[]): number;
  /**
   * Whom to receive from and to send to so that all data moves `displacement` (default 1) along the dimension;
   * `MPI.PROC_NULL` beyond an edge.
   */
  shift(dimension: number, displacement?: number): { readonly source: number; readonly dest: number };
  /** The neighbours, two for each dimension: before and after this rank; `MPI.PROC_NULL` beyond an edge. */
  readonly neighbors: readonly number[];
  /** The grids of the dimensions that are kept: rows or columns of a grid, say. */
  sub(keep: readonly boolean[]): CartComm;
  dup(options?: { info?: InfoLike | undefined }): CartComm;

  /** Sends `part` to each neighbour; `whole` has a part for each, in the order of `neighbors`. */
  Neighbor_allgather<B extends MpiBuffer>(part: B, whole: Matching<B>): void;
  /** Sends each neighbour its part, in the order of `neighbors`. */
  Neighbor_alltoall<B extends MpiBuffer>(send: B, receive: Matching<B>): void;
  Ineighbor_allgather<B extends MpiBuffer>(part: B, whole: Matching<B>): Request<void>;
  Ineighbor_alltoall<B extends MpiBuffer>(send: B, receive: Matching<B>): Request<void>;
  /** The neighbours' values, `undefined` beyond an edge. */
  neighbor_allgather<T>(value: T): (T | undefined)[];
  neighbor_alltoall<T>(values: readonly T[]): (T | undefined)[];
}
