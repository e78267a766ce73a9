/**
 * What girona throws: one class per kind, each with a literal `code`, the facts as fields, and the original error as
 * `cause`. The message says what happened, where, and what to do next.
 */

/** A held value, as errors name it; the full type is in `tasks/`. */
interface HeldRef {
  readonly id: string;
}

/** Each code with its class. */
export interface GironaErrors {
  Capture: CaptureError;
  Task: TaskError;
  WorkerLost: WorkerLostError;
  Timeout: TimeoutError;
  Cancelled: CancelledError;
  ActorLost: ActorLostError;
  Engine: EngineError;
  Mpi: MpiError;
  Hdf5: Hdf5Error;
  Slurm: SlurmError;
  Usage: UsageError;
}
export type ErrorCode = keyof GironaErrors;

// A registered symbol, so that an error from another process or a second copy of the package is still known.
const brand = Symbol.for("girona.error");

/** The base of all. */
export abstract class GironaError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  override readonly name: `${C}Error`;
  /** @internal */
  protected constructor(code: C, message: string, facts: object) {
    const { cause, ...fields } = facts as { cause?: unknown };
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.name = `${code}Error`;
    Object.assign(this, fields);
    Object.defineProperty(this, brand, { value: code });
  }

  /** @internal An error that came from another process is one of girona's again, if it was. */
  static restore(error: Error): void {
    const { code } = error as { code?: unknown };
    if (typeof code !== "string" || error.name !== `${code}Error` || !Object.hasOwn(errorClasses, code)) return;
    Object.setPrototypeOf(error, errorClasses[code as ErrorCode].prototype);
    Object.defineProperty(error, brand, { value: code });
  }
}

/** What a constructor takes besides the message: the fields of the class, and the cause. */
export type Facts<E extends GironaError> = Omit<E, keyof GironaError> & ErrorOptions;

/** A function or class cannot travel, because of something it names. */
export class CaptureError extends GironaError<"Capture"> {
  declare readonly variable: string;
  /** In words. */
  declare readonly reason: string;
  declare readonly file: string;
  declare readonly line: number;
  constructor(message: string, facts: Facts<CaptureError>) {
    super("Capture", message, facts);
  }
}

/** The function threw: `cause` is its own error. */
export class TaskError extends GironaError<"Task"> {
  /** The function's name. */
  declare readonly task: string;
  declare readonly ref: HeldRef;
  declare readonly worker: string;
  /** Runs so far, this one included. */
  declare readonly attempts: number;
  /** Number of the item that failed, for one of `.map`. */
  declare readonly item?: number | undefined;
  constructor(message: string, facts: Facts<TaskError>) {
    super("Task", message, facts);
    // Printing an error shows its fields, and this one would show the whole engine behind it.
    Object.defineProperty(this, "ref", { enumerable: false });
  }
}

/** The worker's process ended under the task, on every attempt. */
export class WorkerLostError extends GironaError<"WorkerLost"> {
  declare readonly worker: string;
  /** `"SIGKILL"` and the like; `undefined` when the process exited by itself. */
  declare readonly signal: string | undefined;
  declare readonly exitCode: number | undefined;
  /** The worker's memory when last measured; near the limit, it was most likely killed for that. */
  declare readonly memoryBytes: number | undefined;
  declare readonly attempts: number;
  constructor(message: string, facts: Facts<WorkerLostError>) {
    super("WorkerLost", message, facts);
  }
}

/** A time-out of a task, `get`, or another call passed. */
export class TimeoutError extends GironaError<"Timeout"> {
  /** What took too long: a function's name, or the call. */
  declare readonly task: string;
  /** The time-out. */
  declare readonly seconds: number;
  constructor(message: string, facts: Facts<TimeoutError>) {
    super("Timeout", message, facts);
  }
}

/** The task or computation was cancelled, or its cluster closed. */
export class CancelledError extends GironaError<"Cancelled"> {
  declare readonly task: string;
  constructor(message: string, facts: Facts<CancelledError>) {
    super("Cancelled", message, facts);
  }
}

/** The actor's process ended, and its state with it. */
export class ActorLostError extends GironaError<"ActorLost"> {
  /** The class, and the actor's name if it has one. */
  declare readonly actor: string;
  declare readonly worker: string;
  declare readonly signal: string | undefined;
  declare readonly exitCode: number | undefined;
  declare readonly restarts: number;
  constructor(message: string, facts: Facts<ActorLostError>) {
    super("ActorLost", message, facts);
  }
}

/** A call was made wrongly: what was given, and what is accepted. */
export class UsageError extends GironaError<"Usage"> {
  /** The option or parameter. */
  declare readonly parameter: string;
  constructor(message: string, facts: Facts<UsageError>) {
    super("Usage", message, facts);
  }
}

/** The engine could not be started, reached, or understood. */
export class EngineError extends GironaError<"Engine"> {
  declare readonly engine: "embedded" | "ray" | (string & {});
  /** `undefined` for one in this process. */
  declare readonly address: string | undefined;
  constructor(message: string, facts: Facts<EngineError>) {
    super("Engine", message, facts);
  }
}

/** An MPI call failed. */
export class MpiError extends GironaError<"Mpi"> {
  /** MPI's error class. */
  declare readonly class: `MPI_ERR_${string}`;
  /** MPI's error code, whose meaning is the library's own. Not `code`, which is `"Mpi"`. */
  declare readonly errorCode: number;
  /** `"Send"` and the like. */
  declare readonly operation: string;
  /** The other rank; `undefined` for collective calls. */
  declare readonly peer: number | undefined;
  constructor(message: string, facts: Facts<MpiError>) {
    super("Mpi", message, facts);
  }
}

/** An HDF5 call failed; the message holds the library's error stack. */
export class Hdf5Error extends GironaError<"Hdf5"> {
  declare readonly file: string;
  /** The path inside the file; `undefined` when it concerns the file itself. */
  declare readonly path: string | undefined;
  /** `"read"` and the like. */
  declare readonly operation: string;
  constructor(message: string, facts: Facts<Hdf5Error>) {
    super("Hdf5", message, facts);
  }
}

/** A SLURM command failed. */
export class SlurmError extends GironaError<"Slurm"> {
  /** As it was run. */
  declare readonly command: readonly string[];
  /** `undefined` when the command was not found or was killed. */
  declare readonly exitCode: number | undefined;
  declare readonly stderr: string;
  constructor(message: string, facts: Facts<SlurmError>) {
    super("Slurm", message, facts);
  }
}

/** Is it an error of girona's, and of that code? Without a code: of any, which `switch (error.code)` then tells apart. */
export function isGironaError(error: unknown): error is GironaErrors[ErrorCode];
export function isGironaError<const C extends ErrorCode>(error: unknown, code: C): error is GironaErrors[C];
export function isGironaError(error: unknown, code?: ErrorCode): boolean {
  if (typeof error !== "object" || error === null) return false;
  const own = (error as { [brand]?: unknown })[brand];
  return typeof own === "string" && (code === undefined || own === code);
}

/** The class of a code, by which an error that came from another process is made again. */
export const errorClasses: { readonly [C in ErrorCode]: new (message: string, facts: never) => GironaErrors[C] } = {
  Capture: CaptureError,
  Task: TaskError,
  WorkerLost: WorkerLostError,
  Timeout: TimeoutError,
  Cancelled: CancelledError,
  ActorLost: ActorLostError,
  Engine: EngineError,
  Mpi: MpiError,
  Hdf5: Hdf5Error,
  Slurm: SlurmError,
  Usage: UsageError,
};
