/** Collective calls that return a request. */
import { addon, type Passed } from "./addon.js";
import { Collective, opOf, rootOf, startsOf } from "./collective.js";
import { counts, throwUsageError } from "./errors.js";
import { kept, plainRequest } from "./request.js";
import type { AlltoallvOptions, CountOptions, OpOptions, Request, RootOptions } from "./types.js";

type Options = RootOptions & CountOptions;
type Reducing = OpOptions<never> & RootOptions & { counts?: readonly number[] | undefined };

/** Begins the call once its two buffers may be kept. */
function begin(operation: string, one: unknown, two: unknown, call: () => number, op?: unknown): Request<void> {
  const first = kept(operation, "first buffer", one as Passed);
  const second = kept(operation, "second buffer", two as Passed);
  return plainRequest(call(), first, second, op);
}

export class CollectiveRequests extends Collective {
  Ibarrier(): Request<void> {
    return plainRequest(addon.ibarrier(this.handle), undefined);
  }

  Ibcast(buffer: unknown, options?: RootOptions): Request<void> {
    return begin("Ibcast", buffer, null, () => addon.ibcast(this.handle, buffer as Passed, rootOf("Ibcast", options)));
  }

  Iscatter(whole: unknown, part: unknown, options?: RootOptions): Request<void> {
    return begin("Iscatter", whole, part, () =>
      addon.iscatter(this.handle, whole as Passed, part as Passed, rootOf("Iscatter", options)),
    );
  }

  Iscatterv(whole: unknown, part: unknown, options: Options): Request<void> {
    return begin("Iscatterv", whole, part, () => {
      const root = rootOf("Iscatterv", options);
      const [lengths, starts] = this.#counts("Iscatterv", root, options);
      return addon.iscatterv(this.handle, whole as Passed, part as Passed, root, lengths, starts);
    });
  }

  Igather(part: unknown, whole: unknown, options?: RootOptions): Request<void> {
    return begin("Igather", part, whole, () =>
      addon.igather(this.handle, part as Passed, whole as Passed, rootOf("Igather", options)),
    );
  }

  Igatherv(part: unknown, whole: unknown, options: Options): Request<void> {
    return begin("Igatherv", part, whole, () => {
      const root = rootOf("Igatherv", options);
      const [lengths, starts] = this.#counts("Igatherv", root, options);
      return addon.igatherv(this.handle, part as Passed, whole as Passed, root, lengths, starts);
    });
  }

  #counts(operation: string, root: number, options: Options): [counts?: Float64Array, starts?: Float64Array] {
    if (this.rank !== root) return [];
    if (options?.counts == null)
      throwUsageError(operation, "counts", "is needed on the root: a call that returns at once cannot ask for lengths");
    const starts = startsOf(operation, options.displacements, this.size);
    const lengths = counts(operation, "counts", options.counts, this.size);
    return starts ? [lengths, starts] : [lengths];
  }

  Iallgather(part: unknown, whole: unknown): Request<void> {
    return begin("Iallgather", part, whole, () => addon.iallgather(this.handle, part as Passed, whole as Passed));
  }

  Iallgatherv(part: unknown, whole: unknown, options: CountOptions): Request<void> {
    if (options?.counts == null)
      throwUsageError("Iallgatherv", "counts", "is needed: a call that returns at once cannot ask for lengths");
    const lengths = counts("Iallgatherv", "counts", options.counts, this.size);
    const starts = startsOf("Iallgatherv", options.displacements, this.size);
    return begin("Iallgatherv", part, whole, () =>
      addon.iallgatherv(this.handle, part as Passed, whole as Passed, lengths, starts),
    );
  }

  Ialltoall(send: unknown, receive: unknown): Request<void> {
    return begin("Ialltoall", send, receive, () => addon.ialltoall(this.handle, send as Passed, receive as Passed));
  }

  Ialltoallv(send: unknown, receive: unknown, options: AlltoallvOptions): Request<void> {
    const { sendCounts, receiveCounts, sendDisplacements, receiveDisplacements } = options;
    return begin("Ialltoallv", send, receive, () =>
      addon.ialltoallv(
        this.handle,
        send as Passed,
        receive as Passed,
        counts("Ialltoallv", "sendCounts", sendCounts, this.size),
        startsOf("Ialltoallv", sendDisplacements, this.size),
        counts("Ialltoallv", "receiveCounts", receiveCounts, this.size),
        startsOf("Ialltoallv", receiveDisplacements, this.size),
      ),
    );
  }

  Ireduce(send: unknown, receive: unknown, options?: Reducing): Request<void> {
    return begin(
      "Ireduce",
      send,
      receive,
      () =>
        addon.ireduce(
          this.handle,
          send as Passed,
          receive as Passed,
          opOf("Ireduce", options),
          rootOf("Ireduce", options),
        ),
      options?.op,
    );
  }

  Iallreduce(send: unknown, receive: unknown, options?: Reducing): Request<void> {
    return begin(
      "Iallreduce",
      send,
      receive,
      () => addon.iallreduce(this.handle, send as Passed, receive as Passed, opOf("Iallreduce", options)),
      options?.op,
    );
  }

  Ireduce_scatter(send: unknown, receive: unknown, options: Reducing): Request<void> {
    if (options?.counts == null)
      throwUsageError("Ireduce_scatter", "counts", "is needed: a call that returns at once cannot ask for lengths");
    const lengths = counts("Ireduce_scatter", "counts", options.counts, this.size);
    return begin(
      "Ireduce_scatter",
      send,
      receive,
      () =>
        addon.ireduceScatter(this.handle, send as Passed, receive as Passed, opOf("Ireduce_scatter", options), lengths),
      options?.op,
    );
  }

  Ireduce_scatter_block(send: unknown, receive: unknown, options?: Reducing): Request<void> {
    return begin(
      "Ireduce_scatter_block",
      send,
      receive,
      () =>
        addon.ireduceScatterBlock(
          this.handle,
          send as Passed,
          receive as Passed,
          opOf("Ireduce_scatter_block", options),
        ),
      options?.op,
    );
  }

  Iscan(send: unknown, receive: unknown, options?: Reducing): Request<void> {
    return begin(
      "Iscan",
      send,
      receive,
      () => addon.iscan(this.handle, send as Passed, receive as Passed, opOf("Iscan", options)),
      options?.op,
    );
  }

  Iexscan(send: unknown, receive: unknown, options?: Reducing): Request<void> {
    return begin(
      "Iexscan",
      send,
      receive,
      () => addon.iexscan(this.handle, send as Passed, receive as Passed, opOf("Iexscan", options)),
      options?.op,
    );
  }
}
