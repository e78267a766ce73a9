/**
 * The contract every engine keeps. `tasks/` knows nothing else: what passes here on worker processes passes on Ray.
 *
 * - `submit` gives a reference at once; arguments that are references are resolved by the engine, not by the caller.
 * - Results stay where they were made until fetched; what nobody holds any more is freed.
 * - A lost worker's tasks run again as often as `retries` says; thrown errors only with `retryErrors`.
 * - A task that waits inside for other tasks gives its slot back, so nested calls cannot deadlock.
 * - `cancel` stops queued and running tasks, endless loops included.
 * - Every change is an event.
 */
import type { CodeSource } from "./code.js";
import type { EngineEvent } from "./events.js";
import type { Frozen } from "./frozen.js";
import type { Held } from "./held.js";

/** What one task needs and how it may fail, checked and with every default filled in. */
export interface TaskSpec {
  readonly name: string;
  readonly retries: number;
  readonly retryErrors: boolean;
  /** 0: none. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly cpus: number;
  readonly gpus: number;
  /** Bytes. */
  readonly memory: number;
  readonly resources: Readonly<Record<string, number>>;
}

export interface ActorSpec {
  /** The class's name, for messages. */
  readonly label: string;
  /** Found again with `findActor`; `undefined` for one without a name. */
  readonly name: string | undefined;
  readonly maxRestarts: number;
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
  readonly cpus: number;
  readonly gpus: number;
  readonly memory: number;
  readonly resources: Readonly<Record<string, number>>;
}

/** A function or class that the engine knows. */
export interface Code {
  readonly id: number;
  readonly name: string;
  /** `file:line` of the user's own source. */
  readonly where: string;
  /** Bytes of what it takes along. */
  readonly capturedBytes: number;
}

/** One living instance. */
export interface ActorHandle {
  readonly id: number;
  readonly code: Code;
  readonly label: string;
}

export interface WaitLimits {
  /** `undefined`: for ever. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What a chunk gives for its items, in their order. */
export interface EachResult {
  readonly values: readonly unknown[];
  /** Items that failed: their index and the error, a `TaskError`. */
  readonly errors: readonly (readonly [number, Error])[];
}

/** How a chunk went. */
export interface ChunkRun {
  readonly runMs: number;
  /** Items that failed. */
  readonly failed: number;
}

/** A reference that is tied to its value later. */
export interface Later {
  readonly held: Held;
  /** It is item `index` of that chunk, or the whole value without an index. */
  is(target: Held, index?: number): void;
  fails(error: Error): void;
}

/** Which item of a chunk was running when it was lost or timed out, when the engine knows it. */
export interface LostItem {
  /** The chunk had no part in the end of its worker. */
  readonly innocent?: boolean;
  /** Index in the chunk. */
  readonly within?: number | undefined;
}

export interface Engine {
  readonly name: "embedded" | "ray";
  readonly address: string | undefined;
  readonly workers: number;
  readonly closed: boolean;
  /** Tasks submitted and not finished. */
  readonly underWay: number;
  /** What failed and was not fetched, with its error. */
  readonly unfetched: Map<object, Error>;

  /** Makes a function or class known. Throws `CaptureError` when it cannot travel. */
  define(source: CodeSource, name: string | undefined): Code;

  submit(code: Code, args: readonly unknown[], spec: TaskSpec): Held;
  /** Copies an item now, for a `submitEach` later. */
  freeze(value: unknown, what: string): Frozen;
  /** One call per item in one task; items may be frozen. Not retried by the engine: the error says which item was running. */
  submitEach(code: Code, items: readonly unknown[], spec: TaskSpec): Held;
  later(label: string): Later;
  put(value: unknown): Promise<Held>;

  /** The values in order; a chunk's value is an `EachResult`. The first failure rejects. */
  get(helds: readonly Held[], limits: WaitLimits, what: string): Promise<unknown[]>;
  /** Settles when `count` are ready or failed, or at the time-out: which are. */
  wait(helds: readonly Held[], count: number, limits: WaitLimits, what: string): Promise<boolean[]>;
  /**
   * Calls back once, when it is ready (`undefined` as the error) or failed; with what a chunk took. Does not count as
   * fetching it.
   */
  onSettled(held: Held, callback: (error: Error | undefined, run: ChunkRun) => void): void;
  /**
   * Somebody waits for tasks in another way than `get` and `wait`: the program stays alive meanwhile, and a task that waits
   * gives its slot back.
   */
  whileWaiting<T>(work: () => Promise<T>): Promise<T>;
  cancel(helds: readonly Held[], force: boolean): Promise<void>;

  createActor(code: Code, args: readonly unknown[], spec: ActorSpec): ActorHandle;
  callActor(actor: ActorHandle, method: string, args: readonly unknown[]): Held;
  findActor(name: string): Promise<ActorHandle>;
  killActor(actor: ActorHandle): Promise<void>;
  /** This program holds no handle of it any more: without a name and without handles elsewhere it ends. */
  dropActor(actor: ActorHandle): void;

  scale(workers: number): Promise<void>;
  close(): Promise<void>;

  on(listener: (event: EngineEvent) => void): () => void;
  snapshot(): EngineSnapshot;
}

export interface WorkerSnapshot {
  readonly name: string;
  readonly pid: number;
  readonly state: "starting" | "idle" | "busy" | "actor";
  /** Bytes; `undefined` before the first measurement. */
  readonly memory: number | undefined;
  /** Tasks sent and not finished. */
  readonly tasks: number;
  readonly running: string | undefined;
}

export type Step = "serialise" | "queue" | "transfer" | "run" | "fetch";

export interface FunctionSnapshot {
  readonly name: string;
  readonly where: string;
  readonly calls: number;
  readonly finished: number;
  readonly failed: number;
  readonly bytes: number;
  /** Seconds. */
  readonly steps: Readonly<Record<Step, { readonly median: number; readonly total: number }>>;
}

/** The state now, as plain data. */
export interface EngineSnapshot {
  readonly workers: readonly WorkerSnapshot[];
  readonly queued: number;
  readonly running: number;
  readonly functions: readonly FunctionSnapshot[];
  /** Bytes of stored objects, in memory and in files. */
  readonly objectBytes: number;
  /** Of them in files. */
  readonly spilledBytes: number;
  /** Worker time since the start, seconds. */
  readonly workerSeconds: number;
}
