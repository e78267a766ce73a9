/** Finished tasks as events: some per second and worker, however many tasks there are. */
import type { Events } from "../events.js";

const everyMs = 20;

export class Finished {
  readonly #events: Events;
  readonly #counts = new Map<string, { count: number; failed: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(events: Events) {
    this.#events = events;
  }

  add(worker: string, count: number, failed: number): void {
    if (!this.#events.heard || count === 0) return;
    const counts = this.#counts.get(worker) ?? { count: 0, failed: 0 };
    counts.count += count;
    counts.failed += failed;
    this.#counts.set(worker, counts);
    this.#timer ??= setTimeout(() => this.tell(), everyMs).unref();
  }

  /** What has not been told yet. */
  tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [worker, { count, failed }] of this.#counts) {
      this.#events.emit({ type: "tasks.finished", worker, count, failed });
    }
    this.#counts.clear();
  }
}
