/** Where the time of a function's calls went, in constant memory. */
import type { FunctionSnapshot, Step } from "../engine.js";

const kept = 256;

/** Totals are exact; the median comes from a uniform sample (Vitter's algorithm R, ACM TOMS 11(1), 1985). */
class StepTimes {
  #count = 0;
  #total = 0;
  readonly #sample: number[] = [];

  /** `times`: calls that took this long each, measured together. */
  add(ms: number, times = 1): void {
    this.#total += ms * times;
    const seen = this.#count;
    this.#count += times;
    if (this.#sample.length < kept) this.#sample.push(ms);
    else {
      const at = Math.floor(Math.random() * (seen + 1));
      if (at < kept) this.#sample[at] = ms;
    }
  }

  get seconds(): { median: number; total: number } {
    const sorted = this.#sample.toSorted((a, b) => a - b);
    return { median: (sorted[sorted.length >> 1] ?? 0) / 1e3, total: this.#total / 1e3 };
  }
}

export class FunctionStatistics {
  calls = 0;
  finished = 0;
  failed = 0;
  bytes = 0;
  readonly serialise = new StepTimes();
  readonly queue = new StepTimes();
  readonly transfer = new StepTimes();
  readonly run = new StepTimes();
  readonly fetch = new StepTimes();
  /** Expected run time of the next task, ms; `Infinity` while nothing is known, so that nothing is sent ahead. */
  expectedMs = Number.POSITIVE_INFINITY;

  expect(runMs: number): void {
    this.expectedMs = this.expectedMs === Number.POSITIVE_INFINITY ? runMs : this.expectedMs * 0.9 + runMs * 0.1;
  }

  /** A call that ended with its worker, after so long if that is known, ms. */
  lost(runMs: number | undefined): void {
    this.finished++;
    this.failed++;
    if (runMs !== undefined) this.run.add(runMs);
  }

  snapshot(name: string, where: string): FunctionSnapshot {
    const steps = {} as Record<Step, { median: number; total: number }>;
    for (const step of ["serialise", "queue", "transfer", "run", "fetch"] as const) steps[step] = this[step].seconds;
    return { name, where, calls: this.calls, finished: this.finished, failed: this.failed, bytes: this.bytes, steps };
  }
}
