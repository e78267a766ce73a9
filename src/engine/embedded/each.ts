/** What a chunk of items gave: the results as one list, and the items that failed. */
import { type DecodeHost, decode, type Encoded } from "../codec/index.js";
import type { EachResult } from "../engine.js";
import { taskFailed } from "./failures.js";
import type { Record } from "./record.js";

export class EachValue {
  readonly list: Encoded;
  readonly errors: readonly (readonly [number, Encoded])[];
  readonly worker: string;
  readonly runMs: number;
  readonly count: number;
  #told: EachResult["errors"] | undefined;
  #apart: WeakRef<EachResult> | undefined;

  constructor(
    list: Encoded,
    errors: readonly (readonly [number, Encoded])[],
    worker: string,
    runMs: number,
    count: number,
  ) {
    this.list = list;
    this.count = count;
    this.errors = errors;
    this.worker = worker;
    this.runMs = runMs;
  }

  get failed(): number {
    return this.errors.length;
  }

  /** `record` is what the errors name. */
  decode(record: Record, host: DecodeHost): EachResult {
    // Made once: an error that was fetched is known by what it is.
    this.#told ??= this.errors.map(([index, error]) => [index, taskFailed(record, decode(error, host), this.worker)]);
    return { values: decode(this.list, host) as unknown[], errors: this.#told };
  }

  /** The same for items that are taken one by one: not to be changed, nor given to anybody who might. */
  apart(record: Record, host: DecodeHost): EachResult {
    let result = this.#apart?.deref();
    if (!result) {
      result = this.decode(record, host);
      // Lives until those who ask in this turn have theirs: a chunk of thousands is not decoded for each of its items.
      this.#apart = new WeakRef(result);
    }
    return result;
  }
}
