/**
 * Watches the memory that is left, and acts before the kernel kills somebody: objects are spilled, no further tasks are
 * started, idle workers that hold much are started anew, and at last the worker that takes the most is stopped, with an
 * error that says who, how much and which task.
 */
import { availableMemory, showBytes, usableMemory } from "../../common/index.js";
import type { EmbeddedEngine } from "./driver.js";
import type { WorkerProcess } from "./worker-process.js";

const mebibyte = 2 ** 20;
/** How often the memory is looked at, ms; and how often when it gets short. */
const calmMs = 500;
const shortMs = 50;

/** What there is to decide on: bytes. */
export interface MemoryView {
  readonly available: number;
  readonly limit: number;
  /** Memory of its own, without what it maps; and whether it has nothing to do. */
  readonly workers: readonly { readonly own: number; readonly idle: boolean }[];
}

export interface MemoryDecision {
  /** Objects leave memory, and no task is started. */
  readonly short: boolean;
  /** Workers, by index, to be started anew. */
  readonly restart: readonly number[];
  /** The worker, by index, to be stopped. */
  readonly stop: number | undefined;
}

/** A share of the limit, and at least so many bytes where they are not too much of it. */
const least = (limit: number, share: number, bytes: number) =>
  Math.max(limit * share, Math.min(bytes, limit * share * 2));

/** Short below 12 % of the limit (to 24 % where that is less than 192 MiB), critical below 5 % (10 %, 64 MiB). Pure. */
export function decide({ available, limit, workers }: MemoryView): MemoryDecision {
  const short = available < least(limit, 0.12, 192 * mebibyte);
  const critical = available < least(limit, 0.05, 64 * mebibyte);
  const share = limit / (workers.length + 1);
  const restart = short ? [...workers.keys()].filter((i) => workers[i]!.idle && workers[i]!.own > share * 0.5) : [];
  let stop: number | undefined;
  if (critical && restart.length === 0) {
    for (const [i, { own, idle }] of workers.entries()) {
      if (!idle && own > 64 * mebibyte && (stop === undefined || own > workers[stop]!.own)) stop = i;
    }
  }
  return { short, restart, stop };
}

export class MemoryGuard {
  readonly #engine: EmbeddedEngine;
  readonly #limit = usableMemory();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(engine: EmbeddedEngine) {
    this.#engine = engine;
    this.#wait(calmMs);
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#look(), ms).unref();
  }

  #look(): void {
    const { fleet, pool, spiller } = this.#engine;
    const workers: WorkerProcess[] = [...fleet.processes];
    for (const worker of workers) worker.measureMemory();
    const available = availableMemory();
    const { short, restart, stop } = decide({
      available,
      limit: this.#limit.value,
      workers: workers.map(({ ownMemory, inflight, actor }) => ({
        own: ownMemory,
        idle: inflight.size === 0 && !actor,
      })),
    });
    pool.paused = short;
    if (short) spiller.check(true);
    else pool.schedule();
    for (const index of restart) fleet.replace(workers[index]!);
    if (stop !== undefined) this.#stop(workers[stop]!, available);
    if (!this.#closed) this.#wait(available < this.#limit.value * 0.25 ? shortMs : calmMs);
  }

  #stop(worker: WorkerProcess, available: number): void {
    const { value, by } = this.#limit;
    worker.stoppedFor = `the memory guard stopped it before the kernel would: it used ${showBytes(worker.ownMemory)}, and ${showBytes(available)} were left of ${showBytes(value)} (${by}). Give each task less data, use fewer workers, or ask for more memory`;
    worker.kill();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}
