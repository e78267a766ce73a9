/** A frame of results from a worker. */
import { decode, type Encoded, Reader, readValue } from "../codec/index.js";
import type { EmbeddedEngine } from "./driver.js";
import { EachValue } from "./each.js";
import { taskFailed } from "./failures.js";
import { Outcome } from "./protocol.js";
import type { Record } from "./record.js";
import type { WorkerProcess } from "./worker-process.js";

export function receiveResults(
  engine: EmbeddedEngine,
  worker: WorkerProcess,
  body: Reader,
  read: (body: Reader) => Encoded,
): void {
  const count = body.u32();
  const now = performance.now();
  let taken = 0;
  let failed = 0;
  for (let i = 0; i < count; i++) {
    const sequence = body.u32();
    const outcome = body.u8();
    const runMs = body.f32();
    const transferMs = body.f32();
    const items = body.u32();
    let value: Encoded | EachValue = read(body);
    if (items > 0) {
      const errors: [number, Encoded][] = [];
      for (let left = body.u32(); left > 0; left--) errors.push([body.u32(), read(body)]);
      value = new EachValue(value, errors, worker.name, runMs, items);
    }
    const record = worker.inflight.get(sequence);
    // Taken back in the meantime, or cancelled.
    if (!record) continue;
    worker.inflight.delete(sequence);
    worker.unpin(sequence);
    if (worker.actor) engine.actors.left(worker);
    else engine.pool.left(worker, record);
    if (outcome === Outcome.skipped) {
      if (!record.settled) engine.pool.requeue(record);
      continue;
    }
    const statistics = record.code!.statistics;
    if (!record.each) statistics.expect(runMs);
    if (record.settled) continue;
    record.attempts++;
    taken += value instanceof EachValue ? value.count : 1;
    statistics.finished += value instanceof EachValue ? value.count : 1;
    statistics.run.add(items > 0 ? runMs / items : runMs);
    statistics.transfer.add(transferMs);
    statistics.queue.add(Math.max(0, now - record.submittedAt - runMs - transferMs));
    if (outcome === Outcome.error) {
      failed++;
      statistics.failed++;
      fail(engine, worker, record, value as Encoded);
    } else record.resolve(value);
  }
  engine.fleet.finished.add(worker.name, taken, failed);
}

const sidesStay = {
  readSide(): never {
    throw new Error("what lies beside a result comes with its frame");
  },
};

/**
 * Results that a worker has ready and cannot send, because it is in a long task. They come once more with their frame,
 * where they are known already.
 */
export function receiveUnsent(engine: EmbeddedEngine, worker: WorkerProcess): void {
  const unsent = worker.claims?.unsent();
  if (!unsent) return;
  const body = Buffer.alloc(4 + unsent.bytes.byteLength);
  body.writeUInt32LE(unsent.count);
  body.set(unsent.bytes, 4);
  try {
    receiveResults(engine, worker, new Reader(body), (reader) => readValue(reader, sidesStay));
  } catch {
    // The first one that names segments or references ends it: those before it have been taken.
  }
}

function fail(engine: EmbeddedEngine, worker: WorkerProcess, record: Record, encoded: Encoded): void {
  const cause = decode(encoded, engine.translation.decodeHost);
  const error = taskFailed(record, cause, worker.name);
  if (record.spec.retryErrors && record.attempts <= record.spec.retries && record.method === undefined) {
    engine.events.emit({ type: "task.retried", task: record.spec.name, attempts: record.attempts, why: error.message });
    engine.pool.requeue(record);
    return;
  }
  engine.fail(record, error);
}
