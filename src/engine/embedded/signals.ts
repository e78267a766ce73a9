/** Tasks that end when an AbortSignal does: one listener per signal, however many tasks follow it. */
import type { Record } from "./record.js";

export class Signals {
  readonly #followers = new WeakMap<AbortSignal, Set<Record>>();
  readonly #cancel: (record: Record) => void;

  constructor(cancel: (record: Record) => void) {
    this.#cancel = cancel;
  }

  follow(signal: AbortSignal, record: Record): void {
    if (signal.aborted) {
      this.#cancel(record);
      return;
    }
    let followers = this.#followers.get(signal);
    if (!followers) {
      followers = new Set();
      this.#followers.set(signal, followers);
      const all = followers;
      signal.addEventListener(
        "abort",
        () => {
          for (const one of all) this.#cancel(one);
          all.clear();
        },
        { once: true },
      );
    }
    const all = followers;
    all.add(record);
    record.tell({ settled: () => all.delete(record) });
  }
}
