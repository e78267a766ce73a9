/** Run-time limits of tasks: measured from when the task (or the item of a chunk) started, not from when it was sent. */
import { monotonicMs } from "./claims.js";
import type { Record } from "./record.js";
import type { WorkerProcess } from "./worker-process.js";

export class Timeouts {
  /** When each was sent, and when it was seen to have started. */
  readonly #watched = new Map<Record, { readonly sentAt: number; startedAt: number | undefined }>();
  readonly #expired: (record: Record) => void;
  readonly #workerOf: (record: Record) => WorkerProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #due = Number.POSITIVE_INFINITY;

  constructor(expired: (record: Record) => void, workerOf: (record: Record) => WorkerProcess | undefined) {
    this.#expired = expired;
    this.#workerOf = workerOf;
  }

  watch(record: Record): void {
    const now = monotonicMs();
    this.#watched.set(record, { sentAt: now, startedAt: undefined });
    this.#arm(now + record.spec.timeoutMs);
  }

  #arm(due: number): void {
    if (due >= this.#due) return;
    this.#due = due;
    clearTimeout(this.#timer);
    // A timer holds no more than 2^31 ms; an early look does no harm.
    this.#timer = setTimeout(() => this.#check(), Math.min(2 ** 31 - 1, Math.max(1, due - monotonicMs()))).unref();
  }

  #check(): void {
    this.#due = Number.POSITIVE_INFINITY;
    const now = monotonicMs();
    let due = Number.POSITIVE_INFINITY;
    for (const [record, times] of this.#watched) {
      const worker = record.settled ? undefined : this.#workerOf(record);
      if (!worker) {
        // Settled, or back in the queue: watched again when it is sent again.
        this.#watched.delete(record);
        continue;
      }
      const { claims } = worker;
      const next = claims?.next ?? Number.POSITIVE_INFINITY;
      const running = claims && record.sequence === next - 1;
      if (running) times.startedAt = claims.startedAt;
      // Not started, or its code is still being loaded.
      if (record.sequence >= next || (running && times.startedAt === undefined)) {
        due = Math.min(due, now + record.spec.timeoutMs);
        continue;
      }
      const left = (times.startedAt ?? times.sentAt) + record.spec.timeoutMs - now;
      if (left > 0) due = Math.min(due, now + left);
      else {
        this.#watched.delete(record);
        this.#expired(record);
      }
    }
    this.#arm(due);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#watched.clear();
  }
}
