/** Waiting for records and reading their values. */
import { decode, Payload } from "../codec/index.js";
import type { ChunkRun, WaitLimits } from "../engine.js";
import type { Held } from "../held.js";
import { EachValue } from "./each.js";
import type { Record } from "./record.js";
import type { Translation } from "./translation.js";
import { allSettled, someSettled } from "./waiters.js";

const nothingRun: ChunkRun = Object.freeze({ runMs: 0, failed: 0 });

export class Collecting {
  /** Failed, and nobody has fetched them. */
  readonly unfetched = new Map<object, Error>();
  readonly #translation: Translation;
  readonly #whileWaiting: <T>(work: () => Promise<T>) => Promise<T>;

  constructor(translation: Translation, whileWaiting: <T>(work: () => Promise<T>) => Promise<T>) {
    this.#translation = translation;
    this.#whileWaiting = whileWaiting;
  }

  async get(helds: readonly Held[], limits: WaitLimits, what: string): Promise<unknown[]> {
    const records = helds as readonly Record[];
    await this.ready(records, limits, what);
    return this.#values(records);
  }

  /** Resolves when all are ready, rejects with the first failure, which counts as fetched. */
  async ready(records: readonly Record[], limits: WaitLimits, what: string): Promise<void> {
    for (const record of records) this.#translation.own(record);
    const waiting = allSettled(records, limits, what);
    if (!waiting) return;
    try {
      await this.#whileWaiting(() => waiting);
    } catch (error) {
      this.#fetchedFailure(records, error);
      throw error;
    }
  }

  /** Told once is enough: the failures of the others asked for at the same time, and of those that failed with it. */
  #fetchedFailure(records: readonly Record[], error: unknown): void {
    for (const record of records) this.unfetched.delete(record);
    for (const [failed, why] of this.unfetched) if (why === error) this.unfetched.delete(failed);
  }

  #values(records: readonly Record[]): unknown[] {
    const values: unknown[] = new Array(records.length);
    for (let i = 0; i < records.length; i++) {
      const record = records[i]!;
      const { value } = record;
      if (value instanceof Payload) {
        const began = performance.now();
        values[i] = decode(value, this.#translation.decodeHost);
        const statistics = record.code?.statistics;
        if (statistics) {
          statistics.fetch.add(performance.now() - began);
          statistics.bytes += value.size;
        }
      } else if (value instanceof EachValue) values[i] = value.decode(record, this.#translation.decodeHost);
      else values[i] = value;
    }
    return values;
  }

  async wait(helds: readonly Held[], count: number, limits: WaitLimits, what: string): Promise<boolean[]> {
    const records = helds.map((held) => this.#translation.own(held));
    const waiting = someSettled(records, count, limits, what);
    if (waiting) await this.#whileWaiting(() => waiting);
    return records.map((record) => record.settled);
  }

  onSettled(held: Held, callback: (error: Error | undefined, run: ChunkRun) => void): void {
    const record = this.#translation.own(held);
    const tell = () => callback(record.error, record.value instanceof EachValue ? record.value : nothingRun);
    if (record.settled) queueMicrotask(tell);
    else record.tell({ settled: tell });
  }
}
