/** One worker process as the driver sees it: its socket, its output, what was sent to it. */

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, readFileSync, readSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { EngineError } from "../../common/index.js";
import { beginFrame, endFrame, FrameParser, type Reader, Writer } from "../codec/index.js";
import type { Later } from "../engine.js";
import { Children } from "./children.js";
import { Claims, claimsBytes, lastSequence } from "./claims.js";
import { OutputLines } from "./output.js";
import { ToDriver, ToWorker } from "./protocol.js";
import { killGroup } from "./reaper.js";
import type { Record } from "./record.js";
import type { FileSegment } from "./segments.js";
import { sharedMemory } from "./shm.js";

export interface WorkerOptions {
  readonly number: number;
  readonly name: string;
  readonly directory: string;
  /** Bytes. */
  readonly heap: number;
  /** Of the whole cluster, when it was started. */
  readonly workers: number;
}

/** How a worker's process ended. */
export interface WorkerEnd {
  readonly signal: string | undefined;
  readonly exitCode: number | undefined;
}

export interface WorkerListener {
  frame(worker: WorkerProcess, type: number, body: Reader): void;
  ended(worker: WorkerProcess, end: WorkerEnd): void;
  line(worker: WorkerProcess, stream: "stdout" | "stderr", task: string | undefined, text: string): void;
}

// Beside this file when both are bundled, else where it was compiled to.
const entry = [new URL("./worker.js", import.meta.url), new URL("../../worker/main.js", import.meta.url)]
  .map((url) => fileURLToPath(url))
  .find((path) => existsSync(path));

/** No process of Node.js is smaller than this, bytes. */
const leastMemory = 2 ** 23;
/** How long after a worker's end its socket is read, ms. */
const longestRead = 500;

// Libraries that would start a thread per core in every worker.
const threadVariables = [
  "OMP_NUM_THREADS",
  "OPENBLAS_NUM_THREADS",
  "MKL_NUM_THREADS",
  "NUMEXPR_NUM_THREADS",
  "VECLIB_MAXIMUM_THREADS",
  "BLIS_NUM_THREADS",
  "VIPS_CONCURRENCY",
];

/** A worker's own options of Node: the driver's loaders and debuggers are not for it. */
function environment(options: WorkerOptions): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const variable of threadVariables) env[variable] ??= "1";
  const nodeOptions = (env["NODE_OPTIONS"] ?? "")
    .replace(/--inspect\S*|--(?:import|require|loader|experimental-loader)[= ]\S*tsx\S*|-r \S*tsx\S*/g, "")
    .trim();
  if (nodeOptions) env["NODE_OPTIONS"] = nodeOptions;
  else delete env["NODE_OPTIONS"];
  env["GIRONA_WORKER"] = JSON.stringify({
    number: options.number,
    name: options.name,
    parent: process.pid,
    directory: options.directory,
    workers: options.workers,
  });
  return env;
}

export class WorkerProcess {
  readonly number: number;
  readonly name: string;
  startedAt = performance.now();
  readonly claims: Claims | undefined;
  readonly child: ChildProcess;
  /** Sent and not finished, by sequence number. */
  readonly inflight = new Map<number, Record>();
  /** Numbers of the functions it knows. */
  readonly knows = new Set<number>();
  /** How often each record's number was sent to it and not given back. */
  readonly holds = new Map<number, number>();
  /** Segments named in the message of a task, by its number: not moved until it is done. */
  readonly pins = new Map<number, readonly FileSegment[]>();
  /** What a reply names, kept until the worker has mapped it. */
  readonly leases = new Map<number, { readonly kept: unknown; readonly pins: readonly FileSegment[] }>();
  readonly children = new Children();
  /** References that a task of it ties to their values later, by number. */
  readonly laters = new Map<number, Later>();
  /** Few tasks are left: each result is wanted at once, not with those of the next ones. */
  prompt = true;
  nextSequence = 0;
  greeted = false;
  leaving = false;
  gone = false;
  /** Requests inside tasks that wait for other tasks. */
  blocked = 0;
  /** Expected run time of what was sent, ms. */
  load = 0;
  /** Cores taken by what runs. */
  cpus = 0;
  /** Waits for a task that takes several cores. */
  memory: number | undefined;
  /** Of it, what no other process has as well. */
  ownMemory = 0;
  /** The driver ended it for one of its tasks; the others had no part in that. */
  sacrificed = false;
  /** What it printed last on stderr. */
  readonly lastLines: string[] = [];
  /** V8 said so before it ended. */
  heapExhausted = false;
  /** Why the driver itself ended it, in words. */
  stoppedFor: string | undefined;
  /** The actor it holds. */
  actor: object | undefined;
  idleSince = performance.now();
  readonly #socket: Socket;
  readonly #writer = new Writer();
  readonly #listener: WorkerListener;
  readonly #outputs: { readonly fd: number; readonly lines: OutputLines; readonly socket: Socket }[] = [];
  #frame = -1;
  #tasksAt = 0;
  #tasks = 0;
  #closeFiles: number[] = [];

  constructor(options: WorkerOptions, listener: WorkerListener) {
    this.number = options.number;
    this.name = options.name;
    this.#listener = listener;
    const shm = sharedMemory();
    const page = shm?.memoryFile();
    if (page !== undefined) {
      writeSync(page, new Uint8Array(claimsBytes), 0, claimsBytes, 0);
      this.claims = new Claims(shm!.map(page, claimsBytes, "shared"));
    }
    const out = shm?.pipe();
    const err = shm?.pipe();
    if (!entry) {
      throw new EngineError(
        'The program of the workers is missing beside girona\'s own files. A bundler must leave girona out (external: ["girona"]).',
        { engine: "embedded", address: undefined },
      );
    }
    const heap = Math.max(64, Math.floor(options.heap / 2 ** 20));
    this.child = spawn(
      process.execPath,
      ["--experimental-import-meta-resolve", "--no-warnings", `--max-old-space-size=${heap}`, entry, options.name],
      {
        stdio: ["ignore", out?.write ?? "pipe", err?.write ?? "pipe", "pipe", page ?? "ignore"],
        env: environment(options),
        // A group of its own, which is ended as a whole: tasks start processes too.
        detached: true,
        windowsHide: true,
      },
    );
    for (const fd of [out?.write, err?.write, page]) if (fd !== undefined) closeSync(fd);
    if (this.child.pid === undefined || !this.child.stdio?.[3]) {
      // Why comes as an event, too late for who wants the worker.
      this.child.on("error", () => {});
      for (const fd of [out?.read, err?.read]) if (fd !== undefined) closeSync(fd);
      throw new Error("the system starts no process (too many files or processes, or no memory)");
    }
    this.#listen("stdout", out?.read);
    this.#listen("stderr", err?.read);
    this.#socket = this.child.stdio[3] as Socket;
    const parser = new FrameParser((type, body) => {
      if (type === ToDriver.hello) this.greeted = true;
      listener.frame(this, type, body);
    });
    this.#socket.on("data", (chunk: Buffer) => parser.push(chunk));
    this.#socket.on("error", () => {});
    this.#socket.unref();
    // `exit` and not `close`: a child of the worker may keep its output open. What the worker wrote before its end is still
    // in the socket: it is read first, so that finished work counts.
    this.child.on("exit", (code, signal) => {
      const end = { exitCode: code ?? undefined, signal: signal ?? undefined };
      // What its tasks have started ends with it.
      killGroup(this.pid, "SIGKILL");
      if (this.#socket.destroyed) this.#ended(end);
      else {
        this.#socket.once("close", () => this.#ended(end));
        setTimeout(() => this.#ended(end), longestRead).unref();
      }
    });
    this.child.on("error", (error) => {
      listener.line(this, "stderr", undefined, `could not start: ${error.message}`);
      this.#ended({ exitCode: undefined, signal: undefined });
    });
    this.child.unref();
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  #listen(stream: "stdout" | "stderr", fd: number | undefined): void {
    const socket =
      fd === undefined ? (this.child[stream] as Socket) : new Socket({ fd, readable: true, writable: false });
    const lines = new OutputLines((task, text) => this.#listener.line(this, stream, task, text));
    socket.on("data", (chunk: Buffer) => lines.push(chunk));
    socket.on("error", () => {});
    socket.on("end", () => lines.end());
    socket.unref();
    this.#outputs.push({ fd: fd ?? -1, lines, socket });
  }

  /** Everything printed so far, also when the event loop will not turn again. */
  drainOutput(): void {
    const chunk = Buffer.allocUnsafe(1 << 16);
    for (const { fd, lines, socket } of this.#outputs) {
      if (fd < 0 || socket.destroyed) continue;
      for (let reads = 0; reads < 1024; reads++) {
        let count = 0;
        try {
          count = readSync(fd, chunk, 0, chunk.length, null);
        } catch {
          // Nothing there now (EAGAIN), or closed.
        }
        if (count === 0) break;
        lines.push(Buffer.from(chunk.subarray(0, count)));
      }
      lines.end();
    }
  }

  #ended(end: WorkerEnd): void {
    if (this.gone) return;
    this.gone = true;
    this.drainOutput();
    for (const { socket } of this.#outputs) socket.destroy();
    this.#socket.destroy();
    this.#listener.ended(this, end);
  }

  /** May another task be numbered? After some billions the worker is drained, and the numbers start anew. */
  mayNumber(): boolean {
    if (this.nextSequence < lastSequence) return true;
    if (this.inflight.size > 0) return false;
    this.claims?.reset();
    this.nextSequence = 0;
    return true;
  }

  /** Tasks that run here, or wait inside for others. */
  started(): Record[] {
    const next = this.claims?.next ?? Number.POSITIVE_INFINITY;
    return [...this.inflight].flatMap(([sequence, record]) => (sequence < next ? [record] : []));
  }

  /** The task has left: its segments may be moved again. */
  unpin(sequence: number): void {
    if (this.pins.size === 0) return;
    for (const segment of this.pins.get(sequence) ?? []) segment.pins--;
    this.pins.delete(sequence);
  }

  endLease(request: number): void {
    for (const segment of this.leases.get(request)?.pins ?? []) segment.pins--;
    this.leases.delete(request);
  }

  /** It is gone, and everything it might have read with it. */
  unpinAll(): void {
    for (const sequence of [...this.pins.keys()]) this.unpin(sequence);
    for (const request of [...this.leases.keys()]) this.endLease(request);
  }

  // --- sending

  get writer(): Writer {
    return this.#writer;
  }

  /** Starts a frame of another type than tasks. */
  begin(type: number): number {
    this.#endTasks();
    return beginFrame(this.#writer, type);
  }

  end(begin: number): void {
    endFrame(this.#writer, begin);
  }

  /** The next task goes into the open frame of tasks. */
  beginTask(): Writer {
    if (this.#frame < 0) {
      this.#frame = beginFrame(this.#writer, ToWorker.tasks);
      this.#tasksAt = this.#writer.position;
      this.#writer.u32(0);
      this.#tasks = 0;
    }
    this.#tasks++;
    return this.#writer;
  }

  #endTasks(): void {
    if (this.#frame < 0) return;
    this.#writer.patchU32(this.#tasksAt, this.#tasks * 2 + (this.prompt ? 1 : 0));
    endFrame(this.#writer, this.#frame);
    this.#frame = -1;
  }

  closeFile(fd: number): void {
    this.#closeFiles.push(fd);
  }

  flush(): void {
    this.#endTasks();
    if (this.#closeFiles.length > 0) {
      const begin = beginFrame(this.#writer, ToWorker.closeFiles);
      this.#writer.u32(this.#closeFiles.length);
      for (const fd of this.#closeFiles) this.#writer.u32(fd);
      endFrame(this.#writer, begin);
      this.#closeFiles = [];
    }
    if (this.#writer.length > 0 && !this.gone) this.#socket.write(this.#writer.take());
  }

  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    if (!this.gone && this.child.exitCode === null && this.child.signalCode === null) killGroup(this.pid, signal);
  }

  measureMemory(): void {
    try {
      const [, resident = 0, shared = 0] = readFileSync(`/proc/${this.pid}/statm`, "utf8").split(" ").map(Number);
      // One that is ending has given most of it back already.
      if (resident * 4096 < leastMemory) return;
      this.memory = resident * 4096;
      this.ownMemory = (resident - shared) * 4096;
    } catch {
      // Gone, or no /proc.
    }
  }
}
