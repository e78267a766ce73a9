/** Windows: memory that other ranks read and write. */
import type { TypedArray } from "../common/index.js";
import { addon, type Passed } from "./addon.js";
import { handleOf } from "./comm.js";
import type { Comm } from "./comm-types.js";
import { shown, throwUsageError, whole } from "./errors.js";
import { numberOfGroup } from "./group.js";
import { withInfo } from "./info.js";
import { numberOf } from "./ops.js";
import { kept, plainRequest } from "./request.js";
import type { Group, InfoLike, Op, Request, TypedArrayClass } from "./types.js";
import type { TargetOptions, Win, WinConstructors } from "./window-types.js";
import { typedKinds } from "./wire.js";

/** By the number that N-API has for each, as in messages. */
const kinds: readonly TypedArrayClass<TypedArray>[] = typedKinds;

/** As the addon numbers them. */
const sync = {
  fence: 0,
  lock: 1,
  unlock: 2,
  lockAll: 3,
  unlockAll: 4,
  flush: 5,
  flushAll: 6,
  flushLocal: 7,
  flushLocalAll: 8,
  sync: 9,
  post: 10,
  start: 11,
  complete: 12,
  wait: 13,
} as const;

type Accumulating = TargetOptions & { op?: Op<never> | undefined };

class Window<A extends TypedArray> implements Win<A> {
  readonly #number: number;
  #freed = false;
  readonly #kind: TypedArrayClass<A>;
  readonly lengths: readonly number[];
  #memory: A;
  readonly #shared = new Map<number, A>();
  /** Arrays that MPI may still read or write: until the call that completes what was begun. */
  #held: unknown[] = [];
  readonly #locked = new Set<number>();

  constructor(number: number, memory: A) {
    this.#number = number;
    this.#kind = kinds[addon.winKind(number)] as TypedArrayClass<A>;
    this.lengths = addon.winLengths(number);
    this.#memory = memory;
  }

  get memory(): A {
    return this.#memory;
  }

  get name(): string {
    return addon.winName(this.#number);
  }

  set name(name: string) {
    addon.winName(this.#number, String(name));
  }

  memoryOf(rank: number): A {
    let array = this.#shared.get(whole("memoryOf", "rank", rank));
    if (array === undefined) {
      array = new this.#kind(addon.winShared(this.#number, rank));
      this.#shared.set(rank, array);
    }
    return array;
  }

  Put(buffer: unknown, options: TargetOptions): void {
    addon.put(this.#number, this.#hold("Put", buffer), target("Put", options), offset("Put", options));
  }

  Get(buffer: unknown, options: TargetOptions): void {
    addon.get(this.#number, this.#hold("Get", buffer), target("Get", options), offset("Get", options));
  }

  Accumulate(buffer: unknown, options: Accumulating): void {
    addon.accumulate(
      this.#number,
      this.#hold("Accumulate", buffer),
      target("Accumulate", options),
      offset("Accumulate", options),
      numberOf("Accumulate", options.op),
    );
  }

  Get_accumulate(buffer: unknown, result: unknown, options: Accumulating): void {
    addon.getAccumulate(
      this.#number,
      this.#hold("Get_accumulate", buffer),
      target("Get_accumulate", options),
      offset("Get_accumulate", options),
      numberOf("Get_accumulate", options.op),
      this.#hold("Get_accumulate", result),
    );
  }

  Fetch_and_op(buffer: unknown, result: unknown, options: Accumulating): void {
    addon.fetchAndOp(
      this.#number,
      this.#hold("Fetch_and_op", buffer),
      target("Fetch_and_op", options),
      offset("Fetch_and_op", options),
      numberOf("Fetch_and_op", options.op),
      this.#hold("Fetch_and_op", result),
    );
  }

  Compare_and_swap(value: unknown, compare: unknown, result: unknown, options: TargetOptions): void {
    addon.compareAndSwap(
      this.#number,
      this.#hold("Compare_and_swap", value),
      target("Compare_and_swap", options),
      offset("Compare_and_swap", options),
      this.#hold("Compare_and_swap", compare),
      this.#hold("Compare_and_swap", result),
    );
  }

  Rput(buffer: unknown, options: TargetOptions): Request<void> {
    const array = kept("Rput", "buffer", buffer as Passed);
    return plainRequest(
      addon.rput(this.#number, buffer as Passed, target("Rput", options), offset("Rput", options)),
      array,
    );
  }

  Rget(buffer: unknown, options: TargetOptions): Request<void> {
    const array = kept("Rget", "buffer", buffer as Passed);
    return plainRequest(
      addon.rget(this.#number, buffer as Passed, target("Rget", options), offset("Rget", options)),
      array,
    );
  }

  #hold(operation: string, buffer: unknown): Passed {
    this.#held.push(kept(operation, "buffer", buffer as Passed));
    return buffer as Passed;
  }

  /** Afterwards, nothing that was begun uses memory of this rank. */
  #complete(what: number, rank = 0): void {
    addon.winSync(this.#number, what, rank, false);
    this.#held = [];
  }

  fence(): void {
    this.#complete(sync.fence);
  }

  lock(rank: number, options?: { shared?: boolean | undefined }): void {
    addon.winSync(this.#number, sync.lock, whole("lock", "rank", rank), options?.shared ?? false);
    this.#locked.add(rank);
  }

  unlock(rank: number): void {
    addon.winSync(this.#number, sync.unlock, whole("unlock", "rank", rank), false);
    this.#locked.delete(rank);
    // Under the locks of other ranks, more may be under way.
    if (this.#locked.size === 0) this.#held = [];
  }

  lockAll(): void {
    addon.winSync(this.#number, sync.lockAll, 0, false);
  }

  unlockAll(): void {
    this.#complete(sync.unlockAll);
  }

  flush(rank?: number): void {
    if (rank === undefined) this.#complete(sync.flushAll);
    else addon.winSync(this.#number, sync.flush, whole("flush", "rank", rank), false);
  }

  flushLocal(rank?: number): void {
    if (rank === undefined) this.#complete(sync.flushLocalAll);
    else addon.winSync(this.#number, sync.flushLocal, whole("flushLocal", "rank", rank), false);
  }

  sync(): void {
    addon.winSync(this.#number, sync.sync, 0, false);
  }

  post(group: Group): void {
    addon.winSync(this.#number, sync.post, numberOfGroup("post", group), false);
  }

  start(group: Group): void {
    addon.winSync(this.#number, sync.start, numberOfGroup("start", group), false);
  }

  complete(): void {
    this.#complete(sync.complete);
  }

  wait(): void {
    addon.winSync(this.#number, sync.wait, 0, false);
  }

  free(): void {
    addon.winFree(this.#number);
    this.#freed = true;
    this.#held = [];
    this.#memory = new this.#kind(new ArrayBuffer(0));
    this.#shared.clear();
  }

  [Symbol.dispose](): void {
    if (!this.#freed) this.free();
  }
}

function target(operation: string, options: TargetOptions): number {
  return whole(operation, "target", options?.target);
}

function offset(operation: string, { offset = 0 }: TargetOptions): number {
  if (Number.isSafeInteger(offset)) return offset;
  throwUsageError(operation, "offset", `must be a whole number, not ${shown(offset)}`);
}

function allocated<A extends TypedArray>(
  operation: string,
  kind: TypedArrayClass<A>,
  length: number,
  comm: Comm,
  options: { info?: InfoLike | undefined } | undefined,
  shared: boolean,
): Win<A> {
  const number = kinds.indexOf(kind as never);
  if (number < 0) throwUsageError(operation, "kind", `must be a class such as Float64Array, not ${shown(kind)}`);
  if (!Number.isSafeInteger(length) || length < 0)
    throwUsageError(operation, "length", `must be a whole number from 0 on, not ${shown(length)}`);
  const [win, memory] = withInfo(options?.info, (info) =>
    addon.winAllocate(handleOf(operation, comm), number, length, info, shared),
  );
  return new Window<A>(win, new kind(memory));
}

export const windows: WinConstructors = {
  allocate: (kind, length, comm, options) => allocated("Win.allocate", kind, length, comm, options, false),
  allocateShared: (kind, length, comm, options) => allocated("Win.allocateShared", kind, length, comm, options, true),
  create<A extends TypedArray>(array: A | null, comm: Comm, options?: { info?: InfoLike | undefined }): Win<A> {
    kept("Win.create", "array", array);
    const number = withInfo(options?.info, (info) => addon.winCreate(handleOf("Win.create", comm), array, info));
    const none = kinds[addon.winKind(number)]! as TypedArrayClass<A>;
    return new Window<A>(number, array ?? new none(new ArrayBuffer(0)));
  },
};
