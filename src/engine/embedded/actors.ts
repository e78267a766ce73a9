/** Actors: one process each, calls in order, state that lives and dies with it. */
import { CancelledError, UsageError } from "../../common/index.js";
import type { Encoded } from "../codec/index.js";
import type { ActorHandle, ActorSpec, TaskSpec } from "../engine.js";
import { CodeInfo } from "./codes.js";
import { Deque } from "./deque.js";
import type { EmbeddedEngine } from "./driver.js";
import { actorLost } from "./failures.js";
import { Record, Status } from "./record.js";
import { neverFits } from "./resources.js";
import type { WorkerEnd, WorkerProcess } from "./worker-process.js";

/** Calls sent ahead to one actor at most. */
const aheadCalls = 1000;

interface Method {
  readonly spec: TaskSpec;
  readonly code: CodeInfo;
}

export class ActorRecord implements ActorHandle {
  readonly id: number;
  readonly code: CodeInfo;
  readonly spec: ActorSpec;
  /** The constructor's arguments, kept for a restart. */
  readonly args: (Encoded | Record)[];
  readonly queue = new Deque<Record>();
  readonly methods = new Map<string, Method>();
  worker: WorkerProcess | undefined;
  restarts = 0;
  reserved = false;
  /** Another process has a handle, so nobody here knows when the last one is gone. */
  shared = false;
  dropped = false;
  /** Why no call can succeed any more. */
  over: Error | undefined;

  constructor(id: number, code: CodeInfo, args: (Encoded | Record)[], spec: ActorSpec) {
    this.id = id;
    this.code = code;
    this.args = args;
    this.spec = spec;
  }

  get label(): string {
    return this.spec.name ? `${this.spec.label} "${this.spec.name}"` : this.spec.label;
  }
}

export class Actors {
  readonly #engine: EmbeddedEngine;
  readonly #actors = new Map<number, ActorRecord>();
  readonly #named = new Map<string, ActorRecord>();
  readonly #methodCodes = new Map<string, CodeInfo>();
  readonly #waitingForRoom = new Set<ActorRecord>();
  readonly #toFlush = new Set<ActorRecord>();
  #next = 1;

  constructor(engine: EmbeddedEngine) {
    this.#engine = engine;
  }

  /** One per class and method, for the statistics. */
  get methods(): Iterable<CodeInfo> {
    return this.#methodCodes.values();
  }

  /** Calls that are waiting or running. */
  get queued(): number {
    let calls = 0;
    for (const { queue, worker } of this.#actors.values()) calls += queue.length + (worker?.inflight.size ?? 0);
    return calls;
  }

  get(id: number): ActorRecord {
    return this.#actors.get(id)!;
  }

  create(code: CodeInfo, args: (Encoded | Record)[], spec: ActorSpec, id = this.#next++): ActorRecord {
    const misfit = neverFits(spec, this.#engine.pool.capacity);
    if (misfit) throw new UsageError(`The actor ${spec.label} asks for ${misfit}.`, { parameter: "options" });
    if (spec.name !== undefined && this.#named.has(spec.name)) {
      throw new UsageError(
        `There is an actor named "${spec.name}" already; find it with getActor("${spec.name}"), or choose another name.`,
        {
          parameter: "name",
        },
      );
    }
    const actor = new ActorRecord(id, code, args, spec);
    this.#actors.set(id, actor);
    if (spec.name !== undefined) this.#named.set(spec.name, actor);
    spec.signal?.addEventListener("abort", () => void this.kill(actor, "its signal"), { once: true });
    // The arguments may be references; a record that stands for the constructor's call waits for them.
    const construction = new Record(
      this.#engine,
      code,
      this.#method(actor, "constructor").spec,
      [...args],
      performance.now(),
    );
    construction.tell({ settled: () => construction.error && this.#end(actor, construction.error) });
    this.#engine.whenComplete(construction, () => this.#start(actor));
    if (construction.error) this.#end(actor, construction.error);
    return actor;
  }

  /** Something was given back: the actors that wait for it, in their order. */
  startWaiting(): void {
    if (this.#waitingForRoom.size === 0) return;
    for (const actor of [...this.#waitingForRoom]) {
      this.#waitingForRoom.delete(actor);
      this.#start(actor);
    }
  }

  /** One that could not be created; every call of it fails with the reason. */
  stillborn(code: CodeInfo, spec: ActorSpec, id: number, error: Error): void {
    const actor = new ActorRecord(id, code, [], spec);
    actor.over = error;
    this.#actors.set(id, actor);
  }

  #start(actor: ActorRecord): void {
    if (actor.over) return;
    if (!actor.reserved && !this.#engine.pool.reserve(actor.spec)) {
      this.#waitingForRoom.add(actor);
      return;
    }
    actor.reserved = true;
    const worker = this.#engine.fleet.spawn();
    worker.actor = actor;
    actor.worker = worker;
    const link = this.#engine.fleet.link(worker);
    link.actor(actor.code, actor.args, actor.spec.concurrency);
    this.#engine.events.emit({
      type: actor.restarts > 0 ? "actor.restarted" : "actor.started",
      actor: actor.label,
      worker: worker.name,
    });
    this.#flush(actor);
  }

  #method(actor: ActorRecord, method: string): Method {
    let known = actor.methods.get(method);
    if (!known) {
      const name = method === "constructor" ? `new ${actor.spec.label}` : `${actor.spec.label}.${method}`;
      const key = `${actor.code.id} ${name}`;
      let code = this.#methodCodes.get(key);
      if (!code) {
        code = new CodeInfo(-1, name);
        code.where = actor.code.where;
        this.#methodCodes.set(key, code);
      }
      const { cpus, gpus, memory, resources } = actor.spec;
      known = {
        code,
        spec: { name, retries: 0, retryErrors: false, timeoutMs: 0, signal: undefined, cpus, gpus, memory, resources },
      };
      actor.methods.set(method, known);
    }
    return known;
  }

  /** `number`: of a call made inside a task, which named its reference itself. */
  call(
    actor: ActorRecord,
    method: string,
    args: readonly unknown[],
    encoded?: (Encoded | Record)[],
    number = 0,
  ): Record {
    const { spec, code } = this.#method(actor, method);
    const record = new Record(
      this.#engine,
      code,
      spec,
      encoded ?? this.#engine.translation.encodeArguments(code, args, spec.name),
      performance.now(),
    );
    record.method = method;
    record.number = number;
    code.statistics.calls++;
    if (actor.over) {
      this.#engine.fail(record, actor.over);
      return record;
    }
    record.status = Status.queued;
    actor.queue.push(record);
    this.#engine.whenComplete(record, () => this.#scheduleFlush(actor));
    return record;
  }

  #scheduleFlush(actor: ActorRecord): void {
    if (this.#toFlush.has(actor)) {
      // A long synchronous loop of calls must not wait for its end.
      if (actor.queue.length % 256 === 0) this.#flush(actor);
      return;
    }
    this.#toFlush.add(actor);
    queueMicrotask(() => {
      this.#toFlush.delete(actor);
      this.#flush(actor);
    });
  }

  flush(worker: WorkerProcess): void {
    const actor = worker.actor as ActorRecord;
    if (actor.worker === worker) this.#flush(actor);
  }

  /** Sends calls in order, up to the first whose arguments are not there. */
  #flush(actor: ActorRecord): void {
    const { worker } = actor;
    if (!worker?.greeted) return;
    const link = this.#engine.fleet.link(worker);
    if (!link) return;
    while (worker.inflight.size < aheadCalls && worker.mayNumber()) {
      const record = actor.queue.peek();
      if (!record) break;
      if (!record.settled && record.missing > 0) break;
      actor.queue.shift();
      if (record.settled) continue;
      record.status = Status.sent;
      link.task(record, actor.code);
    }
    worker.flush();
  }

  left(worker: WorkerProcess): void {
    if (worker.inflight.size > 0) return;
    worker.idleSince = performance.now();
    this.#leaveWhenDone(worker.actor as ActorRecord);
  }

  /** The process is gone: the calls it was in fail, the others wait for the restart. */
  lost(worker: WorkerProcess, end: WorkerEnd): void {
    const actor = worker.actor as ActorRecord;
    if (actor.worker !== worker) return;
    actor.worker = undefined;
    const again = !actor.over && actor.restarts < actor.spec.maxRestarts;
    const error = actor.over ?? actorLost(actor.label, worker, end, actor.restarts);
    const next = worker.claims?.next ?? Number.POSITIVE_INFINITY;
    const inflight = [...worker.inflight];
    worker.inflight.clear();
    for (const [sequence, record] of inflight.reverse()) {
      if (record.settled) continue;
      if (again && sequence >= next) actor.queue.unshift(record);
      else this.#engine.fail(record, error);
    }
    if (!again) {
      this.#end(actor, error);
      return;
    }
    actor.restarts++;
    this.#start(actor);
  }

  find(name: string): ActorRecord {
    const actor = this.#named.get(name);
    if (actor) return actor;
    const names = [...this.#named.keys()].map((one) => `"${one}"`).join(", ");
    throw new UsageError(
      `There is no actor named "${name}". ${names ? `Named actors: ${names}.` : "No actor has a name; give one with distribute(Class, { name })."}`,
      {
        parameter: "name",
      },
    );
  }

  async kill(actor: ActorRecord, by = "kill()"): Promise<void> {
    if (actor.over) return;
    const { worker } = actor;
    const error = new CancelledError(`The actor ${actor.label} was ended by ${by}.`, { task: actor.label });
    this.#end(actor, error);
    if (!worker) return;
    for (const record of worker.inflight.values()) if (!record.settled) record.reject(error);
    worker.stoppedFor = `it was ended by ${by}`;
    worker.leaving = true;
    await this.#engine.fleet.end(worker, false);
  }

  /** No handle is left: its process ends when its calls are done. */
  drop(actor: ActorRecord): void {
    if (actor.over || actor.shared || actor.spec.name !== undefined) return;
    actor.dropped = true;
    this.#leaveWhenDone(actor);
  }

  #leaveWhenDone(actor: ActorRecord): void {
    const { worker } = actor;
    if (!actor.dropped || actor.queue.length > 0 || (worker && worker.inflight.size > 0)) return;
    this.#end(
      actor,
      new CancelledError(`The actor ${actor.label} ended: nobody held it any more.`, { task: actor.label }),
    );
    if (!worker) return;
    if (worker.greeted) this.#engine.fleet.leave(worker);
    else {
      worker.leaving = true;
      void this.#engine.fleet.end(worker, true);
    }
  }

  #end(actor: ActorRecord, error: Error): void {
    if (actor.over) return;
    actor.over = error;
    this.#waitingForRoom.delete(actor);
    if (actor.spec.name !== undefined && this.#named.get(actor.spec.name) === actor)
      this.#named.delete(actor.spec.name);
    if (actor.reserved) {
      actor.reserved = false;
      this.#engine.pool.release(actor.spec);
      this.startWaiting();
    }
    for (const record of actor.queue.clear()) if (!record.settled) this.#engine.fail(record, error);
    // It is not started again.
    actor.args.length = 0;
    this.#engine.events.emit({ type: "actor.ended", actor: actor.label, worker: actor.worker?.name ?? "none" });
  }

  /** The constructor threw in the worker. */
  failed(worker: WorkerProcess, error: Error): void {
    const actor = worker.actor as ActorRecord;
    for (const record of worker.inflight.values()) if (!record.settled) this.#engine.fail(record, error);
    worker.inflight.clear();
    this.#end(actor, error);
    actor.worker = undefined;
    worker.leaving = true;
    void this.#engine.fleet.end(worker, true);
  }

  *pending(): Iterable<Record> {
    for (const actor of this.#actors.values()) yield* actor.queue.clear();
  }
}
