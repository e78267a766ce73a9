/** The errors of tasks in words: who, where, how often, and what to do. */
import { inspect } from "node:util";
import {
  ActorLostError,
  EngineError,
  showBytes,
  TaskError,
  TimeoutError,
  WorkerLostError,
} from "../../common/index.js";
import type { Record } from "./record.js";
import type { WorkerEnd, WorkerProcess } from "./worker-process.js";

/** Where the engine noticed it says nothing to the user: the stack that matters is the cause's. */
function withoutFrames<E extends Error>(make: () => E): E {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function firstFrame(stack: string | undefined): string | undefined {
  for (const line of stack?.split("\n").slice(1) ?? []) {
    const place = /(?:\(|\bat (?:async )?)((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*:\d+:\d+)\)?$/.exec(line.trim())?.[1];
    if (place) return place.replace(/^file:\/\//, "");
  }
  return undefined;
}

/** Longest message repeated in another; the cause has all of it. */
const longest = 1000;

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text;
}

/** What is no error, in a line: it may be anything, also what cannot be made a text. */
function thrown(value: unknown): string {
  return cut(
    inspect(value, { depth: 1, maxArrayLength: 5, maxStringLength: 200, breakLength: Number.POSITIVE_INFINITY }),
  );
}

/** Classes that extend Error rarely set their name. */
function className(error: Error): string {
  return error.name === "Error" ? (error.constructor?.name ?? error.name) : error.name;
}

/** Whatever was thrown, in words; and where. A hostile object must not take the task's end with it. */
function describe(cause: unknown): { readonly shown: string; readonly at: string | undefined } {
  try {
    if (!(cause instanceof Error)) return { shown: `threw ${thrown(cause)}`, at: undefined };
    return { shown: `${className(cause)}: ${cut(cause.message)}`, at: firstFrame(cause.stack) };
  } catch {
    return { shown: "threw something that cannot be shown", at: undefined };
  }
}

/** The function threw `cause`. */
export function taskFailed(record: Record, cause: unknown, worker: string): TaskError {
  const { name, attempts } = { name: record.spec.name, attempts: Math.max(1, record.attempts) };
  const { shown, at } = describe(cause);
  const again = attempts > 1 ? `, run ${attempts} times` : "";
  return withoutFrames(
    () =>
      new TaskError(`${name} failed on ${worker}${again}: ${shown}${at ? ` (at ${at})` : ""}`, {
        task: name,
        ref: record,
        worker,
        attempts,
        cause,
      }),
  );
}

function ending(worker: WorkerProcess, end: WorkerEnd): string {
  if (worker.stoppedFor) return worker.stoppedFor;
  const memory = worker.memory === undefined ? "" : `, using ${showBytes(worker.memory)} when last measured`;
  if (worker.heapExhausted) {
    return `its heap was exhausted${memory}; give each worker more (cluster({ memoryPerWorker })) or each task less`;
  }
  if (end.signal) {
    const kernel =
      end.signal === "SIGKILL" ? "; if nobody did that by hand, the kernel most likely did for lack of memory" : "";
    return `its process was ended by ${end.signal}${memory}${kernel}`;
  }
  const uncaught = end.exitCode === 1 ? uncaughtError(worker.lastLines) : undefined;
  if (uncaught)
    return `an error outside of any call ended its process, in a timer or a promise that nobody waits for: ${uncaught}`;
  return `its process exited with code ${end.exitCode ?? "unknown"}${memory}; a task must not call process.exit()`;
}

/** What Node.js prints last of an error that nobody catches: a line that says what, then where. */
function uncaughtError(lines: readonly string[]): string | undefined {
  const last = lines.findLastIndex((line) => /^ {4}at /.test(line));
  if (last < 0) return undefined;
  const before = lines.slice(0, last).findLastIndex((line) => !/^ {4}at /.test(line));
  const at = firstFrame(lines.slice(before, last + 1).join("\n"));
  return before < 0 ? undefined : `${cut(lines[before]!)}${at ? ` (at ${at})` : ""}`;
}

function ordinal(n: number): string {
  const ending =
    n % 100 >= 11 && n % 100 <= 13 ? undefined : ({ 1: "st", 2: "nd", 3: "rd" } as const)[(n % 10) as 1 | 2 | 3];
  return `${n}${ending ?? "th"}`;
}

export function workerLost(record: Record, worker: WorkerProcess, end: WorkerEnd): WorkerLostError {
  const { name } = record.spec;
  const runs = record.attempts > 1 ? `, for the ${ordinal(record.attempts)} time` : "";
  return withoutFrames(
    () =>
      new WorkerLostError(`${worker.name} was lost while it ran ${name}${runs}: ${ending(worker, end)}.`, {
        worker: worker.name,
        signal: end.signal,
        exitCode: end.exitCode,
        memoryBytes: worker.memory,
        attempts: record.attempts,
      }),
  );
}

export function actorLost(actor: string, worker: WorkerProcess, end: WorkerEnd, restarts: number): ActorLostError {
  return withoutFrames(
    () =>
      new ActorLostError(
        `The actor ${actor} was lost with its state (${worker.name}): ${ending(worker, end)}. Restarted ${restarts} times; the option maxRestarts allows more.`,
        { actor, worker: worker.name, signal: end.signal, exitCode: end.exitCode, restarts },
      ),
  );
}

export function cannotStart(error: Error): Error {
  if (error instanceof EngineError) return error;
  return new EngineError(
    `A worker process cannot be started: ${error.message}. See ulimit -n and ulimit -u, and the memory that is left.`,
    { engine: "embedded", address: undefined, cause: error },
  );
}

export function timedOut(record: Record): TimeoutError {
  const seconds = record.spec.timeoutMs / 1e3;
  return withoutFrames(
    () =>
      new TimeoutError(`${record.spec.name} ran longer than its timeout of ${seconds} s; its worker was stopped.`, {
        task: record.spec.name,
        seconds,
      }),
  );
}
