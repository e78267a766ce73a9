/** The worker processes: starting, feeding, measuring, losing and stopping them. */
import type { Reader } from "../codec/index.js";
import type { WorkerSnapshot } from "../engine.js";
import type { EmbeddedEngine } from "./driver.js";
import { Exports } from "./exports.js";
import { cannotStart, timedOut } from "./failures.js";
import { Finished } from "./finished.js";
import { Link, signalFrame } from "./link.js";
import type { PoolHost } from "./pool.js";
import { ToDriver, ToWorker } from "./protocol.js";
import type { Reaper } from "./reaper.js";
import { type Record, Status } from "./record.js";
import { recover, tellItem } from "./recovery.js";
import { Requests } from "./requests.js";
import { receiveResults, receiveUnsent } from "./results.js";
import { Spare } from "./spare.js";
import { Starts } from "./starts.js";
import { Timeouts } from "./timeouts.js";
import { type WorkerEnd, type WorkerListener, WorkerProcess } from "./worker-process.js";

/** A worker that leaves has this long, ms. */
const leaveMs = 2000;
/** A cancelled task's worker has this long to end by itself, ms. */
const graceMs = 500;
const retireMs = 2000;
/** Processes per core, and some more, at most. */
const extraFactor = 2;
const extraMore = 2;
const keptLines = 20;

export class Fleet implements PoolHost, WorkerListener {
  readonly exports = new Exports();
  readonly #engine: EmbeddedEngine;
  readonly #directory: string;
  readonly #reaper: Reaper;
  readonly #links = new Map<WorkerProcess, Link>();
  readonly #ends = new Map<WorkerProcess, (() => void)[]>();
  readonly #requests: Requests;
  readonly timeouts: Timeouts;
  readonly finished: Finished;
  #next = 1;
  #target = 0;
  #greeting: { resolve(): void; reject(error: Error): void } | undefined;
  #endedSeconds = 0;
  #lostOne = false;
  #closing = false;
  readonly #starts = new Starts({
    startMissing: () => this.#startMissing(),
    none: () => this.#engine.pool.workers.length === 0,
    refused: (error) => {
      for (const record of this.#engine.pool.remove(() => true)) this.#engine.fail(record, error);
    },
    giveUp: (error) => this.#giveUp(error),
  });
  readonly #spare = new Spare(() => this.#startProcess());
  readonly #retiring = setInterval(() => this.#retire(), retireMs / 4).unref();

  constructor(engine: EmbeddedEngine, directory: string, reaper: Reaper) {
    this.#engine = engine;
    this.#directory = directory;
    this.#reaper = reaper;
    this.#requests = new Requests(engine);
    this.finished = new Finished(engine.events);
    this.timeouts = new Timeouts(
      (record) => this.#timeOut(record),
      (record) => this.workerOf(record),
    );
  }

  get workerSeconds(): number {
    const now = performance.now();
    let seconds = this.#endedSeconds;
    // The spare is on the house.
    for (const worker of this.#links.keys()) if (!this.#spare.is(worker)) seconds += (now - worker.startedAt) / 1e3;
    return seconds;
  }

  /** What still fits into memory, for the objects that workers make. */
  tellRoom(room: number): void {
    for (const worker of this.#links.keys()) if (worker.claims) worker.claims.room = room;
  }

  /** Of workers that hold references, so that these come back. */
  collectGarbage(): void {
    for (const worker of this.#links.keys()) if (worker.holds.size > 0) signalFrame(worker, ToWorker.collect);
  }

  link(worker: WorkerProcess): Link {
    return this.#links.get(worker)!;
  }

  // --- starting

  /** One for an actor, or in place of one that was lost: the spare, if it is ready. */
  spawn(): WorkerProcess {
    return this.#spare.take();
  }

  /** All that are there, actors' included. */
  get processes(): Iterable<WorkerProcess> {
    return this.#links.keys();
  }

  #startProcess(): WorkerProcess {
    const { options } = this.#engine;
    const number = this.#next++;
    const about = {
      number,
      name: `worker-${number}`,
      directory: this.#directory,
      heap: options.heap,
      workers: this.#target,
    };
    let worker: WorkerProcess;
    try {
      worker = new WorkerProcess(about, this);
    } catch (error) {
      throw cannotStart(error as Error);
    }
    this.#links.set(worker, new Link(this.#engine, worker));
    if (worker.claims) worker.claims.room = this.#engine.room;
    this.#reaper.watch(worker.pid);
    return worker;
  }

  #startMissing(): void {
    const { pool } = this.#engine;
    try {
      while (pool.workers.length < this.#target && !this.#engine.closed) this.#spawnIntoPool();
    } finally {
      pool.schedule();
    }
  }

  #spawnIntoPool(): void {
    const { pool } = this.#engine;
    // At the start of all nothing is lost yet that a spare could replace.
    pool.workers.push(this.#lostOne ? this.spawn() : this.#startProcess());
  }

  /** While tasks wait for others, or take less than a core, there may be more processes than cores. */
  maySpawn(): boolean {
    const { pool } = this.#engine;
    return pool.workers.length < pool.capacity.cpus * extraFactor + extraMore && !this.#engine.closed;
  }

  spawnExtra(): boolean {
    if (!this.maySpawn()) return false;
    try {
      this.#spawnIntoPool();
      return true;
    } catch {
      return false;
    }
  }

  /** An idle worker that holds much makes room for a new one. */
  replace(worker: WorkerProcess): void {
    const { pool } = this.#engine;
    const at = pool.workers.indexOf(worker);
    if (at < 0 || worker.inflight.size > 0) return;
    pool.workers.splice(at, 1);
    void this.leave(worker).then(() => this.#starts.refill());
  }

  /** Processes beyond the cores go when they have had nothing to do for a while. */
  #retire(): void {
    const { pool } = this.#engine;
    const now = performance.now();
    for (const worker of [...pool.workers].reverse()) {
      if (pool.workers.length <= this.#target) return;
      if (worker.inflight.size > 0 || !worker.greeted || now - worker.idleSince < retireMs) continue;
      pool.workers.splice(pool.workers.indexOf(worker), 1);
      void this.leave(worker);
    }
  }

  takeUnsent(worker: WorkerProcess): void {
    receiveUnsent(this.#engine, worker);
  }

  freed(): void {
    this.#engine.actors.startWaiting();
  }

  firstGreeting(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#greeting = { resolve, reject };
    });
  }

  /** Adds workers at once, or lets some finish and go. */
  async scale(workers: number): Promise<void> {
    const { pool } = this.#engine;
    this.#target = workers;
    while (pool.workers.length < workers) this.#spawnIntoPool();
    const leaving: Promise<void>[] = [];
    while (pool.workers.length > workers) {
      // Those who have nothing to do go first.
      const idle = pool.workers.findLastIndex((worker) => worker.inflight.size === 0);
      const [worker] = pool.workers.splice(idle >= 0 ? idle : pool.workers.length - 1, 1);
      leaving.push(this.leave(worker!));
    }
    pool.schedule();
    await Promise.all(leaving);
  }

  /** Lets it finish what it has, then end. */
  leave(worker: WorkerProcess): Promise<void> {
    worker.leaving = true;
    const end = this.#whenEnded(worker);
    signalFrame(worker, ToWorker.leave);
    return end;
  }

  #whenEnded(worker: WorkerProcess): Promise<void> {
    if (!this.#links.has(worker)) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#ends.get(worker);
      if (waiting) waiting.push(resolve);
      else this.#ends.set(worker, [resolve]);
    });
  }

  // --- tasks

  send(worker: WorkerProcess, record: Record): void {
    record.status = Status.sent;
    this.link(worker).task(record, record.code!);
    if (record.spec.timeoutMs > 0) this.timeouts.watch(record);
  }

  workerOf(record: Record): WorkerProcess | undefined {
    for (const worker of this.#links.keys()) if (worker.inflight.get(record.sequence) === record) return worker;
    return undefined;
  }

  *pending(): Iterable<Record> {
    for (const worker of this.#links.keys()) yield* worker.inflight.values();
  }

  /** Stops a settled record's task: takes it back, or ends its worker. Resolves when nothing of it runs. */
  stop(record: Record, force: boolean): Promise<void> | undefined {
    const worker = this.workerOf(record);
    // An actor's running call cannot be stopped without its state: it goes on, and its result is dropped.
    if (!worker || worker.actor) return undefined;
    if (worker.claims) {
      const { pool } = this.#engine;
      pool.takeBack(worker, () =>
        [...worker.inflight.keys()].filter((one) => one >= worker.claims!.next).indexOf(record.sequence),
      );
      if (worker.inflight.get(record.sequence) !== record) return undefined;
    }
    worker.stoppedFor = `it was stopped because ${record.spec.name} on the same worker was cancelled`;
    worker.sacrificed = true;
    return this.end(worker, force);
  }

  /** Ends a process, softly at first unless forced. */
  end(worker: WorkerProcess, force: boolean): Promise<void> {
    const ended = this.#whenEnded(worker);
    worker.kill(force ? "SIGKILL" : "SIGTERM");
    if (!force) setTimeout(() => worker.kill("SIGKILL"), graceMs).unref();
    return ended;
  }

  #timeOut(record: Record): void {
    const worker = this.workerOf(record);
    const error = timedOut(record);
    if (record.each && worker?.claims) tellItem(error, worker.claims.item);
    this.#engine.fail(record, error);
    record.code?.statistics.lost(record.spec.timeoutMs);
    if (!worker) return;
    worker.stoppedFor = `it was stopped because ${record.spec.name} on the same worker ran longer than its timeout`;
    worker.sacrificed = true;
    worker.kill();
  }

  // --- what comes back

  frame(worker: WorkerProcess, type: number, body: Reader): void {
    const link = this.link(worker);
    if (!link) return;
    try {
      this.#receive(worker, link, type, body);
    } catch (error) {
      // A segment could not be opened, or the stream is broken: what this worker has is lost, and said so.
      worker.stoppedFor ??= `its message could not be read (${(error as Error).message})`;
      worker.kill();
    }
  }

  #receive(worker: WorkerProcess, link: Link, type: number, body: Reader): void {
    if (type === ToDriver.results) {
      receiveResults(this.#engine, worker, body, (reader) => link.read(reader));
      if (worker.actor) this.#engine.actors.flush(worker);
      else this.#engine.pool.pump();
    } else if (type === ToDriver.hello) {
      this.#starts.succeeded();
      this.#greeting?.resolve();
      this.#engine.events.emit({ type: "worker.started", worker: worker.name, pid: worker.pid });
      if (worker.actor) this.#engine.actors.flush(worker);
      else this.#engine.pool.schedule();
    } else this.#requests.receive(worker, link, type, body);
  }

  line(worker: WorkerProcess, stream: "stdout" | "stderr", task: string | undefined, text: string): void {
    if (stream === "stderr") {
      if (text.includes("JavaScript heap out of memory")) worker.heapExhausted = true;
      worker.lastLines.push(text);
      if (worker.lastLines.length > keptLines) worker.lastLines.shift();
    }
    this.#engine.events.emit({ type: "console", worker: worker.name, task, stream, line: text });
    this.#engine.options.print(`[${task ? `${task} ` : ""}${worker.name}] ${text}`);
  }

  ended(worker: WorkerProcess, end: WorkerEnd): void {
    const { pool, actors, events } = this.#engine;
    this.#endedSeconds += (performance.now() - worker.startedAt) / 1e3;
    this.#spare.lost(worker);
    this.#lostOne ||= !worker.leaving && !this.#closing;
    const at = pool.workers.indexOf(worker);
    if (at >= 0) pool.workers.splice(at, 1);
    const expected = worker.leaving || this.#closing;
    const about = { worker: worker.name, pid: worker.pid };
    if (expected) events.emit({ type: "worker.stopped", ...about });
    else events.emit({ type: "worker.lost", ...about, ...end, memoryBytes: worker.memory });
    if (!this.#closing) {
      const orphans = worker.children.orphans(new Set(worker.started()));
      if (!worker.greeted && !expected && !worker.stoppedFor) this.#starts.failed(end, worker.lastLines);
      if (worker.actor) actors.lost(worker, end);
      else recover(this.#engine, worker, end);
      void this.#engine.cancel(orphans, false);
      this.#starts.refill();
    }
    this.#reaper.forget(worker.pid);
    this.exports.releaseAll(worker);
    worker.unpinAll();
    this.#links.delete(worker);
    for (const resolve of this.#ends.get(worker) ?? []) resolve();
    this.#ends.delete(worker);
  }

  #giveUp(error: Error): void {
    this.#target = 0;
    this.#greeting?.reject(error);
    this.#engine.broke(error);
  }

  // --- the end

  snapshot(): WorkerSnapshot[] {
    const workers = [...this.#links.keys()].filter((worker) => !this.#spare.is(worker));
    return workers.map((worker) => {
      const busy = worker.inflight.size > 0 ? "busy" : "idle";
      const next = worker.claims?.next ?? 0;
      const running = worker.inflight.get(next - 1) ?? worker.inflight.values().next().value;
      return {
        name: worker.name,
        pid: worker.pid,
        state: worker.greeted ? (worker.actor ? "actor" : busy) : "starting",
        memory: worker.memory,
        tasks: worker.inflight.size,
        running: running?.spec.name,
      };
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.finished.tell();
    clearInterval(this.#retiring);
    this.#spare.close();
    this.#starts.close();
    this.timeouts.close();
    await Promise.all(
      [...this.#links.keys()].map((worker) => {
        // A worker in the middle of something would not hear the request.
        if (worker.inflight.size > 0 || !worker.greeted) return this.end(worker, true);
        const timer = setTimeout(() => worker.kill("SIGKILL"), leaveMs).unref();
        return this.leave(worker).then(() => clearTimeout(timer));
      }),
    );
  }

  closeNow(): void {
    this.#closing = true;
    clearInterval(this.#retiring);
    this.#spare.close();
    for (const worker of this.#links.keys()) {
      worker.kill("SIGKILL");
      worker.drainOutput();
    }
  }
}
