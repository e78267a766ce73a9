/** What the driver knows of one value: from the call that makes it to the last fetch. */

import type { Encoded } from "../codec/index.js";
import type { TaskSpec } from "../engine.js";
import { Held, type HeldState } from "../held.js";
import type { CodeInfo } from "./codes.js";
import type { EachValue } from "./each.js";

export const Status = { waiting: 0, queued: 1, sent: 2, ready: 3, failed: 4 } as const;
export type Status = (typeof Status)[keyof typeof Status];

/** Of records that no task makes. */
export const plainSpec: TaskSpec = {
  name: "put",
  retries: 0,
  retryErrors: false,
  timeoutMs: 0,
  signal: undefined,
  cpus: 1,
  gpus: 0,
  memory: 0,
  resources: {},
};

/** Told once when a record is settled. */
export interface Waiter {
  settled(record: Record): void;
}

/** The owner of records: gives numbers and knows what failed without anybody asking. */
export interface RecordOwner {
  numberOf(record: Record): number;
}

/**
 * Also the reference that the user holds. Results live here and go with it: when the last reference to a record is dropped,
 * JavaScript's own collector frees it.
 */
export class Record extends Held {
  readonly owner: RecordOwner;
  readonly code: CodeInfo | undefined;
  readonly spec: TaskSpec;
  /** Arguments ready to travel, other records among them; `undefined` once they are no longer needed. */
  args: (Encoded | Record)[] | undefined;
  each = false;
  /** Each item is an argument of its own. */
  separate = false;
  status: Status = Status.waiting;
  value: Encoded | EachValue = undefined;
  error: Error | undefined = undefined;
  waiters: Waiter | Waiter[] | undefined = undefined;
  /** Runs so far. */
  attempts = 0;
  /** Arguments that are not there yet. */
  missing = 0;
  submittedAt: number;
  /** Number among the tasks of its worker while it is there. */
  sequence = -1;
  number = 0;
  /** Of an actor's call. */
  method: string | undefined = undefined;

  constructor(
    owner: RecordOwner,
    code: CodeInfo | undefined,
    spec: TaskSpec,
    args: (Encoded | Record)[] | undefined,
    submittedAt: number,
  ) {
    super();
    this.owner = owner;
    this.code = code;
    this.spec = spec;
    this.args = args;
    this.submittedAt = submittedAt;
  }

  get id(): string {
    return String(this.owner.numberOf(this));
  }

  get label(): string {
    return this.spec.name;
  }

  get state(): HeldState {
    if (this.status === Status.ready) return "ready";
    return this.status === Status.failed ? "failed" : "pending";
  }

  get settled(): boolean {
    return this.status >= Status.ready;
  }

  tell(waiter: Waiter): void {
    const { waiters } = this;
    if (waiters === undefined) this.waiters = waiter;
    else if (Array.isArray(waiters)) waiters.push(waiter);
    else this.waiters = [waiters, waiter];
  }

  resolve(value: Encoded | EachValue): void {
    this.status = Status.ready;
    this.value = value;
    this.#settle();
  }

  reject(error: Error): void {
    this.status = Status.failed;
    this.error = error;
    this.#settle();
  }

  #settle(): void {
    this.args = undefined;
    const { waiters } = this;
    if (waiters === undefined) return;
    this.waiters = undefined;
    if (Array.isArray(waiters)) for (const waiter of waiters) waiter.settled(this);
    else waiters.settled(this);
  }
}
