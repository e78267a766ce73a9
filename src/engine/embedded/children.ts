/** Tasks that the tasks of one worker have submitted: when these are stopped, nobody can ever take their results. */
import type { Record } from "./record.js";

export class Children {
  /** Not settled, and which tasks ran when it was submitted: one of them is its parent. */
  readonly #own = new Map<Record, readonly Record[]>();
  readonly #awaited = new Set<readonly Record[]>();

  submitted(record: Record, running: readonly Record[]): void {
    if (record.settled) return;
    this.#own.set(record, running);
    record.tell({ settled: () => this.#own.delete(record) });
  }

  /** It was named in a result, a stored value or an argument: others have it as well. */
  given(record: Record): void {
    this.#own.delete(record);
  }

  async whileAwaited<T>(records: readonly Record[], work: () => Promise<T>): Promise<T> {
    this.#awaited.add(records);
    try {
      return await work();
    } finally {
      this.#awaited.delete(records);
    }
  }

  /**
   * Those that nobody will take, now that these tasks end with the process: what is waited for here, and what none but they can
   * have submitted. What a task that has finished left to itself goes on.
   */
  orphans(ending: ReadonlySet<Record>): Record[] {
    const awaited = new Set([...this.#awaited].flat());
    const left = [...this.#own].filter(
      ([record, running]) => awaited.has(record) || (running.length > 0 && running.every((one) => ending.has(one))),
    );
    return left.map(([record]) => record);
  }
}
