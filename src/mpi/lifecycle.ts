/**
 * How MPI begins and ends with the program. It is finalised after the last JavaScript, by the addon; a rank that fails ends all
 * others, which would wait for it without an end.
 */
import { writeSync } from "node:fs";
import { inspect } from "node:util";
import { isMainThread } from "node:worker_threads";
import { MpiError } from "../common/index.js";
import { loadAddon } from "../native/index.js";
import { addon, type Facts, facts, type MpiAddon, use } from "./addon.js";
import { aloneProblem, launchOf } from "./alone.js";
import { throwMpiError, throwUsageError } from "./errors.js";

let problem: unknown;

/** Starts MPI, at the first call; throws the same error at each when it cannot. */
export function start(): void {
  if (facts) return;
  if (problem !== undefined) throw problem;
  try {
    begin();
  } catch (error) {
    problem = error;
    throw error;
  }
}

/**
 * Under a launcher MPI is started on import: a rank that fails before its first call must end the others, too. What is wrong
 * then is told by the first call, not by the import, which may be that of girona/hdf5 in a program without MPI.
 */
export function startIfLaunched(): void {
  if (!isMainThread || (launchOf(process.env)?.ranks ?? 1) === 1) return;
  try {
    start();
  } catch {
    // kept in `problem`
  }
}

function begin(): void {
  if (!isMainThread)
    throw notHere(
      "MPI belongs to the main thread of a rank, and this is a worker thread. Call MPI there, and pass data with postMessage; SharedArrayBuffers can be sent without a copy",
    );
  // Before the addon, so that its calls pass through it.
  if (process.env["GIRONA_MPI_PROFILE"]) loadAddon("mpi-profile");
  const loaded = loadAddon("mpi") as MpiAddon;
  const told: Facts = loaded.initialize(throwMpiError, throwUsageError);
  const alone = aloneProblem(process.env, told.size, libraryName(told.library));
  if (alone) throw notHere(alone);
  use(loaded, told);
  endTogether();
}

function notHere(message: string): MpiError {
  return new MpiError(message, { class: "MPI_ERR_OTHER", errorCode: 0, operation: "Init", peer: undefined });
}

function endTogether(): void {
  // The monitor sees what nobody catches, rejections included, before Node prints it; with a handler, it is caught.
  process.on("uncaughtExceptionMonitor", (error) => {
    if (facts.size === 1 || process.listenerCount("uncaughtException") > 0) return;

    say(
      `girona: rank ${facts.rank} of ${facts.size} on ${facts.processorName} failed, which ends all ranks:\n${inspect(error)}\n`,
    );
    addon.abort(0, 1);
  });
  process.on("exit", (code) => {
    addon.setExitCode(code);
    if (code === 0 || facts.size === 1) {
      for (const close of closers.reverse()) close();
      return;
    }
    say(
      `girona: rank ${facts.rank} of ${facts.size} on ${facts.processorName} exits with ${code}, which ends all ranks\n`,
    );
  });
}

/** At once and whole, since the process is about to end. */
function say(text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(2, bytes, written);
    } catch (error) {
      // A pipe that is full for the moment.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
    }
  }
}

const closers: (() => void)[] = [];

/** Calls it at the end of a program that ends well, before MPI is finalised: the last one first. */
export function atFinalize(close: () => void): void {
  closers.push(close);
}

/** `"Open MPI v4.1.4"` and the like, from what the library says of itself. */
export function libraryName(text: string): string {
  const mpich = text.match(/MPICH Version:\s*(\S+)/);
  if (mpich) return `MPICH v${mpich[1]}`;
  return text.split(/[,\n]/)[0]!.trim();
}
