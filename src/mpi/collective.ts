/** Collective calls on typed arrays. */
import { addon, callBlock, type Passed } from "./addon.js";
import { counts, throwUsageError, whole } from "./errors.js";
import { numberOf } from "./ops.js";
import { PointToPoint } from "./point-to-point.js";
import type { AlltoallvOptions, CountOptions, Op, OpOptions, RootOptions } from "./types.js";

type Options = RootOptions & CountOptions;
type Reducing = OpOptions<never> & RootOptions & { counts?: readonly number[] | undefined };

export const rootOf = (operation: string, options: RootOptions | undefined): number => {
  const root = options?.root;
  return root === undefined ? 0 : whole(operation, "root", root);
};
export const opOf = (operation: string, options: OpOptions<never> | undefined): number =>
  numberOf(operation, options?.op as Op<never> | undefined);

/** Where the parts begin, if that was given. */
export function startsOf(
  operation: string,
  values: readonly number[] | undefined,
  size: number,
): Float64Array | undefined {
  return values == null ? undefined : counts(operation, "displacements", values, size);
}

export class Collective extends PointToPoint {
  Barrier(): void {
    addon.barrier(this.handle);
  }

  Bcast(buffer: unknown, options?: RootOptions): void {
    addon.bcast(this.handle, buffer as Passed, rootOf("Bcast", options));
  }

  Scatter(whole: unknown, part: unknown, options?: RootOptions): void {
    addon.scatter(this.handle, whole as Passed, part as Passed, rootOf("Scatter", options));
  }

  Scatterv(whole: unknown, part: unknown, options?: Options): void {
    const root = rootOf("Scatterv", options);
    const lengths = this.#lengths("Scatterv", part as Passed, root, options);
    const starts = this.rank === root ? startsOf("Scatterv", options?.displacements, this.size) : undefined;
    addon.scatterv(this.handle, whole as Passed, part as Passed, root, lengths, starts);
  }

  Gather(part: unknown, whole: unknown, options?: RootOptions): void {
    addon.gather(this.handle, part as Passed, whole as Passed, rootOf("Gather", options));
  }

  Gatherv(part: unknown, whole: unknown, options?: Options): void {
    const root = rootOf("Gatherv", options);
    const lengths = this.#lengths("Gatherv", part as Passed, root, options);
    const starts = this.rank === root ? startsOf("Gatherv", options?.displacements, this.size) : undefined;
    addon.gatherv(this.handle, part as Passed, whole as Passed, root, lengths, starts);
  }

  /**
   * How long each rank's part is, on the root. Always asked for, also when counts are given: ranks may not know whether the
   * others pass any, and a part that does not fit its count is found before MPI writes it.
   */
  #lengths(operation: string, part: Passed, root: number, options: Options | undefined): Float64Array | undefined {
    const lengths = addon.partLengths(this.handle, part, root);
    if (this.rank !== root) return undefined;
    if (options?.counts == null) {
      const missing = lengths.indexOf(-1);
      if (missing >= 0)
        throwUsageError(operation, "counts", `is needed, because the part of rank ${missing} is in place`);
      return lengths;
    }
    const given = counts(operation, "counts", options.counts, this.size);
    lengths.forEach((length, rank) => {
      if (length >= 0 && length !== given[rank])
        throwUsageError(operation, "counts", `has ${given[rank]} for rank ${rank}, whose part has ${length} elements`);
    });
    return given;
  }

  Allgather(part: unknown, whole: unknown): void {
    addon.allgather(this.handle, part as Passed, whole as Passed);
  }

  Allgatherv(part: unknown, whole: unknown, options?: CountOptions): void {
    const given =
      options?.counts == null
        ? addon.partLengths(this.handle, part as Passed, -1)
        : counts("Allgatherv", "counts", options.counts, this.size);
    if (given.includes(-1)) throwUsageError("Allgatherv", "counts", "is needed, because parts are in place");
    addon.allgatherv(
      this.handle,
      part as Passed,
      whole as Passed,
      given,
      startsOf("Allgatherv", options?.displacements, this.size),
    );
  }

  Alltoall(send: unknown, receive: unknown): void {
    addon.alltoall(this.handle, send as Passed, receive as Passed);
  }

  Alltoallv(send: unknown, receive: unknown, options: AlltoallvOptions): void {
    const { sendCounts, receiveCounts, sendDisplacements, receiveDisplacements } = options;
    addon.alltoallv(
      this.handle,
      send as Passed,
      receive as Passed,
      counts("Alltoallv", "sendCounts", sendCounts, this.size),
      startsOf("Alltoallv", sendDisplacements, this.size),
      counts("Alltoallv", "receiveCounts", receiveCounts, this.size),
      startsOf("Alltoallv", receiveDisplacements, this.size),
    );
  }

  Reduce(send: unknown, receive: unknown, options?: Reducing): void {
    addon.reduce(this.handle, send as Passed, receive as Passed, opOf("Reduce", options), rootOf("Reduce", options));
  }

  Allreduce(send: unknown, receive: unknown, options?: Reducing): void {
    callBlock[0] = this.handle;
    callBlock[1] = opOf("Allreduce", options);
    addon.allreduce(send as Passed, receive as Passed);
  }

  Reduce_scatter(send: unknown, receive: unknown, options?: Reducing): void {
    const given =
      options?.counts == null
        ? addon.partLengths(this.handle, receive as Passed, -1)
        : counts("Reduce_scatter", "counts", options.counts, this.size);
    addon.reduceScatter(this.handle, send as Passed, receive as Passed, opOf("Reduce_scatter", options), given);
  }

  Reduce_scatter_block(send: unknown, receive: unknown, options?: Reducing): void {
    addon.reduceScatterBlock(this.handle, send as Passed, receive as Passed, opOf("Reduce_scatter_block", options));
  }

  Scan(send: unknown, receive: unknown, options?: Reducing): void {
    addon.scan(this.handle, send as Passed, receive as Passed, opOf("Scan", options));
  }

  Exscan(send: unknown, receive: unknown, options?: Reducing): void {
    addon.exscan(this.handle, send as Passed, receive as Passed, opOf("Exscan", options));
  }
}
