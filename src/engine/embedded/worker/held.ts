/** References inside a worker: a number that the driver knows. */
import { Held, type HeldState } from "../../held.js";

export class WorkerHeld extends Held {
  readonly number: number;
  readonly label: string;
  state: HeldState = "pending";

  constructor(number: number, label: string) {
    super();
    this.number = number;
    this.label = label;
  }

  get id(): string {
    return String(this.number);
  }
}

/** The references this worker has; the driver is told when one is dropped, so that it can free the value. */
export class HeldTable {
  readonly #table = new Map<number, { held: WeakRef<WorkerHeld>; received: number }>();
  readonly #release: (number: number, received: number) => void;
  readonly #dropped = new FinalizationRegistry<number>((number) => {
    const entry = this.#table.get(number);
    // Received again in the meantime: another object stands for it now.
    if (!entry || entry.held.deref()) return;
    this.#table.delete(number);
    this.#release(number, entry.received);
  });

  constructor(release: (number: number, received: number) => void) {
    this.#release = release;
  }

  /** The driver sent this number, or is about to learn it from us. */
  receive(number: number, label: string): WorkerHeld {
    const entry = this.#table.get(number);
    const known = entry?.held.deref();
    if (entry) entry.received++;
    if (known) return known;
    const held = new WorkerHeld(number, label);
    if (entry) entry.held = new WeakRef(held);
    else this.#table.set(number, { held: new WeakRef(held), received: 1 });
    this.#dropped.register(held, number);
    return held;
  }
}
