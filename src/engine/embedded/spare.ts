/**
 * One worker started ahead. Starting a process takes some 100 ms: after the first one that was needed in a hurry (an actor, a
 * replacement for a lost worker), the next one is ready.
 */
import type { WorkerProcess } from "./worker-process.js";

/** The spare starts when what it was wanted for has started, ms. */
const laterMs = 150;

export class Spare {
  readonly #start: () => WorkerProcess;
  #worker: WorkerProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(start: () => WorkerProcess) {
    this.#start = start;
  }

  /** The spare if it is ready, else a new one; and another spare soon. */
  take(): WorkerProcess {
    const spare = this.#worker;
    const ready = spare?.greeted && !spare.gone ? spare : undefined;
    if (ready) {
      this.#worker = undefined;
      // Its time counts from now on.
      ready.startedAt = performance.now();
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#closed || this.#worker) return;
      try {
        this.#worker = this.#start();
      } catch {
        // Nobody needs it yet: who does is told.
      }
    }, laterMs).unref();
    return ready ?? this.#start();
  }

  is(worker: WorkerProcess): boolean {
    return worker === this.#worker;
  }

  lost(worker: WorkerProcess): void {
    if (this.is(worker)) this.#worker = undefined;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}
