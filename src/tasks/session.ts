/** The clusters that are open in this process, and the one that calls use. */
import { bytes, EngineError, seconds, UsageError, usableCores, usableMemory } from "../common/index.js";
import {
  EmbeddedEngine,
  type EmbeddedOptions,
  type Engine,
  type Held,
  startEmbedded,
  type WorkerSnapshot,
} from "../engine/index.js";
import { Adviser } from "./advice.js";
import { callSite } from "./callsite.js";
import { clusterWasOpen } from "./openings.js";
import { checkNames, count, resources } from "./options.js";
import { profileClosed, profileOpened, profiling, readProfileVariable, writeProfile } from "./profile-file.js";
import type { Report } from "./report.js";
import { thisMachine, writeReport } from "./report-file.js";
import { openStatus, type StatusPage } from "./status.js";
import { print, printAtOnce } from "./stderr.js";
import type { Advice, Cluster, ClusterOptions, Cost, FunctionProfile } from "./types/index.js";
import { reportUnfetched } from "./unfetched.js";

const optionNames = [
  "workers",
  "engine",
  "address",
  "memoryPerWorker",
  "objectMemory",
  "gpus",
  "resources",
  "idleTimeout",
  "dashboard",
  "pricePerWorkerHour",
];

interface Settings {
  readonly embedded: EmbeddedOptions;
  readonly idleMs: number | undefined;
  readonly dashboard: boolean | number;
  readonly price: number | undefined;
}

function settings(options: ClusterOptions): Settings {
  checkNames(options, optionNames, "cluster()");
  // An empty variable is how a shell unsets one for a command.
  const engine = options.engine ?? (process.env["GIRONA_ENGINE"] || "embedded");
  if (engine !== "embedded") {
    const known =
      engine === "ray" ? "The engine for Ray is not part of this version" : `There is no engine "${engine}"`;
    throw new EngineError(
      `${known}; use "embedded", which needs nothing but this machine (option engine, or GIRONA_ENGINE).`,
      { engine, address: options.address },
    );
  }
  if (options.address !== undefined) {
    throw new UsageError(
      `address: "${options.address}" was given; the embedded engine runs on this machine and joins nothing.`,
      { parameter: "address" },
    );
  }
  const workers = count("workers", options.workers, usableCores().value, { least: 1, most: mostWorkers });
  const memory = usableMemory().value;
  const heap =
    options.memoryPerWorker === undefined
      ? Math.floor(memory / (workers + 1))
      : bytes(options.memoryPerWorker, "memoryPerWorker");
  if (options.memoryPerWorker !== undefined && heap < 2 ** 26) {
    throw new UsageError(`memoryPerWorker: "${options.memoryPerWorker}" was given; a worker needs at least 64MiB.`, {
      parameter: "memoryPerWorker",
    });
  }
  const { dashboard = true } = options;
  if (typeof dashboard !== "boolean") {
    count("dashboard", dashboard, 0);
    if (dashboard > 65_535)
      throw new UsageError(`dashboard: ${dashboard} was given; a port is at most 65535.`, { parameter: "dashboard" });
  }
  return {
    embedded: {
      workers,
      heap,
      objectMemory:
        options.objectMemory === undefined ? Math.floor(memory * 0.3) : bytes(options.objectMemory, "objectMemory"),
      gpus: count("gpus", options.gpus, 0),
      memory,
      resources: resources(options.resources),
      print,
    },
    idleMs: options.idleTimeout === undefined ? undefined : seconds(options.idleTimeout, "idleTimeout") * 1e3,
    dashboard,
    price:
      options.pricePerWorkerHour === undefined
        ? undefined
        : count("pricePerWorkerHour", options.pricePerWorkerHour, 0, { whole: false }),
  };
}

export class Session implements Cluster {
  readonly engine: Engine;
  readonly adviser: Adviser;
  readonly #price: number | undefined;
  #status: StatusPage | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** By `cluster()`, and not by the first call. */
  openedByCall: { readonly where: string; readonly at: number; readonly tookMs: number } | undefined;
  /** As they were when the cluster began to close. */
  #workers: readonly WorkerSnapshot[] | undefined;

  constructor(engine: Engine, price: number | undefined) {
    this.engine = engine;
    this.adviser = new Adviser(engine);
    this.#price = price;
    byEngine.set(engine, this);
  }

  get dashboardLink(): string | undefined {
    return this.#status?.link;
  }

  get workers(): number {
    return this.engine.workers;
  }

  async openDashboard(port: number): Promise<void> {
    this.#status = await openStatus(this, port);
  }

  /** Closes when nothing was under way for so long. */
  closeWhenIdle(idleMs: number): void {
    let since = performance.now();
    this.engine.on((event) => {
      if (event.type.startsWith("task") || event.type.startsWith("actor")) since = performance.now();
    });
    this.#idle = setInterval(
      () => {
        const { queued, running } = this.engine.snapshot();
        if (queued + running > 0) since = performance.now();
        else if (performance.now() - since >= idleMs) void this.close();
      },
      Math.max(10, Math.min(1000, idleMs / 4)),
    ).unref();
  }

  async scale(to: { workers: number }): Promise<void> {
    checkNames(to, ["workers"], "scale()");
    if (to.workers === undefined) {
      throw new UsageError("scale({ workers }): the number of workers is missing.", { parameter: "workers" });
    }
    await this.engine.scale(count("workers", to.workers, 1, { least: 1, most: mostWorkers }));
  }

  profile(): FunctionProfile[] {
    return this.engine
      .snapshot()
      .functions.map(({ name, calls, bytes: moved, steps }) => ({ name, calls, bytes: moved, ...steps }));
  }

  advice(): Advice[] {
    return this.adviser.advice();
  }

  cost(): Cost {
    const workerHours = this.engine.snapshot().workerSeconds / 3600;
    return { workerHours, price: this.#price === undefined ? undefined : workerHours * this.#price };
  }

  reportNow(): Report {
    const { functions, workers } = this.engine.snapshot();
    return {
      version: 1,
      functions: functions.map(({ name, where, calls, failed, bytes: moved, steps }) => ({
        name,
        where,
        calls,
        failed,
        bytes: moved,
        ...steps,
      })),
      advice: this.advice(),
      cost: this.cost(),
      workers: this.#workers ?? workers,
      machine: thisMachine(),
    };
  }

  async report(file: string): Promise<void> {
    await writeReport(file, this.reportNow());
  }

  async close(): Promise<void> {
    if (this.engine.closed) return;
    clearInterval(this.#idle);
    const closedAt = performance.now();
    this.#leave();
    await this.#status?.close();
    await this.engine.close();
    if (this.openedByCall) {
      const { where, at, tookMs } = this.openedByCall;
      clusterWasOpen(where, at, closedAt, tookMs + performance.now() - closedAt);
    }
    profileClosed(this);
    reportUnfetched(this.engine, print);
  }

  closeNow(): void {
    this.#leave();
    profileClosed(this);
    reportUnfetched(this.engine, print);
    (this.engine as EmbeddedEngine).closeNow();
  }

  #leave(): void {
    this.#workers = this.engine.snapshot().workers;
    this.adviser.stop();
    forget(this);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

// --- the open ones

const open: Session[] = [];
/** Closed ones too: their refs still tell what they hold. */
const byEngine = new WeakMap<object, Session>();
let workerSession: Session | undefined;

function forget(session: Session): void {
  const at = open.indexOf(session);
  if (at >= 0) open.splice(at, 1);
  // With a profile, the end of the program is still to come.
  if (open.length === 0 && !profiling()) unwatchExit();
}

/** Inside a worker: the engine that asks the driver. */
export function setWorkerEngine(engine: Engine): void {
  workerSession = new Session(engine, undefined);
}

export function insideTask(): boolean {
  return workerSession !== undefined;
}

/** The session that a call without `on` uses: the one opened last; one of its own when none is open. */
export function currentSession(): Session {
  return workerSession ?? open.at(-1) ?? openImplicitly();
}

export function sessionOf(on: Cluster | undefined): Session {
  if (on === undefined) return currentSession();
  if (on instanceof Session) return on;
  throw new UsageError("on: something else than a cluster was given; it takes what cluster() returned.", {
    parameter: "on",
  });
}

/** The session whose engine made a ref. */
export function sessionOfHeld(held: Held): Session {
  const { owner } = held as { owner?: object };
  return (owner && byEngine.get(owner)) ?? currentSession();
}

/** Is there a cluster that a look-up could ask, without starting one? */
export function anySession(): boolean {
  return workerSession !== undefined || open.length > 0;
}

/** `openedAt`: where in the program. */
function add(session: Session, openedAt: string): void {
  open.push(session);
  watchExit();
  session.adviser.watchMainThread(openedAt);
  profileOpened(session);
}

function openImplicitly(): Session {
  const { embedded, price } = settings({});
  readProfileVariable();
  const engine = new EmbeddedEngine(embedded);
  const session = new Session(engine, price);
  add(session, callSite());
  // The call goes on meanwhile; a failure comes back through its ref.
  engine.start().catch((error: Error) => engine.broke(error));
  void session.openDashboard(defaultPort).then(
    () => print(`girona: ${embedded.workers} workers on this machine; status at ${session.dashboardLink}`),
    (error: Error) => print(`girona: no status page: ${error.message}`),
  );
  return session;
}

const defaultPort = 8787;
/** More processes than any one machine runs: a mistake. */
const mostWorkers = 10_000;

/**
 * Starts or joins a cluster, which every distributed function of this process then uses.
 *
 * @example
 * await using session = await cluster({ workers: 2 }); // closes with the scope
 * console.log(session.workers); // 2
 * @throws UsageError for wrong options, EngineError when workers do not start.
 */
export async function cluster(options: ClusterOptions = {}): Promise<Cluster> {
  if (insideTask()) {
    throw new UsageError(
      "cluster() was called inside a task, which has a cluster already: call distributed functions as they are.",
      { parameter: "cluster" },
    );
  }
  const { embedded, idleMs, dashboard, price } = settings(options);
  readProfileVariable();
  const where = callSite();
  const began = performance.now();
  const session = new Session(await startEmbedded(embedded), price);
  add(session, where);
  session.openedByCall = { where, at: performance.now(), tookMs: performance.now() - began };
  try {
    if (dashboard !== false) await session.openDashboard(typeof dashboard === "number" ? dashboard : defaultPort);
  } catch (error) {
    await session.close();
    throw error;
  }
  if (idleMs !== undefined) session.closeWhenIdle(idleMs);
  return session;
}

// --- the end of the process

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function closeAll(): void {
  printAtOnce();
  for (const session of [...open].reverse()) session.closeNow();
  writeProfile();
}

/**
 * A signal ends the program as it would without girona, at once even in the middle of a long loop: what is left is cleared
 * away by the reaper. Only a profile makes it worth hearing of one first; then the signal waits for the loop to end.
 */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  closeAll();
  unwatchExit();
  process.kill(process.pid, signal);
}

let watching = false;

function watchExit(): void {
  if (watching) return;
  watching = true;
  process.on("exit", closeAll);
  // First of all, so that it sees who else listens: a listener for one time is gone before it is called.
  if (profiling()) for (const signal of signals) process.prependListener(signal, onSignal);
}

function unwatchExit(): void {
  watching = false;
  process.off("exit", closeAll);
  for (const signal of signals) process.off(signal, onSignal);
}
