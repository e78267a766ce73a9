/** What all objects of an open file share: its library and handle, and how a call of the library is made. */
import { Hdf5Error, UsageError } from "../common/index.js";
import { agree } from "./guard.js";
import type { Library } from "./library.js";
import type { Handle, RawError, RawLibrary } from "./raw.js";

/** Ranks and transfer of a file that many have open. */
export interface Parallel {
  /** Fortran's number of the communicator. */
  readonly comm: number;
  readonly rank: number;
  readonly size: number;
  readonly collective: boolean;
  readonly collectiveMetadata: boolean;
}

/**
 * Does a call take all ranks? `"change"` of metadata always does, `"look"` at it when the file reads metadata collectively,
 * `"transfer"` and `"local"` are as they say.
 */
export type Scope = "change" | "look" | "transfer" | "local";

// Ids that are no longer referred to are closed, as many as there are: a program may look at a million datasets.
const unused = new FinalizationRegistry<{ state: FileState; handle: Handle }>(({ state, handle }) =>
  state.release(handle),
);

const openFiles = new Set<FileState>();
// A file that is left open would be unreadable; MPI, which mpio needs for closing, ends after the listeners of "exit".
process.on("exit", () => {
  for (const state of openFiles) {
    try {
      state.close();
    } catch (error) {
      process.stderr.write(`girona/hdf5: ${(error as Error).message}\n`);
      // What was not written must not look like success to a job script.
      process.exitCode ||= 1;
    }
  }
});

export class FileState {
  readonly library: Library;
  readonly raw: RawLibrary;
  readonly handle: Handle;
  readonly path: string;
  readonly parallel: Parallel | undefined;
  isOpen = true;
  #lost: unknown;

  constructor(library: Library, handle: Handle, path: string, parallel: Parallel | undefined) {
    this.library = library;
    this.raw = library.raw;
    this.handle = handle;
    this.path = path;
    this.parallel = parallel;
    openFiles.add(this);
  }

  /**
   * Calls the library.
   *
   * @param operation what the caller does, `"read"`
   * @param path of the object, for messages
   * @param args what must be equal on all ranks, for the guard
   * @throws Hdf5Error when the file is closed or HDF5 fails; UsageError when an argument was wrong
   */
  call<T>(operation: string, path: string | undefined, scope: Scope, args: string, work: (raw: RawLibrary) => T): T {
    if (!this.isOpen)
      throw new Hdf5Error(`cannot ${operation}: the file ${this.path} is closed.`, {
        file: this.path,
        path,
        operation,
      });
    const { parallel } = this;
    if (parallel && (scope === "change" || scope === "transfer" || (scope === "look" && parallel.collectiveMetadata)))
      agree(this.raw, parallel, this.path, path, operation, args);
    return attempt(operation, this.path, path, () => work(this.raw));
  }

  /** Closes a handle once nothing refers to `owner`. With MPI it waits for the file: ranks collect at different moments. */
  own(owner: object, handle: Handle): void {
    if (!this.parallel) unused.register(owner, { state: this, handle });
  }

  /** Called while garbage is collected, where nobody can catch: what could not be written is told when the file closes. */
  release(handle: Handle): void {
    if (!this.isOpen) return;
    try {
      this.raw.close(handle);
    } catch (error) {
      this.#lost ??= error;
    }
  }

  close(): void {
    if (!this.isOpen) return;
    try {
      this.call("close", undefined, "change", "", (raw) => {
        openFiles.delete(this);
        this.isOpen = false;
        raw.fileClose(this.handle);
        if (this.#lost !== undefined) throw this.#lost;
      });
      if (this.parallel) this.raw.guardEnd?.(this.parallel.comm);
    } finally {
      openFiles.delete(this);
    }
  }
}

/** Makes girona's errors of the library's. */
export function attempt<T>(operation: string, file: string, path: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const origin = (error as Partial<RawError>).origin;
    if (origin === undefined) throw error;
    throw translate(error as RawError, operation, file, path);
  }
}

function translate(error: RawError, operation: string, file: string, path: string | undefined): Error {
  const where = path === undefined ? file : `${path} of ${file}`;
  if (error.origin === "usage") {
    const parameter = /^(\w+): /.exec(error.message)?.[1] ?? "values";
    return new UsageError(`${error.message} (${operation}, ${where}).`, { parameter });
  }
  const lines = error.message.split("\n");
  // The last one is the innermost: the reason. Before it stands the function that gives it.
  const reason = lines.at(-1)!.replace(/^\w+: /, "");
  const stack = error.origin === "hdf5" ? `\nHDF5 says:\n${lines.map((line) => `  ${line}`).join("\n")}` : "";
  const hint = hintFor(error.message);
  return new Hdf5Error(`cannot ${operation} ${where}: ${reason}.${hint}${stack}`, { file, path, operation });
}

/** What helps, where the words of HDF5 do not say it. */
function hintFor(stack: string): string {
  if (/file signature not found/.test(stack)) return " It is not an HDF5 file, or its beginning is damaged.";
  if (/truncated file/.test(stack)) return " It was not written to its end, or is damaged.";
  if (/unable to lock file|file is already open for/.test(stack))
    return " Another process, or this one, has it open; the option locking says whether that matters.";
  if (/object header message is too large/.test(stack))
    return ' What describes an object has less than 64 KB: larger attributes need a file made with format: "latest", or become datasets.';
  if (/independent write with filters/.test(stack))
    return " Compressed datasets are written by all ranks together: collective: true, those without data with an empty selection.";
  if (/does not support writing VL/.test(stack))
    return " With mpio, strings have a fixed length, stringType({ length: 32 }), and sequences are arrays of one shape.";
  if (/required filter .* is not registered/.test(stack)) return " The filter is a plugin that is not installed here.";
  return "";
}
