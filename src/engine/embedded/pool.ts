/**
 * Which task goes to which worker, and when.
 *
 * A worker gets as many tasks ahead as run in a few milliseconds (from measured run times), so that tiny tasks travel in
 * batches and long ones stay where any idle worker can take them. Tasks that want more than one core, or anything else than
 * a core, wait in a line of their own; the two lines are served in the order of submission.
 */
import { monotonicMs } from "./claims.js";
import { Deque } from "./deque.js";
import { fewTasks } from "./protocol.js";
import type { Record } from "./record.js";
import { type Capacity, isSpecial, Ledger, type Needs, wants } from "./resources.js";
import type { WorkerProcess } from "./worker-process.js";

/** Expected work sent ahead to one worker, ms. */
const aheadMs = 4;
/** Tasks sent ahead to one worker at most. */
const aheadTasks = 2000;
/** A task that runs this long gives up what it keeps from others: tasks behind it, and results before it; ms. */
const longMs = 5;

export interface PoolHost {
  /** Writes the task to the worker. */
  send(worker: WorkerProcess, record: Record): void;
  /** A task fits, and no worker is free: one more, unless there are enough. */
  spawnExtra(): boolean;
  maySpawn(): boolean;
  /** Takes over results that the worker has ready and cannot send. */
  takeUnsent(worker: WorkerProcess): void;
  /** A task gave back what actors may wait for. */
  freed(): void;
}

export class Pool {
  readonly workers: WorkerProcess[] = [];
  readonly #ready = new Deque<Record>();
  /** In the order of submission. */
  readonly #special: Record[] = [];
  readonly #host: PoolHost;
  #capacity: Capacity;
  /** What is taken beside cores. */
  readonly #taken = new Ledger();
  /** Cores taken by actors that asked for some. */
  #actorCpus = 0;
  #order = 0;
  readonly #orders = new WeakMap<Record, number>();
  #pumping = false;
  /** Memory is short: only what is needed to get on is started. */
  paused = false;
  #scheduled = false;
  #watchTimer: NodeJS.Timeout | undefined;

  constructor(host: PoolHost, capacity: Capacity) {
    this.#host = host;
    this.#capacity = capacity;
  }

  get capacity(): Capacity {
    return this.#capacity;
  }

  set capacity(value: Capacity) {
    this.#capacity = value;
  }

  get queued(): number {
    return this.#ready.length + this.#special.length;
  }

  get running(): number {
    let count = 0;
    for (const worker of this.workers) count += worker.inflight.size;
    return count;
  }

  /** A task whose arguments are all there. */
  enqueue(record: Record): void {
    if (isSpecial(record.spec)) {
      this.#orders.set(record, this.#order + this.#ready.length);
      this.#special.push(record);
    } else this.#ready.push(record);
    // An idle worker starts at once, even if the program goes on without a pause; else tasks gather into batches.
    if (this.#idle() || this.#ready.length % 256 === 255) this.pump();
    else this.schedule();
  }

  /** Tasks whose worker was lost or that were taken back come first. */
  requeue(record: Record): void {
    if (isSpecial(record.spec)) {
      this.#orders.set(record, 0);
      this.#special.unshift(record);
    } else {
      this.#ready.unshift(record);
      this.#order--;
    }
    this.schedule();
  }

  schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.pump();
    });
  }

  /** Takes records out of the queues. */
  remove(matches: (record: Record) => boolean): Record[] {
    const special = this.#special.filter(matches);
    for (const record of special) this.#special.splice(this.#special.indexOf(record), 1);
    return [...this.#ready.remove(matches), ...special];
  }

  /** What an actor takes for as long as it lives; `false` when it does not fit now. */
  reserve(spec: Needs): boolean {
    if (!this.#fits(spec)) return false;
    this.#actorCpus += spec.cpus;
    this.#taken.add(spec, 1);
    return true;
  }

  release(spec: Needs): void {
    this.#actorCpus -= spec.cpus;
    this.#taken.add(spec, -1);
    this.schedule();
  }

  /** The task has left its worker: finished, lost, or taken back. */
  left(worker: WorkerProcess, record: Record): void {
    const { spec } = record;
    const expected = record.code?.statistics.expectedMs ?? 0;
    worker.load =
      worker.inflight.size === 0
        ? 0
        : Math.max(0, worker.load - (expected === Number.POSITIVE_INFINITY ? 0 : expected));
    if (isSpecial(spec)) {
      this.#taken.add(spec, -1);
      this.#host.freed();
    }
    if (worker.inflight.size === 0) {
      worker.cpus = 0;
      worker.idleSince = performance.now();
    }
  }

  #idle(): boolean {
    for (const worker of this.workers) if (worker.inflight.size === 0 && !worker.leaving) return true;
    return false;
  }

  #cpusTaken(): number {
    let taken = this.#actorCpus;
    for (const worker of this.workers) if (worker.inflight.size > worker.blocked) taken += worker.cpus;
    return taken;
  }

  #fits(spec: Needs): boolean {
    return this.#cpusTaken() + spec.cpus <= this.capacity.cpus && this.#taken.lacking(spec, this.capacity).length === 0;
  }

  /** Sends what can be sent. */
  pump(): void {
    if (this.#pumping || (this.paused && this.workers.some((one) => one.inflight.size > one.blocked))) return;
    this.#pumping = true;
    const prompt = this.#ready.length < fewTasks;
    try {
      const mayStart = this.#pumpSpecial();
      this.#pumpReady(mayStart);
    } finally {
      this.#pumping = false;
    }
    for (const worker of this.workers) {
      worker.prompt = prompt;
      worker.flush();
    }
    this.#watch();
  }

  /**
   * Returns how many of the ordinary line come before the first special task that waits for cores. One that waits for
   * something else holds up only those who want the same.
   */
  #pumpSpecial(): number {
    const special = this.#special;
    const awaited = new Set<string>();
    for (let i = 0; i < special.length; ) {
      const record = special[i]!;
      const { spec } = record;
      if (record.settled) {
        special.splice(i, 1);
        continue;
      }
      const before = this.#orders.get(record)! - this.#order;
      if (before > 0 && this.#ready.length > 0) return before;
      const wanted = wants(spec);
      const lacking = this.#taken.lacking(spec, this.capacity);
      for (const name of lacking) awaited.add(name);
      if (lacking.length > 0 || wanted.some((name) => awaited.has(name))) {
        i++;
        continue;
      }
      if (this.#cpusTaken() + spec.cpus > this.capacity.cpus) return 0;
      const worker = this.#freeWorker();
      if (!worker) {
        if (this.#host.spawnExtra()) continue;
        return 0;
      }
      special.splice(i, 1);
      this.#taken.add(spec, 1);
      worker.cpus = spec.cpus;
      this.#send(worker, record);
    }
    return Number.POSITIVE_INFINITY;
  }

  #pumpReady(most: number): void {
    const ready = this.#ready;
    let left = Math.min(most, ready.length);
    while (left > 0) {
      const worker = this.#leastLoaded(ready.peek()!);
      if (!worker) {
        // Cores are free, because tasks wait for others: a process that is not theirs takes the next one.
        if (this.#cpusTaken() + 1 <= this.capacity.cpus && !this.#allStarting() && this.#host.spawnExtra()) continue;
        return;
      }
      // Dealt in equal parts, so that the last batch does not wait at one worker.
      const share = Math.max(1, Math.ceil(left / this.workers.length));
      let given = 0;
      while (given < share && left > 0) {
        const record = ready.peek()!;
        if (record.settled) {
          ready.shift();
          this.#order++;
          left--;
          continue;
        }
        if (!this.#hasRoom(worker, record)) break;
        ready.shift();
        this.#order++;
        left--;
        given++;
        if (worker.inflight.size <= worker.blocked) worker.cpus = 1;
        this.#send(worker, record);
      }
      if (given === 0) return;
    }
  }

  #send(worker: WorkerProcess, record: Record): void {
    const expected = record.code?.statistics.expectedMs ?? 0;
    if (expected !== Number.POSITIVE_INFINITY) worker.load += expected;
    this.#host.send(worker, record);
  }

  #hasRoom(worker: WorkerProcess, record: Record): boolean {
    if (worker.leaving || !worker.mayNumber()) return false;
    const active = worker.inflight.size - worker.blocked;
    // A task that is killed takes the whole process with it: one in which another waits is the last choice.
    if (worker.blocked > 0 && (active > 0 || this.#host.maySpawn())) return false;
    if (active <= 0) return this.#cpusTaken() + 1 <= this.capacity.cpus;
    // Without claims nobody can say which of several tasks a killed worker was in: one at a time.
    if (!worker.claims || active >= aheadTasks || !worker.greeted) return false;
    if (worker.cpus > 1) return false;
    // The next chunk lies ready while one runs.
    if (record.each) return active < 2;
    const expected = record.code!.statistics.expectedMs;
    return worker.load + expected <= aheadMs && expected < aheadMs / 2;
  }

  #freeWorker(): WorkerProcess | undefined {
    const free = this.workers.filter((one) => one.inflight.size <= one.blocked && !one.leaving && one.mayNumber());
    return free.find((one) => one.blocked === 0) ?? (this.#host.maySpawn() ? undefined : free[0]);
  }

  /** A process is on its way for each task that could start. */
  #allStarting(): boolean {
    return this.workers.some((worker) => !worker.greeted && worker.inflight.size === 0);
  }

  /** Tasks like this one that a worker gets ahead. */
  #depth(record: Record): number {
    const expected = record.each ? Number.POSITIVE_INFINITY : record.code!.statistics.expectedMs;
    return expected === Number.POSITIVE_INFINITY ? 2 : Math.max(2, Math.min(aheadTasks, aheadMs / expected));
  }

  #leastLoaded(record: Record): WorkerProcess | undefined {
    let best: WorkerProcess | undefined;
    let bestActive = Number.POSITIVE_INFINITY;
    for (const worker of this.workers) {
      const active = worker.inflight.size - worker.blocked;
      // A worker that is still starting takes a first task only when no other is free.
      const cost = active + (worker.greeted ? 0 : 0.5);
      // Refilled by halves: a write per finished task would cost more than the task.
      if (cost < bestActive && active <= this.#depth(record) / 2 && this.#hasRoom(worker, record)) {
        best = worker;
        bestActive = cost;
      }
    }
    return best;
  }

  // --- taking tasks back

  /** While several tasks are at one worker, a long one may hold up the others. */
  #watch(): void {
    if (this.#watchTimer || !this.workers.some((worker) => worker.inflight.size > 1)) return;
    this.#watchTimer = setTimeout(() => {
      this.#watchTimer = undefined;
      this.#release();
    }, longMs).unref();
  }

  #release(): void {
    const now = monotonicMs();
    for (const worker of this.workers) {
      const startedAt = worker.inflight.size > 1 ? worker.claims?.startedAt : undefined;
      if (startedAt !== undefined && now - startedAt > longMs) this.#host.takeUnsent(worker);
    }
    this.#steal();
  }

  #steal(): void {
    const laden = this.#ready.length > 0 ? [] : this.workers.filter((one) => one.inflight.size - one.blocked > 1);
    const isIdle = () => this.workers.some((one) => one.inflight.size === 0);
    // A core is free while tasks wait for others: it takes a process of its own.
    if (laden.length > 0 && !isIdle() && this.#cpusTaken() + 1 <= this.capacity.cpus) this.#host.spawnExtra();
    if (isIdle()) for (const worker of laden) this.takeBack(worker, (waiting) => Math.floor(waiting / 2));
    this.pump();
  }

  /** Revokes the later part of what waits at a worker; `keep` says how many of the waiting ones stay. */
  takeBack(worker: WorkerProcess, keep: (waiting: number) => number): void {
    const { claims } = worker;
    if (!claims) return;
    const next = claims.next;
    const waiting = [...worker.inflight.keys()].filter((sequence) => sequence >= next);
    const from = waiting[keep(waiting.length)];
    if (from === undefined) return;
    const surely = claims.revoke(from, worker.nextSequence);
    for (const sequence of waiting.filter((one) => one >= surely).reverse()) {
      const record = worker.inflight.get(sequence)!;
      worker.inflight.delete(sequence);
      worker.unpin(sequence);
      this.left(worker, record);
      if (!record.settled) this.requeue(record);
    }
  }

  close(): void {
    clearTimeout(this.#watchTimer);
  }
}
