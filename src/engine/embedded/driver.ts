/** The engine contract on worker processes of this machine, as the driver keeps it. */

import { CancelledError, EngineError, UsageError } from "../../common/index.js";
import type { CodeSource } from "../code.js";
import { encode, Payload } from "../codec/index.js";
import type {
  ActorHandle,
  ActorSpec,
  ChunkRun,
  Code,
  Engine,
  EngineSnapshot,
  Later,
  TaskSpec,
  WaitLimits,
} from "../engine.js";
import { type EngineEvent, Events } from "../events.js";
import { encodeItems, Frozen } from "../frozen.js";
import { Held } from "../held.js";
import { type ActorRecord, Actors } from "./actors.js";
import { type CodeInfo, Codes } from "./codes.js";
import { Collecting } from "./collecting.js";
import { sessionDirectory } from "./directory.js";
import { Fleet } from "./fleet.js";
import { MemoryGuard } from "./guard.js";
import { makeLater } from "./later.js";
import { Pool } from "./pool.js";
import { Reaper } from "./reaper.js";
import { Reclaim } from "./reclaim.js";
import { plainSpec, Record, Status, type Waiter } from "./record.js";
import { type Capacity, neverFits } from "./resources.js";
import { Signals } from "./signals.js";
import { Spiller } from "./spill.js";
import { SegmentStore } from "./store.js";
import { Translation } from "./translation.js";

export interface EmbeddedOptions {
  readonly workers: number;
  /** Bytes of heap per worker. */
  readonly heap: number;
  /** Bytes of stored objects in memory. */
  readonly objectMemory: number;
  readonly gpus: number;
  /** Bytes that tasks with `memory` may ask for together. */
  readonly memory: number;
  readonly resources: { readonly [name: string]: number };
  /** A line that a worker printed. */
  readonly print: (line: string) => void;
}

export class EmbeddedEngine implements Engine {
  readonly name = "embedded";
  readonly address = undefined;
  readonly events = new Events();
  readonly codes = new Codes(1, true);
  readonly store: SegmentStore;
  readonly spiller: Spiller;
  readonly guard: MemoryGuard;
  readonly pool: Pool;
  readonly actors: Actors;
  readonly translation: Translation;
  readonly collecting: Collecting;
  readonly fleet: Fleet;
  readonly options: EmbeddedOptions;
  readonly #reclaim: Reclaim;
  readonly #directory = sessionDirectory();
  readonly #reaper = new Reaper(this.#directory.path, this.#directory.driver);
  readonly #signals = new Signals((record) => void this.cancel([record], false));
  #nextNumber = 1;
  #closed = false;
  #failure: Error | undefined;
  #waiting = 0;
  // Workers do not keep the program alive; somebody who waits for them does.
  readonly #alive = setInterval(() => {}, 2 ** 30).unref();

  constructor(options: EmbeddedOptions) {
    this.options = options;
    this.translation = new Translation(this);
    this.collecting = new Collecting(this.translation, (work) => this.whileWaiting(work));
    this.store = new SegmentStore({
      directory: this.#directory.path,
      room: () => this.room,
      keepNames: false,
      short: () => this.spiller.check(true),
      reclaim: () => this.#reclaim.now(),
      changed: () => {
        // What nobody refers to need not be moved.
        this.#reclaim.whenDue();
        this.spiller.check();
        this.fleet.tellRoom(this.room);
      },
    });
    this.#reclaim = new Reclaim(this.store, options.objectMemory, () => this.fleet.collectGarbage());
    this.spiller = new Spiller(this.store, options.objectMemory, options.print);
    this.fleet = new Fleet(this, this.#directory.path, this.#reaper);
    this.pool = new Pool(this.fleet, this.#capacity(options.workers));
    this.actors = new Actors(this);
    this.guard = new MemoryGuard(this);
    this.codes.onDefined = (info) => {
      this.events.emit({
        type: "function.defined",
        name: info.name,
        where: info.where,
        bytes: info.portable?.code.length ?? 0,
      });
    };
  }

  #capacity(workers: number): Capacity {
    const { gpus, memory, resources } = this.options;
    return { cpus: workers, gpus, memory, resources };
  }

  get workers(): number {
    return this.pool.capacity.cpus;
  }

  /** Bytes of objects that still fit into memory. */
  get room(): number {
    return this.options.objectMemory - this.store.memoryBytes;
  }

  get underWay(): number {
    return this.pool.queued + this.pool.running + this.actors.queued;
  }

  get closed(): boolean {
    return this.#closed;
  }

  async start(): Promise<void> {
    this.fleet.scale(this.options.workers);
    await this.whileWaiting(() => this.fleet.firstGreeting());
    this.events.emit({ type: "session.opened", engine: this.name, workers: this.workers });
  }

  #open(): void {
    if (this.#failure) throw this.#failure;
    if (this.#closed) {
      const message =
        "The cluster is closed. Open another one with cluster(), or call within the scope that opened it.";
      throw new EngineError(message, { engine: "embedded", address: undefined });
    }
  }

  // --- code and handles

  define(source: CodeSource, name: string | undefined): Code {
    return this.codes.define(source, name);
  }

  // --- tasks

  numberOf(record: Record): number {
    if (record.number === 0) record.number = this.#nextNumber++;
    return record.number;
  }

  submit(code: Code, args: readonly unknown[], spec: TaskSpec): Held {
    this.#open();
    const info = code as CodeInfo;
    const record = new Record(
      this,
      info,
      spec,
      this.translation.encodeArguments(info, args, spec.name),
      performance.now(),
    );
    this.accept(record, 1);
    return record;
  }

  freeze(value: unknown, what: string): Frozen {
    return new Frozen(encode(value, this.translation.encodeHost, what));
  }

  submitEach(code: Code, items: readonly unknown[], spec: TaskSpec): Held {
    this.#open();
    const info = code as CodeInfo;
    const began = performance.now();
    const args = encodeItems(items, this.translation.encodeHost, spec.name);
    info.statistics.serialise.add(performance.now() - began);
    for (const argument of args) if (argument instanceof Payload) info.statistics.bytes += argument.size;
    const record = new Record(this, info, spec, args, began);
    record.each = true;
    record.separate = args.length > 1 || items[0] instanceof Frozen;
    this.accept(record, items.length);
    return record;
  }

  #misfit(spec: TaskSpec): UsageError | undefined {
    const misfit = neverFits(spec, this.pool.capacity);
    return misfit ? new UsageError(`${spec.name} asks for ${misfit}.`, { parameter: "options" }) : undefined;
  }

  /** Takes a record with its arguments into the queue, as soon as they are there. */
  accept(record: Record, calls: number): void {
    const { spec } = record;
    const misfit = this.#misfit(spec);
    if (misfit) throw misfit;
    record.code!.statistics.calls += calls;
    if (spec.signal) this.#signals.follow(spec.signal, record);
    if (record.settled) return;
    this.whenComplete(record, () => {
      record.status = Status.queued;
      this.pool.enqueue(record);
    });
  }

  /** Calls back when every argument is ready, at once if they are; a failed one fails the record. */
  whenComplete(record: Record, go: () => void): void {
    let waiter: Waiter | undefined;
    for (const argument of record.args!) {
      if (!(argument instanceof Record)) continue;
      if (argument.error) {
        this.fail(record, argument.error);
        return;
      }
      if (argument.settled) continue;
      waiter ??= {
        settled: (settled) => {
          if (record.settled) return;
          if (settled.error) {
            this.fail(record, settled.error);
          } else if (--record.missing === 0) go();
        },
      };
      record.missing++;
      argument.tell(waiter);
    }
    if (record.missing === 0) go();
  }

  fail(record: Record, error: Error): void {
    if (record.settled) return;
    this.unfetched.set(record, error);
    record.reject(error);
  }

  set onLarge(listener: (value: object, bytes: number) => void) {
    this.translation.onLarge = listener;
  }

  later(label: string): Later {
    return makeLater(this, label);
  }

  async put(value: unknown): Promise<Held> {
    this.#open();
    if (value instanceof Held) {
      const message = "put(): a Ref was given, which is stored already; pass the value, or use the ref as it is.";
      throw new UsageError(message, { parameter: "value" });
    }
    const record = new Record(this, undefined, plainSpec, [], 0);
    record.resolve(encode(value, this.translation.encodeHost, "the value given to put()"));
    // Whoever stores more than fits waits until some of it has left memory.
    await this.spiller.done;
    return record;
  }

  // --- collecting

  get unfetched(): Map<object, Error> {
    return this.collecting.unfetched;
  }

  get(helds: readonly Held[], limits: WaitLimits, what: string): Promise<unknown[]> {
    return this.collecting.get(helds, limits, what);
  }

  wait(helds: readonly Held[], count: number, limits: WaitLimits, what: string): Promise<boolean[]> {
    return this.collecting.wait(helds, count, limits, what);
  }

  onSettled(held: Held, callback: (error: Error | undefined, run: ChunkRun) => void): void {
    this.collecting.onSettled(held, callback);
  }

  async cancel(helds: readonly Held[], force: boolean): Promise<void> {
    const stopped: Promise<void>[] = [];
    for (const held of helds) {
      const record = this.translation.own(held);
      if (record.settled) continue;
      record.reject(
        new CancelledError(`${record.spec.name} was cancelled${record.spec.signal?.aborted ? " by its signal" : ""}.`, {
          task: record.spec.name,
          cause: record.spec.signal?.reason,
        }),
      );
      this.events.emit({ type: "task.cancelled", task: record.spec.name });
      const end = this.fleet.stop(record, force);
      if (end) stopped.push(end);
    }
    if (stopped.length === 0) return;
    await this.whileWaiting(() => Promise.all(stopped));
  }

  async whileWaiting<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting++ === 0) this.#alive.ref();
    try {
      return await work();
    } finally {
      if (--this.#waiting === 0) this.#alive.unref();
    }
  }

  // --- actors

  createActor(code: Code, args: readonly unknown[], spec: ActorSpec): ActorHandle {
    this.#open();
    const info = code as CodeInfo;
    return this.actors.create(info, this.translation.encodeArguments(info, args, `new ${spec.label}`), spec);
  }

  callActor(actor: ActorHandle, method: string, args: readonly unknown[]): Held {
    this.#open();
    return this.actors.call(actor as ActorRecord, method, args);
  }

  async findActor(name: string): Promise<ActorHandle> {
    return this.actors.find(name);
  }

  async killActor(actor: ActorHandle): Promise<void> {
    await this.whileWaiting(() => this.actors.kill(actor as ActorRecord));
  }

  dropActor(actor: ActorHandle): void {
    if (!this.#closed) this.actors.drop(actor as ActorRecord);
  }

  // --- the whole

  async scale(workers: number): Promise<void> {
    this.#open();
    this.pool.capacity = this.#capacity(workers);
    // They would wait for ever.
    for (const record of this.pool.remove(({ spec }) => !!this.#misfit(spec)))
      this.fail(record, this.#misfit(record.spec)!);
    await this.whileWaiting(() => this.fleet.scale(workers));
  }

  on(listener: (event: EngineEvent) => void): () => void {
    return this.events.on(listener);
  }

  snapshot(): EngineSnapshot {
    const functions = [...this.codes.all, ...this.actors.methods].filter((code) => code.statistics.calls > 0);
    return {
      workers: this.fleet.snapshot(),
      queued: this.pool.queued,
      running: this.pool.running,
      functions: functions.map((code) => code.statistics.snapshot(code.name, code.where)),
      objectBytes: this.store.memoryBytes + this.store.fileBytes,
      spilledBytes: this.store.fileBytes,
      workerSeconds: this.fleet.workerSeconds,
    };
  }

  /** Nothing can run any more: everything pending fails with the reason. */
  broke(error: Error): void {
    this.#failure = error;
    this.#rejectAll(() => error);
    void this.close();
  }

  #rejectAll(error: (record: Record) => Error): void {
    for (const record of [...this.fleet.pending(), ...this.pool.remove(() => true), ...this.actors.pending()]) {
      if (!record.settled) record.reject(error(record));
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const closing = (record: Record) =>
      new CancelledError(`${record.spec.name} was cancelled: its cluster closed.`, { task: record.spec.name });
    this.#rejectAll(closing);
    this.pool.close();
    this.guard.close();
    this.spiller.stop();
    await this.whileWaiting(() => this.fleet.close());
    this.#clean();
  }

  /** The same in one go, for the exit of the process. */
  closeNow(): void {
    if (!this.#closed) this.#closed = true;
    this.guard.close();
    this.fleet.closeNow();
    this.#clean();
  }

  #clean(): void {
    clearInterval(this.#alive);
    this.#directory.remove();
    this.#reaper.close();
    this.events.emit({ type: "session.closed" });
  }
}
