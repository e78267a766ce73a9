/**
 * Behaviours as data: a name, and a program that shows it. No vitest in here: the same tables run in a test's process, on the
 * fallback, and in the ranks of an mpirun.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { File, type FileOptions, type Mode } from "../../../src/hdf5/index.ts";
import type { Comm } from "../../../src/mpi/index.ts";

export type Code = "Hdf5" | "Usage";

/** An error of either kind, with the facts of both. */
export interface Thrown extends Error {
  readonly parameter?: string;
  readonly file?: string;
  readonly path?: string;
  readonly operation?: string;
}

/** What a behaviour works with. */
export class Bench {
  /** How many things were compared: a behaviour that compares none is no behaviour. */
  compared = 0;
  readonly folder: string;
  readonly comm: Comm | undefined;
  #files: File[] = [];
  #made = 0;
  /** `comm`: all of it is done by the ranks of this communicator together. */
  constructor(folder: string, comm?: Comm) {
    this.folder = folder;
    this.comm = comm;
  }

  path = (name = `file-${++this.#made}.h5`): string => join(this.folder, name);

  open = (path: string, mode?: Mode, options: FileOptions = {}): File => {
    const all = this.comm ? ({ ...options, driver: "mpio", comm: this.comm } as FileOptions) : options;
    const file = new File(path, mode, all);
    this.#files.push(file);
    return file;
  };

  /** A new file, open for writing. */
  create = (options?: FileOptions): File => this.open(this.path(), "w", options);

  /** Closes the file and opens it again: what is seen then is what is stored. */
  reopen = (file: File, mode: Mode = "r"): File => {
    const { path } = file;
    file.close();
    return this.open(path, mode);
  };

  /** Equal, down to the class of arrays and the sign of zero. */
  same = (actual: unknown, expected: unknown): void => {
    this.compared++;
    assert.deepStrictEqual(plain(actual), plain(expected));
  };

  ok = (holds: boolean, what: string): void => {
    this.compared++;
    assert.ok(holds, what);
  };

  /** Throws girona's error of that kind, whose message has `words`. Gives the error. */
  fails = (call: () => unknown, code: Code, words = /./): Thrown => {
    this.compared++;
    try {
      call();
    } catch (error) {
      const { code: thrown, message } = error as { code?: string; message?: string };
      assert.equal(thrown, code, `thrown is ${String(error)}`);
      assert.match(message ?? "", words);
      return error as Thrown;
    }
    assert.fail(`it passes, and should throw a ${code}Error with ${words}`);
  };

  end(): void {
    for (const file of this.#files.splice(0)) file.close();
  }
}

// A result may be an instance of a class with more than its values; compared are the values.
function plain(value: unknown): unknown {
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

export interface Behaviour {
  readonly name: string;
  readonly run: (bench: Bench) => void;
  /** With all ranks at it: `true` as with one process, or why it is another matter there. */
  readonly ranks: true | string;
}

export interface Table {
  readonly group: string;
  readonly behaviours: readonly Behaviour[];
}

/** A group of behaviours. */
export function table(group: string, fill: (behaviour: Define) => void): Table {
  const behaviours: Behaviour[] = [];
  fill((name, run, { ranks = true } = {}) => {
    if (behaviours.some((other) => other.name === name))
      throw new Error(`two behaviours of ${group} are named ${name}`);
    behaviours.push({ name, run, ranks });
  });
  return { group, behaviours };
}
type Define = (name: string, run: (bench: Bench) => void, options?: Partial<Pick<Behaviour, "ranks">>) => void;

/** Runs one in a folder of its own; throws what it finds wrong. */
export function perform(behaviour: Behaviour, bench: Bench): true {
  try {
    behaviour.run(bench);
  } finally {
    bench.end();
  }
  if (bench.compared === 0) throw new Error("nothing was compared");
  return true;
}
