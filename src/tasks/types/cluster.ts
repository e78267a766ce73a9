/** The session as types. */
import type { Duration, MemorySize } from "../../common/index.js";
import type { Step } from "../../engine/index.js";

export interface ClusterOptions {
  /** Default: one per usable core. */
  workers?: number | undefined;
  /** Default: `GIRONA_ENGINE`, else `"embedded"`: worker processes on this machine. `"ray"` starts or joins a Ray cluster. */
  engine?: "embedded" | "ray" | undefined;
  /** Joins the cluster at this address (`host:port` of Ray's head); default: starts one here. */
  address?: string | undefined;
  /** Heap of each worker. Default: an equal share of what the machine or its cgroup allows. */
  memoryPerWorker?: MemorySize | undefined;
  /** Stored objects in memory before they spill to files. Default: 30 % of what the machine or its cgroup allows. */
  objectMemory?: MemorySize | undefined;
  /** GPUs that tasks may ask for. Default 0. */
  gpus?: number | undefined;
  /** Other resources by name, such as licences, that tasks may ask for. */
  resources?: Readonly<Record<string, number>> | undefined;
  /** Closes itself after this long without work. */
  idleTimeout?: Duration | undefined;
  /** `false`, or the port to try first. Default 8787. */
  dashboard?: boolean | number | undefined;
  /** For the cost shown at the end. */
  pricePerWorkerHour?: number | undefined;
}

/** The cluster in use; it closes with the scope that opened it. */
export interface Cluster extends AsyncDisposable {
  /** `undefined` when the dashboard is off. */
  readonly dashboardLink: string | undefined;
  readonly workers: number;
  /** Adds workers, or lets them finish and go. */
  scale(to: { workers: number }): Promise<void>;
  /** Where the time of the calls went, one row per function. */
  profile(): FunctionProfile[];
  /** The mistakes noticed so far, each once. */
  advice(): Advice[];
  /** What the cluster has cost so far. */
  cost(): Cost;
  /**
   * Writes all three as one page, with the workers and the machine; a name that ends in `.json` gets the same as JSON.
   *
   * @throws UsageError when the file cannot be written.
   */
  report(file: string): Promise<void>;
  close(): Promise<void>;
}

export interface StepTime {
  /** Seconds. */
  readonly median: number;
  readonly total: number;
}
export interface FunctionProfile extends Readonly<Record<Step, StepTime>> {
  readonly name: string;
  readonly calls: number;
  readonly bytes: number;
}
export interface Advice {
  readonly rule:
    | "get-in-loop"
    | "small-tasks"
    | "large-argument"
    | "busy-main-thread"
    | "large-capture"
    | "cluster-per-call";
  /** `file:line` of the call. */
  readonly where: string;
  readonly what: string;
  /** What it cost, in words: `"800 MB moved"`. */
  readonly cost: string;
  readonly fix: string;
}
export interface Cost {
  readonly workerHours: number;
  /** `undefined` without a price. */
  readonly price: number | undefined;
}
