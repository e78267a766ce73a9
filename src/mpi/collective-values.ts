/** Collective calls on any value. */
import { addon } from "./addon.js";
import { rootOf } from "./collective.js";
import { CollectiveRequests } from "./collective-requests.js";
import { arrived, decodeRow, scratch } from "./decode.js";
import { beside, bytes, encode, encodeAll } from "./encode.js";
import { shown, throwMpiError, throwUsageError } from "./errors.js";
import { operationOf } from "./ops.js";
import type { Op, RootOptions } from "./types.js";

// One tag is enough: messages between two ranks keep their order.
const tag = 0;

export class CollectiveValues extends CollectiveRequests {
  /** The same ranks, for the messages that reductions are made of; made by the first, which all ranks call. */
  #inner: number | undefined;

  barrier(): void {
    addon.barrier(this.handle);
  }

  bcast<T>(value: T | undefined, options?: RootOptions): T {
    const root = rootOf("bcast", options);
    const isRoot = this.rank === root;
    const length = isRoot ? encode("bcast", value, true) : 0;
    const where = addon.broadcastValue(this.handle, root, bytes, length, isRoot ? beside : undefined, scratch);
    return isRoot ? (value as T) : arrived<T>(where);
  }

  scatter<T>(values: readonly T[] | null | undefined, options?: RootOptions): T {
    const root = rootOf("scatter", options);
    if (this.rank !== root) return arrived<T>(addon.scatterValues(this.handle, root, null, null, scratch));
    this.#onePerRank("scatter", values);
    const lengths = encodeAll("scatter", values);
    addon.scatterValues(this.handle, root, bytes, lengths, scratch);
    return values[root]!;
  }

  gather<T>(value: T, options?: RootOptions): T[] | undefined {
    const root = rootOf("gather", options);
    // Below 0 is the addon's word for all ranks.
    if (root < 0) throwMpiError("gather", "MPI_ERR_ROOT", 7, `root ${root} is none of 0 to ${this.size - 1}`);
    const length = encode("gather", value, true);
    const row = addon.gatherValues(this.handle, root, bytes, length, beside);
    return row && decodeRow<T>(row);
  }

  allgather<T>(value: T): T[] {
    const length = encode("allgather", value, true);
    return decodeRow<T>(addon.gatherValues(this.handle, -1, bytes, length, beside)!);
  }

  alltoall<T>(values: readonly T[]): T[] {
    this.#onePerRank("alltoall", values);
    const lengths = encodeAll("alltoall", values);
    return decodeRow<T>(addon.alltoallValues(this.handle, bytes, lengths, false));
  }

  #onePerRank(operation: string, values: unknown): asserts values is readonly unknown[] {
    if (!Array.isArray(values) || values.length !== this.size)
      throwUsageError(
        operation,
        "values",
        `must be an array with one value for each of the ${this.size} ranks, not ${Array.isArray(values) ? values.length : shown(values)}`,
      );
  }

  /**
   * Halves: each rank whose number has the lowest bit set gives its part to the one before, and so on with the next bit.
   * What is combined are always neighbouring runs of ranks in their order, so that an operation need not be commutative.
   */
  reduce<T>(value: T, options: RootOptions & { op: Op<T> }): T | undefined {
    const root = rootOf("reduce", options);
    if (root < 0 || root >= this.size)
      throwMpiError("reduce", "MPI_ERR_ROOT", 7, `root ${root} is none of 0 to ${this.size - 1}`);
    const result = this.#reduceToFirst("reduce", value, options?.op);
    if (root === 0) return this.rank === 0 ? result : undefined;
    if (this.rank === 0) this.#give(result, root);
    return this.rank === root ? this.#take<T>(0) : undefined;
  }

  allreduce<T>(value: T, options: { op: Op<T> }): T {
    return this.bcast(this.#reduceToFirst("allreduce", value, options?.op));
  }

  #reduceToFirst<T>(name: string, value: T, op: Op<T> | undefined): T | undefined {
    const operation = operationOf(name, op);
    let part = value;
    for (let bit = 1; bit < this.size; bit *= 2) {
      if (this.rank & bit) {
        this.#give(part, this.rank - bit);
        return undefined;
      }
      if (this.rank + bit < this.size) part = operation.apply(part, this.#take<T>(this.rank + bit));
    }
    return part;
  }

  scan<T>(value: T, options: { op: Op<T> }): T {
    return this.#prefixes("scan", value, options?.op)[1];
  }

  exscan<T>(value: T, options: { op: Op<T> }): T | undefined {
    return this.#prefixes("exscan", value, options?.op)[0];
  }

  /** The reduction over the ranks before this one, and with this one: doubling the run of ranks that is known, each time. */
  #prefixes<T>(name: string, value: T, op: Op<T> | undefined): [before: T | undefined, through: T] {
    const operation = operationOf(name, op);
    let through = value;
    let before: T | undefined;
    let any = false;
    for (let distance = 1; distance < this.size; distance *= 2) {
      const next = this.rank + distance;
      const previous = this.rank - distance;
      let theirs: T | undefined;
      // Whoever has nobody to receive from begins, so that even large values find a receiver.
      if (previous < 0) {
        if (next < this.size) this.#give(through, next);
        continue;
      }
      if (next < this.size) theirs = this.#trade<T>(through, next, previous);
      else theirs = this.#take<T>(previous);
      before = any ? operation.apply(theirs as T, before as T) : theirs;
      any = true;
      through = operation.apply(theirs as T, through);
    }
    return [before, through];
  }

  get #private(): number {
    this.#inner ??= addon.commDup(this.handle, -1);
    return this.#inner;
  }

  #give(value: unknown, dest: number): void {
    const inner = this.#private;
    const length = encode("reduce", value, true);
    addon.sendValue(bytes, length, beside, dest, tag, inner, false);
  }

  #take<T>(source: number): T {
    return arrived<T>(addon.receiveValue(source, tag, this.#private, scratch));
  }

  #trade<T>(value: unknown, dest: number, source: number): T {
    const inner = this.#private;
    const length = encode("scan", value, true);
    return arrived<T>(addon.exchangeValue(bytes, length, beside, dest, tag, inner, source, tag, scratch));
  }

  /** @internal */
  freeInner(): void {
    if (this.#inner !== undefined) addon.commFree(this.#inner);
    this.#inner = undefined;
  }
}
