/** Communicators, and those with a grid. */

import type { Passed } from "./addon.js";
import { addon, facts } from "./addon.js";
import { CollectiveValues } from "./collective-values.js";
import type { CartComm, Comm } from "./comm-types.js";
import { decodeRow } from "./decode.js";
import { bytes, encodeAll } from "./encode.js";
import { integers, shown, throwMpiError, throwUsageError, whole } from "./errors.js";
import { comparisons, numberOfGroup, RankGroup } from "./group.js";
import { withInfo } from "./info.js";
import { kept, plainRequest } from "./request.js";
import type { Comparison, Group, InfoLike, Request, Share } from "./types.js";

export class Communicator extends CollectiveValues {
  #freed = false;

  get name(): string {
    return addon.commName(this.handle);
  }

  set name(name: string) {
    addon.setCommName(this.handle, String(name));
  }

  get group(): Group {
    return new RankGroup(addon.commGroup(this.handle));
  }

  share(length: number, rank: number = this.rank): Share {
    if (!Number.isSafeInteger(length) || length < 0)
      throwUsageError("share", "length", `must be a whole number from 0 on, not ${shown(length)}`);
    if (!Number.isInteger(rank) || rank < 0 || rank >= this.size)
      throwUsageError("share", "rank", `must be one of 0 to ${this.size - 1}, not ${shown(rank)}`);
    const each = Math.floor(length / this.size);
    const more = length % this.size;
    const start = rank * each + Math.min(rank, more);
    const count = each + (rank < more ? 1 : 0);
    return { start, end: start + count, count };
  }

  split(color: number, key?: number): Comm;
  split(color: undefined, key?: number): undefined;
  split(color: number | undefined, key?: number): Comm | undefined;
  split(color: number | undefined, key = this.rank): Comm | undefined {
    if (color !== undefined && whole("split", "color", color) < 0)
      throwUsageError(
        "split",
        "color",
        `must be a whole number from 0 on, or undefined to leave this rank out, not ${color}`,
      );
    return made(addon.commSplit(this.handle, color ?? -1, whole("split", "key", key)));
  }

  splitShared(key = this.rank): Comm {
    return made(addon.commSplitShared(this.handle, whole("splitShared", "key", key)))!;
  }

  dup(options?: { info?: InfoLike | undefined }): Comm {
    return withInfo(options?.info, (info) => made(addon.commDup(this.handle, info))!);
  }

  create(group: Group): Comm | undefined {
    return made(addon.commCreate(this.handle, numberOfGroup("create", group)));
  }

  createGroup(group: Group, options?: { tag?: number | undefined }): Comm | undefined {
    const tag = whole("createGroup", "tag", options?.tag ?? 0);
    return made(addon.commCreateGroup(this.handle, numberOfGroup("createGroup", group), tag));
  }

  createCart(
    dims: readonly number[],
    options?: { periods?: readonly boolean[] | boolean | undefined; reorder?: boolean | undefined },
  ): CartComm | undefined {
    const sizes = integers("createCart", "dims", dims);
    const given = options?.periods ?? false;
    const periods = typeof given === "boolean" ? dims.map(() => given) : given;
    if (periods.length !== dims.length)
      throwUsageError("createCart", "periods", `has ${periods.length} values for ${dims.length} dimensions`);
    const ranks = sizes.reduce((product, size) => product * size, 1);
    if (sizes.some((size) => size < 1) || ranks > this.size)
      throwMpiError(
        "createCart",
        "MPI_ERR_DIMS",
        facts.size,
        `a grid of ${dims.join(" x ")} needs ${ranks} ranks, and there are ${this.size}`,
      );
    const handle = addon.cartCreate(this.handle, sizes, Float64Array.from(periods, Number), options?.reorder ?? false);
    return handle < 0 ? undefined : new Grid(handle);
  }

  compare(other: Comm): Comparison {
    return comparisons[addon.commCompare(this.handle, handleOf("compare", other))]!;
  }

  free(): void {
    addon.commFree(this.handle);
    this.#freed = true;
    this.freeInner();
  }

  abort(code = 1): never {
    return addon.abort(this.handle, code);
  }

  [Symbol.dispose](): void {
    if (!this.#freed) this.free();
  }
}

export class Grid extends Communicator implements CartComm {
  readonly dims: readonly number[];
  readonly periods: readonly boolean[];
  readonly coords: readonly number[];
  readonly neighbors: readonly number[];

  constructor(handle: number) {
    super(handle);
    const all = addon.cartGet(handle);
    const n = all.length / 3;
    this.dims = all.slice(0, n);
    this.periods = all.slice(n, 2 * n).map(Boolean);
    this.coords = all.slice(2 * n);
    this.neighbors = this.dims.flatMap((_, dimension) => addon.cartShift(handle, dimension, 1));
  }

  coordsOf(rank: number): number[] {
    return addon.cartCoords(this.handle, whole("coordsOf", "rank", rank));
  }

  rankOf(coords: readonly number[]): number {
    const place = integers("rankOf", "coords", coords);
    if (place.length !== this.dims.length)
      throwUsageError("rankOf", "coords", `has ${place.length} numbers for ${this.dims.length} dimensions`);
    place.forEach((coordinate, axis) => {
      if (!this.periods[axis] && (coordinate < 0 || coordinate >= this.dims[axis]!))
        throwMpiError(
          "rankOf",
          "MPI_ERR_ARG",
          12,
          `coordinate ${coordinate} of dimension ${axis} is outside of the grid`,
        );
    });
    return addon.cartRank(this.handle, place);
  }

  shift(dimension: number, displacement = 1): { readonly source: number; readonly dest: number } {
    if (whole("shift", "dimension", dimension) < 0 || dimension >= this.dims.length)
      throwUsageError("shift", "dimension", `must be one of 0 to ${this.dims.length - 1}, not ${dimension}`);
    const [source, dest] = addon.cartShift(this.handle, dimension, whole("shift", "displacement", displacement));
    return { source, dest };
  }

  sub(keep: readonly boolean[]): CartComm {
    if (!Array.isArray(keep) || keep.length !== this.dims.length)
      throwUsageError("sub", "keep", `must have true or false for each of the ${this.dims.length} dimensions`);
    return new Grid(addon.cartSub(this.handle, Float64Array.from(keep, Number)));
  }

  override dup(options?: { info?: InfoLike | undefined }): CartComm {
    return withInfo(options?.info, (info) => new Grid(addon.commDup(this.handle, info)));
  }

  Neighbor_allgather(part: unknown, whole: unknown): void {
    addon.neighborAllgather(this.handle, part as Passed, whole as Passed);
  }

  Neighbor_alltoall(send: unknown, receive: unknown): void {
    addon.neighborAlltoall(this.handle, send as Passed, receive as Passed);
  }

  Ineighbor_allgather(part: unknown, whole: unknown): Request<void> {
    const one = kept("Ineighbor_allgather", "part", part as Passed);
    const two = kept("Ineighbor_allgather", "whole", whole as Passed);
    return plainRequest(addon.ineighborAllgather(this.handle, part as Passed, whole as Passed), one, two);
  }

  Ineighbor_alltoall(send: unknown, receive: unknown): Request<void> {
    const one = kept("Ineighbor_alltoall", "send", send as Passed);
    const two = kept("Ineighbor_alltoall", "receive", receive as Passed);
    return plainRequest(addon.ineighborAlltoall(this.handle, send as Passed, receive as Passed), one, two);
  }

  neighbor_allgather<T>(value: T): (T | undefined)[] {
    return this.neighbor_alltoall(this.neighbors.map(() => value));
  }

  neighbor_alltoall<T>(values: readonly T[]): (T | undefined)[] {
    if (!Array.isArray(values) || values.length !== this.neighbors.length)
      throwUsageError(
        "neighbor_alltoall",
        "values",
        `must have a value for each of the ${this.neighbors.length} neighbours`,
      );
    const lengths = encodeAll("neighbor_alltoall", values);
    return decodeRow<T | undefined>(addon.alltoallValues(this.handle, bytes, lengths, true));
  }
}

function made(handle: number): Comm | undefined {
  return handle < 0 ? undefined : new Communicator(handle);
}

export function handleOf(operation: string, comm: Comm): number {
  if (comm instanceof Communicator) return comm.handle;
  throwUsageError(operation, "comm", `must be a communicator, such as MPI.COMM_WORLD, not ${shown(comm)}`);
}
