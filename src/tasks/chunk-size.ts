/** How many items go into one task. Pure: numbers in, numbers out. */
import { count } from "./options.js";

/** Run time that a chunk is sized for, ms: long against the cost of a task (some 10 µs), short against a person's patience. */
const targetMs = 20;
/** A measurement of few short calls says little: the next chunk grows by this factor at most. */
const growth = 32;
const most = 1 << 18;

export class ChunkSizer {
  readonly #fixed: number | undefined;
  readonly #workers: number;
  #size = 1;
  #itemMs: number | undefined;

  /** `given`: the option of the user; `workers`: so that the last chunks are shared out evenly. */
  constructor(given: number | "auto" | undefined, workers: number) {
    this.#fixed = given === undefined || given === "auto" ? undefined : count("chunk", given, 1, { least: 1 });
    this.#workers = workers;
  }

  /** Items per task, as it stands. */
  get size(): number {
    return this.#fixed ?? this.#size;
  }

  /** Items for the next chunk when so many are left. */
  next(left: number): number {
    if (this.#fixed !== undefined) return Math.min(this.#fixed, left);
    return Math.max(1, Math.min(this.#size, Math.ceil(left / (this.#workers * 2))));
  }

  /** What a chunk took to run. */
  took(items: number, runMs: number): void {
    if (this.#fixed !== undefined || items === 0) return;
    const itemMs = Math.max(runMs / items, 1e-6);
    // A long chunk says more than a short one.
    const weight = Math.min(1, runMs / targetMs);
    this.#itemMs = this.#itemMs === undefined ? itemMs : this.#itemMs + (itemMs - this.#itemMs) * Math.max(0.5, weight);
    const wanted = Math.round(targetMs / this.#itemMs);
    this.#size = Math.max(1, Math.min(wanted, this.#size * growth, most));
  }
}
