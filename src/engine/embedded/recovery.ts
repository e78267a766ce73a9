/** What becomes of the tasks of a lost worker. */
import type { EmbeddedEngine } from "./driver.js";
import { workerLost } from "./failures.js";
import type { WorkerEnd, WorkerProcess } from "./worker-process.js";

/** Tasks that had not started go back as if nothing had happened; those that had are charged a run. */
export function recover(engine: EmbeddedEngine, worker: WorkerProcess, end: WorkerEnd): void {
  const { pool, events } = engine;
  const next = worker.claims?.next ?? Number.POSITIVE_INFINITY;
  const inflight = [...worker.inflight];
  worker.inflight.clear();
  for (const [sequence, record] of inflight.reverse()) {
    pool.left(worker, record);
    if (record.settled) continue;
    if (sequence >= next) {
      pool.requeue(record);
      continue;
    }
    // One that only waited for others had no part in the end of the process, nor had any if the driver ended it for another.
    const innocent = worker.sacrificed || (worker.blocked > 0 && sequence < next - 1);
    if (!innocent || record.spec.retries === 0) record.attempts++;
    const error = workerLost(record, worker, end);
    if (innocent) Object.defineProperty(error, "innocent", { value: true, enumerable: false });
    if (record.attempts <= record.spec.retries) {
      events.emit({ type: "task.retried", task: record.spec.name, attempts: record.attempts, why: error.message });
      pool.requeue(record);
    } else {
      if (record.each && worker.claims && sequence === next - 1) tellItem(error, worker.claims.item);
      engine.fail(record, error);
      // Of a chunk, the layer above may run the items again.
      if (!record.each) record.code?.statistics.lost(undefined);
    }
  }
}

/** For the layer above, which has the items. */
export function tellItem(error: Error, item: number): void {
  Object.defineProperty(error, "within", { value: item, enumerable: false });
}
