/** The functions of the addon (native/mpi), as they are called from here. Lists of numbers are Float64Arrays. */
import type { MpiBuffer } from "./types.js";

/** A buffer of a call: a typed array, a part of one, `MPI.IN_PLACE`, or nothing. */
export type Passed = MpiBuffer | symbol | null | undefined;
type Numbers = Float64Array;
/** Of what arrived: how many bytes of the scratch array, or an ArrayBuffer of its own. */
export type Arrived = number | ArrayBuffer;
type Row = [memory: ArrayBuffer, lengths: number[]];
type More = readonly Uint8Array[] | undefined;

/** What `initialize` tells. */
export interface Facts {
  readonly rank: number;
  readonly size: number;
  readonly anySource: number;
  readonly anyTag: number;
  readonly procNull: number;
  readonly tagUb: number;
  readonly major: number;
  readonly minor: number;
  readonly library: string;
  readonly processorName: string;
  /** Memory that calls with a status write: source, tag, elements, bytes, cancelled. */
  readonly status: Float64Array;
  /** Memory where the whole numbers of the fastest calls are written before them. */
  readonly call: Int32Array;
}

type Rooted = (comm: number, first: Passed, second: Passed, root: number) => void;
type RootedV = (comm: number, a: Passed, b: Passed, root: number, counts?: Numbers, starts?: Numbers) => void;
type Paired = (comm: number, first: Passed, second: Passed) => void;
type Reducing = (comm: number, send: Passed, receive: Passed, op: number) => void;
type Accessing = (win: number, buffer: Passed, target: number, offset: number) => void;
/** The form of a call that returns a slot, which `test`, `spin`, `wait` and `cancel` take. */
type Begun<F extends (...args: never[]) => unknown> = (...args: Parameters<F>) => number;

type Sending = (buffer: Passed, dest: number, tag: number, comm: number) => void;
type Scattering = (comm: number, send: Passed, receive: Passed, op: number, counts: Numbers) => void;
type Exchanging = (
  comm: number,
  send: Passed,
  receive: Passed,
  sendCounts: Numbers,
  sendStarts: Numbers | undefined,
  receiveCounts: Numbers,
  receiveStarts: Numbers | undefined,
) => void;
type Gathering = (comm: number, part: Passed, whole: Passed, counts: Numbers, starts?: Numbers) => void;
type Probing = (source: number, tag: number, comm: number) => boolean;
type Matching = (source: number, tag: number, comm: number) => number;

export interface MpiAddon {
  initialize(
    mpiError: (operation: string, errorClass: string, code: number, text: string, peer: number) => never,
    usageError: (operation: string, parameter: string, text: string) => never,
  ): Facts;
  abort(comm: number, code: number): never;
  setExitCode(code: number): void;
  wtime(): number;
  wtick(): number;
  setLargest(count: number): void;

  /** Peer, tag and communicator are in `call`. */
  send(buffer: Passed): void;
  isend: Begun<Sending>;
  ssend: Sending;
  issend: Begun<Sending>;
  recv(buffer: Passed): void;
  irecv: Begun<Sending>;
  sendrecv(
    send: Passed,
    dest: number,
    tag: number,
    comm: number,
    receive: Passed,
    source: number,
    receiveTag: number,
  ): void;
  sendrecvReplace(buffer: Passed, dest: number, tag: number, comm: number, source: number, receiveTag: number): void;
  probe: Probing;
  iprobe: Probing;
  mprobe: Matching;
  improbe: Matching;
  mrecv(buffer: Passed, message: number, source: number): void;
  imrecv(buffer: Passed, message: number, source: number): number;

  test(slot: number): boolean;
  spin(slot: number, microseconds: number): boolean;
  wait(slot: number): void;
  cancel(slot: number): void;

  barrier(comm: number): void;
  ibarrier(comm: number): number;
  bcast(comm: number, buffer: Passed, root: number): void;
  ibcast(comm: number, buffer: Passed, root: number): number;
  scatter: Rooted;
  iscatter: Begun<Rooted>;
  scatterv: RootedV;
  iscatterv: Begun<RootedV>;
  gather: Rooted;
  igather: Begun<Rooted>;
  gatherv: RootedV;
  igatherv: Begun<RootedV>;
  /** On all ranks with root -1. `undefined` where nothing is received; -1 for a rank whose part is in place. */
  partLengths(comm: number, part: Passed, root: number): Float64Array;
  allgather: Paired;
  iallgather: Begun<Paired>;
  allgatherv: Gathering;
  iallgatherv: Begun<Gathering>;
  alltoall: Paired;
  ialltoall: Begun<Paired>;
  alltoallv: Exchanging;
  ialltoallv: Begun<Exchanging>;
  neighborAllgather: Paired;
  ineighborAllgather: Begun<Paired>;
  neighborAlltoall: Paired;
  ineighborAlltoall: Begun<Paired>;
  reduce(comm: number, send: Passed, receive: Passed, op: number, root: number): void;
  ireduce(comm: number, send: Passed, receive: Passed, op: number, root: number): number;
  /** Communicator and operation are in `call`. */
  allreduce(send: Passed, receive: Passed): void;
  iallreduce: Begun<Reducing>;
  scan: Reducing;
  iscan: Begun<Reducing>;
  exscan: Reducing;
  iexscan: Begun<Reducing>;
  reduceScatter: Scattering;
  ireduceScatter: Begun<Scattering>;
  reduceScatterBlock: Reducing;
  ireduceScatterBlock: Begun<Reducing>;
  /** -1 when the table is full. */
  createOperation(combine: (a: never, b: never, per: number) => void, commutative: boolean): number;
  freeOperation(op: number): void;

  sendValue(
    bytes: Uint8Array,
    length: number,
    more: More,
    dest: number,
    tag: number,
    comm: number,
    synchronous: boolean,
  ): void;
  receiveValue(source: number, tag: number, comm: number, scratch: Uint8Array): Arrived;
  exchangeValue(
    bytes: Uint8Array,
    length: number,
    more: More,
    dest: number,
    tag: number,
    comm: number,
    source: number,
    receiveTag: number,
    scratch: Uint8Array,
  ): Arrived;
  broadcastValue(
    comm: number,
    root: number,
    bytes: Uint8Array,
    length: number,
    more: More,
    scratch: Uint8Array,
  ): Arrived;
  gatherValues(comm: number, root: number, bytes: Uint8Array, length: number, more: More): Row | undefined;
  scatterValues(
    comm: number,
    root: number,
    bytes: Uint8Array | null,
    lengths: Numbers | null,
    scratch: Uint8Array,
  ): Arrived;
  alltoallValues(comm: number, bytes: Uint8Array, lengths: Numbers, neighbors: boolean): Row;

  commRank(comm: number): number;
  commSize(comm: number): number;
  commHandle(comm: number): number;
  commSplit(comm: number, color: number, key: number): number;
  commSplitShared(comm: number, key: number): number;
  commDup(comm: number, info: number): number;
  commCreate(comm: number, group: number): number;
  commCreateGroup(comm: number, group: number, tag: number): number;
  commCompare(a: number, b: number): number;
  commFree(comm: number): void;
  commName(comm: number): string;
  setCommName(comm: number, name: string): void;
  commGroup(comm: number): number;

  groupSize(group: number): number;
  groupRank(group: number): number;
  groupChoose(group: number, ranks: Numbers, exclude: boolean): number;
  groupCombine(a: number, b: number, which: number): number;
  groupTranslate(group: number, ranks: Numbers, other: number): number[];
  groupCompare(a: number, b: number): number;
  groupFree(group: number): void;

  cartCreate(comm: number, dims: Numbers, periods: Numbers, reorder: boolean): number;
  cartSub(comm: number, keep: Numbers): number;
  cartGet(comm: number): number[];
  cartCoords(comm: number, rank: number): number[];
  cartRank(comm: number, coords: Numbers): number;
  cartShift(comm: number, dimension: number, displacement: number): [source: number, dest: number];
  dimensions(ranks: number, dims: Numbers): number[];

  infoCreate(other: number): number;
  infoHandle(info: number): number;
  infoSet(info: number, key: string, value: string): void;
  infoGet(info: number, key: string): string | undefined;
  infoDelete(info: number, key: string): void;
  infoKeys(info: number): string[];
  infoFree(info: number): void;

  winAllocate(comm: number, kind: number, length: number, info: number, shared: boolean): [number, ArrayBuffer];
  winCreate(comm: number, array: Passed, info: number): number;
  winLengths(win: number): number[];
  winKind(win: number): number;
  winShared(win: number, rank: number): ArrayBuffer;
  winSync(win: number, what: number, rank: number, shared: boolean): void;
  winName(win: number, name?: string): string;
  winFree(win: number): void;
  put: Accessing;
  rput: Begun<Accessing>;
  get: Accessing;
  rget: Begun<Accessing>;
  accumulate(win: number, buffer: Passed, target: number, offset: number, op: number): void;
  getAccumulate(win: number, buffer: Passed, target: number, offset: number, op: number, result: Passed): void;
  fetchAndOp(win: number, buffer: Passed, target: number, offset: number, op: number, result: Passed): void;
  compareAndSwap(win: number, value: Passed, target: number, offset: number, compare: Passed, result: Passed): void;

  createLayout(lengths: Numbers, starts: Numbers, extent: number): number;
  freeLayout(layout: number): void;
}

/** The addon, once `start` of lifecycle.ts has loaded it: objects that call it exist from then on. */
export let addon: MpiAddon;
export let facts: Facts;
/** `facts.status` and `facts.call`. */
export let statusBlock: Float64Array;
export let callBlock: Int32Array;

/** Keeps what was loaded, for all modules of this folder. */
export function use(loaded: MpiAddon, told: Facts): void {
  addon = loaded;
  facts = told;
  statusBlock = told.status;
  callBlock = told.call;
}
