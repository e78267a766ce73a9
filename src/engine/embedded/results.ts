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
  const told = { taken: 0, failed: 0 };
  try {
    for (let left = body.u32(); left > 0; left--) receiveResult(engine, worker, body, read, told);
  } finally {
    engine.fleet.finished.add(worker.name, told.taken, told.failed);
  }
}

function receiveResult(
  engine: EmbeddedEngine,
  worker: WorkerProcess,
  body: Reader,
  read: (body: Reader) => Encoded,
  told: { taken: number; failed: number },
): void {
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
  if (!record) return;
  worker.inflight.delete(sequence);
  worker.unpin(sequence);
  if (worker.actor) engine.actors.left(worker);
  else engine.pool.left(worker, record);
  if (outcome === Outcome.skipped) {
    if (!record.settled) engine.pool.requeue(record);
    return;
  }
  const statistics = record.code!.statistics;
  if (!record.each) statistics.expect(runMs);
  if (record.settled) return;
  record.attempts++;
  const calls = Math.max(1, items);
  const failed = value instanceof EachValue ? value.failed : outcome === Outcome.error ? 1 : 0;
  told.taken += calls;
  told.failed += failed;
  statistics.finished += calls;
  statistics.failed += failed;
  statistics.run.add(runMs / calls, calls);
  statistics.transfer.add(transferMs / calls, calls);
  statistics.queue.add(Math.max(0, performance.now() - record.submittedAt - runMs - transferMs));
  if (outcome === Outcome.error) fail(engine, worker, record, value as Encoded);
  else record.resolve(value);
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
