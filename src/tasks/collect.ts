/** `get`, `put`, `wait`, `asCompleted`, `cancel`: from references to values. */
import { type Copied, seconds, UsageError } from "../common/index.js";
import { forEver, Held, limited, type WaitLimits } from "../engine/index.js";
import type { MapJob } from "./map-job.js";
import { count } from "./options.js";
import { jobOf } from "./ref-array.js";
import { StreamJob } from "./ref-stream.js";
import { currentSession, sessionOfHeld } from "./session.js";
import type { CannotSend, Completed, GetOptions, Gettable, Got, Ref, RefStream, WaitOptions } from "./types/index.js";

function limits(options: GetOptions | undefined): WaitLimits {
  if (options === undefined) return forEver;
  const { timeout, signal } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw new UsageError(`signal: ${kindOf(signal)} was given; it takes an AbortSignal.`, { parameter: "signal" });
  }
  return { timeoutMs: timeout === undefined ? undefined : seconds(timeout, "timeout") * 1e3, signal };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value instanceof Promise) return "a promise (of put()? await it first)";
  if (Array.isArray(value)) return "an array";
  if (value instanceof StreamJob) return "what .map returns for an async iterable";
  return typeof value;
}

function asHeld(value: unknown, what: string): Held {
  if (value instanceof Held) return value;
  throw new UsageError(
    `${what} takes refs, and ${kindOf(value)} was given. A distributed function returns refs when it is called; everything else is a value already.`,
    { parameter: "refs" },
  );
}

/** A list of refs, for calls that take nothing else. */
function asList(value: unknown, what: string): Held[] {
  if (value instanceof Held) {
    throw new UsageError(`${what} takes a list of refs: ${what}([ref]).`, { parameter: "refs" });
  }
  if (value instanceof StreamJob) {
    throw new UsageError(
      `${what} takes a list of refs; for what .map returns for an async iterable use get or asCompleted.`,
      {
        parameter: "refs",
      },
    );
  }
  if (typeof value !== "object" || value === null) asHeld(value, what);
  if (!(Symbol.iterator in (value as object))) {
    throw new UsageError(`${what} takes a list of refs, and ${kindOf(value)} was given.`, { parameter: "refs" });
  }
  return Array.from(value as Iterable<unknown>, (item) => asHeld(item, what));
}

/** What was given, taken apart; `rebuild` puts the values back into its form. */
interface Parts {
  readonly helds: readonly Held[];
  rebuild(values: unknown[]): unknown;
}

const asIs = (values: unknown[]): unknown => values;

function parts(given: unknown, what: string): Parts {
  if (given instanceof Held) return { helds: [given], rebuild: ([value]) => value };
  if (Array.isArray(given)) {
    for (let i = 0; i < given.length; i++) if (!(given[i] instanceof Held)) asHeld(given[i], what);
    return { helds: given as Held[], rebuild: asIs };
  }
  if (typeof given !== "object" || given === null) asHeld(given, what);
  if (Symbol.iterator in (given as object)) {
    return { helds: Array.from(given as Iterable<unknown>, (value) => asHeld(value, what)), rebuild: asIs };
  }
  if (Object.getPrototypeOf(given) !== Object.prototype && Object.getPrototypeOf(given) !== null) asHeld(given, what);
  const names = Object.keys(given as object);
  return {
    helds: names.map((name) => asHeld((given as Record<string, unknown>)[name], `${what} (${name})`)),
    rebuild: (values) => Object.fromEntries(names.map((name, i) => [name, values[i]])),
  };
}

/** Watches work without fetching it: how much is done of how much, and a call for each change. */
export interface Watched {
  readonly total: number | undefined;
  done(): number;
  onProgress(listener: () => void): void;
  values(): Promise<unknown>;
}

/** `get`, told how far it is. */
export function watched(given: unknown, what: string, options?: GetOptions): Watched {
  const job = jobOf(given);
  if (job) {
    return {
      total: job.length,
      done: () => job.finishedItems,
      onProgress: (listener) => void job.onProgress(listener),
      values: () => job.values(limits(options), "get"),
    };
  }
  if (given instanceof StreamJob) {
    let heard = () => {};
    return {
      total: undefined,
      done: () => given.done,
      onProgress: (listener) => {
        heard = listener;
      },
      values: () => streamValues(given, options, () => heard()),
    };
  }
  const { helds, rebuild } = parts(given, what);
  let done = 0;
  return {
    total: helds.length,
    done: () => done,
    onProgress(listener) {
      for (const held of helds) {
        sessionOfHeld(held).engine.onSettled(held, (error) => {
          if (!error) done++;
          listener();
        });
      }
    },
    values: async () =>
      helds.length === 0
        ? rebuild([])
        : rebuild(await sessionOfHeld(helds[0]!).engine.get(helds, limits(options), "get")),
  };
}

async function streamValues(
  stream: StreamJob,
  options: GetOptions | undefined,
  onProgress: () => void,
): Promise<unknown> {
  const values = stream.values(onProgress);
  if (options === undefined) return values;
  let stop = () => {};
  try {
    return await Promise.race([
      values,
      new Promise((_, reject) => {
        stop = limited(limits(options), "get", reject, () => `${stream.done} items are there`);
      }),
    ]);
  } finally {
    stop();
    values.catch(() => {});
    void stream.stop();
  }
}

/**
 * Fetches the value of a ref, or of every ref of an array, tuple, iterable or record. The first failure rejects.
 *
 * @example
 * const square = distribute((x: number) => x * x);
 * const label = distribute((text: string) => text.toUpperCase());
 * const { area, name } = await get({ area: square(3), name: label("a") }); // { area: 9, name: "A" }
 * @throws TaskError, WorkerLostError, TimeoutError, CancelledError, ActorLostError; UsageError for what is no ref
 */
export function get<const G extends Gettable>(refs: G, options?: GetOptions): Promise<Got<G>> {
  return fetch(refs, options) as Promise<Got<G>>;
}

async function fetch(refs: unknown, options: GetOptions | undefined): Promise<unknown> {
  const job = jobOf(refs);
  if (job) return job.values(limits(options), "get");
  if (refs instanceof StreamJob) return streamValues(refs, options, () => {});
  const { helds, rebuild } = parts(refs, "get");
  if (helds.length === 0) return rebuild([]);
  const session = sessionOfHeld(helds[0]!);
  if (helds.length === 1) session.adviser.fetchedOne(helds[0]!);
  return rebuild(await session.engine.get(helds, limits(options), "get"));
}

/**
 * Stores a large value once; tasks on the same machine read it in place.
 *
 * @example
 * const table = await put(new Float64Array(10_000_000));
 * @throws UsageError for what cannot be copied, EngineError when neither memory nor disk takes it
 */
export async function put<T>(value: [CannotSend<T>] extends [never] ? T : CannotSend<T>): Promise<Ref<Copied<T>>> {
  const { adviser, engine } = currentSession();
  return (await adviser.storing(() => engine.put(value))) as unknown as Ref<Copied<T>>;
}

/** Waits for some of the refs, fetches nothing. Reaching the time-out is not an error. */
export async function wait<T>(
  refs: Iterable<Ref<T>>,
  options: WaitOptions = {},
): Promise<{ ready: Ref<T>[]; pending: Ref<T>[] }> {
  const helds = asList(refs, "wait");
  const wanted = Math.min(count("count", options.count, 1), helds.length);
  const ready: Ref<T>[] = [];
  const pending: Ref<T>[] = [];
  if (helds.length > 0) {
    const settled = await sessionOfHeld(helds[0]!).engine.wait(helds, wanted, limits(options), "wait");
    for (const [i, held] of helds.entries()) (settled[i] ? ready : pending).push(held as unknown as Ref<T>);
  }
  return { ready, pending };
}

/** The values as they come, whatever their order; fetched ahead of the loop. The first failure rejects. */
export async function* asCompleted<T>(
  refs: Iterable<Ref<T>> | RefStream<T>,
  options?: GetOptions,
): AsyncGenerator<Completed<T>, void, undefined> {
  if (refs instanceof StreamJob) {
    const stream = refs;
    let over: Error | undefined;
    const stop = limited(
      limits(options),
      "asCompleted",
      (error) => {
        over = error;
        void stream.stop(error);
      },
      () => `${stream.done} items are there`,
    );
    try {
      for await (const { from, values } of stream.completed()) {
        for (let i = 0; i < values.length; i++) yield { index: from + i, value: values[i] as T };
      }
      if (over) throw over;
    } finally {
      stop();
    }
    return;
  }
  const helds = asList(refs, "asCompleted");
  if (helds.length === 0) return;
  const { engine } = sessionOfHeld(helds[0]!);
  const arrived: number[] = [];
  let wake = () => {};
  let failure: Error | undefined;
  helds.forEach((held, index) => {
    engine.onSettled(held, () => {
      arrived.push(index);
      wake();
    });
  });
  const stop = limited(
    limits(options),
    "asCompleted",
    (error) => {
      failure = error;
      wake();
    },
    () => `${helds.length - arrived.length} of ${helds.length} not there`,
  );
  try {
    for (let given = 0; given < helds.length; ) {
      while (given === arrived.length && !failure) {
        const more = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await engine.whileWaiting(() => more);
      }
      if (failure) throw failure;
      const batch = arrived.slice(given);
      const values = await engine.get(
        batch.map((index) => helds[index]!),
        forEver,
        "asCompleted",
      );
      given += batch.length;
      for (let i = 0; i < batch.length; i++) yield { index: batch[i]!, value: values[i] as T };
    }
  } finally {
    stop();
  }
}

/**
 * Stops tasks, running ones too, and those that they have submitted and nobody else holds; `get` of their refs rejects with
 * `CancelledError`.
 */
export async function cancel(refs: Gettable, options: { force?: boolean | undefined } = {}): Promise<void> {
  const force = options.force ?? false;
  const job: MapJob | StreamJob | undefined = jobOf(refs) ?? (refs instanceof StreamJob ? refs : undefined);
  if (job) return job.cancel(force);
  const { helds } = parts(refs, "cancel");
  if (helds.length > 0) await sessionOfHeld(helds[0]!).engine.cancel(helds, force);
}
