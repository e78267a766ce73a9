/** Records that workers hold by number, counted per worker, so that they live exactly as long as somebody has them. */
import { EngineError } from "../../common/index.js";
import type { Record } from "./record.js";
import type { WorkerProcess } from "./worker-process.js";

export class Exports {
  readonly #records = new Map<number, { readonly record: Record; holders: number }>();

  /** The worker is sent this reference once more. */
  hold(worker: WorkerProcess, record: Record): number {
    const number = record.owner.numberOf(record);
    const held = worker.holds.get(number);
    if (held === undefined) {
      const known = this.#records.get(number);
      if (known) known.holders++;
      else this.#records.set(number, { record, holders: 1 });
    }
    worker.holds.set(number, (held ?? 0) + 1);
    return number;
  }

  at(number: number): Record {
    const known = this.#records.get(number);
    if (!known) {
      throw new EngineError(`A task named the ref #${number}, which this cluster does not hold.`, {
        engine: "embedded",
        address: undefined,
      });
    }
    return known.record;
  }

  /** The worker dropped it, having received it that often. */
  release(worker: WorkerProcess, number: number, times: number): void {
    const held = worker.holds.get(number);
    if (held === undefined) return;
    if (held > times) {
      worker.holds.set(number, held - times);
      return;
    }
    worker.holds.delete(number);
    this.#drop(number);
  }

  releaseAll(worker: WorkerProcess): void {
    for (const number of worker.holds.keys()) this.#drop(number);
    worker.holds.clear();
  }

  #drop(number: number): void {
    const known = this.#records.get(number);
    if (known && --known.holders === 0) this.#records.delete(number);
  }
}
