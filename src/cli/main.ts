#!/usr/bin/env node
/** `girona`, the command: each command is a file beside this one, loaded when it is called. */
import { readFileSync } from "node:fs";
import { Argument, Command, CommanderError, InvalidArgumentError } from "commander";
import { nearest } from "../common/index.js";

/** What every command ends with. A program that is run ends with its own. */
const exitCodes = `
Exit codes:
  0  done
  1  the command failed, or found something broken
  2  the call was wrong: an unknown command or option, a file that is not there`;

const wrongCall = 2;

function version(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Whoever reads our output may stop reading: `girona doctor | head -1` is no error. */
function endWhenNobodyReads(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit(process.exitCode ?? 0);
    });
  }
}

/** What is left to do once the call is understood. */
let begin = async (): Promise<void> => {};

function runCommand(): Command {
  return new Command("run")
    .description("run a TypeScript or JavaScript program, without a build")
    .argument("<file>", "the program: .ts, .mts, .cts, .tsx, .js, .mjs or .cjs")
    .argument("[args...]", "what the program finds in process.argv, options included")
    .option("--profile <report>", "at the end, write where the time went: a page (.html), or JSON (.json)")
    .usage("[--profile <report>] <file> [args...]")
    .passThroughOptions()
    .addHelpText("after", "\nEnds with the exit code of the program; with 2 when the file is not there.")
    .action(async (file: string, args: string[], { profile }: { profile?: string }, command: Command) => {
      const { findProgram, run } = await import("./run.js");
      const found = findProgram(file);
      if ("problem" in found) return command.error(`error: ${found.problem}`);
      if (profile !== undefined) {
        const { problemWith, profileInto } = await import("./profile.js");
        const problem = problemWith(profile);
        if (problem) command.error(`error: ${problem}`);
        profileInto(profile);
      }
      begin = () => run(found.path, args);
    });
}

function doctorCommand(): Command {
  return new Command("doctor")
    .description("what this machine has of what girona can use, and how to add the rest")
    .option("--json", "as JSON, for programs")
    .addHelpText(
      "after",
      "\nEnds with 0 when girona itself can run here, whatever else is missing; with 1 when it cannot.",
    )
    .action((options: { json?: boolean }) => {
      begin = async () => {
        const { doctor } = await import("./doctor.js");
        process.exitCode = await doctor(version(), options.json === true);
      };
    });
}

function buildCommand(): Command {
  return new Command("build")
    .description("compile the addons for MPI and HDF5 against those of this machine")
    .addArgument(new Argument("[what]", "which").choices(["mpi", "hdf5", "all"]).default("all"))
    .option("--json", "as JSON, for programs")
    .addHelpText(
      "after",
      `
MPI is that of GIRONA_MPICXX, MPICXX or MPI_HOME, else of mpicxx on the PATH; HDF5 that of GIRONA_HDF5_DIR or HDF5_DIR,
else of h5cc, h5pcc or pkg-config. Builds lie in GIRONA_CACHE, else in the user's cache folder.`,
    )
    .action((what: "mpi" | "hdf5" | "all", options: { json?: boolean }) => {
      begin = async () => {
        const { build } = await import("./build.js");
        process.exitCode = await build(what, options.json === true);
      };
    });
}

function mpirunCommand(): Command {
  return new Command("mpirun")
    .description("run ranks of a TypeScript or JavaScript program with MPI")
    .argument("<file>", "the program")
    .argument("[args...]", "what the program finds in process.argv, options included")
    .option("-n, --np <ranks>", "number of ranks (default: those of the Slurm job, else one per core)", wholeNumber)
    .option("--mpi <options>", "options for MPI's own mpirun, in quotes: --mpi '--hostfile hosts'", collect, [])
    .usage("[-n <ranks>] [--mpi <options>] <file> [args...]")
    .passThroughOptions()
    .addHelpText("after", "\nEnds with the exit code of mpirun, which is that of the rank that failed first.")
    .action(async (file: string, args: string[], { np, mpi }: { np?: number; mpi: string[] }, command: Command) => {
      const { findProgram } = await import("./run.js");
      const found = findProgram(file);
      if ("problem" in found) return command.error(`error: ${found.problem}`);
      begin = async () => {
        const { mpirun, words } = await import("./mpirun.js");
        process.exitCode = await mpirun(found.path, args, { ranks: np, extra: mpi.flatMap(words) });
      };
    });
}

const collect = (value: string, before: readonly string[]): string[] => [...before, value];

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError("It must be a whole number, 1 or more.");
}

/** A word in the place of the command that is none: what was most likely meant. */
function unknownCommand(given: string, names: readonly string[]): string {
  const near = /\.[cm]?[jt]sx?$/.test(given) ? `run ${given}` : nearest(given, names);
  return `error: unknown command '${given}'${near ? `\n(Did you mean girona ${near}?)` : ""}`;
}

const program = new Command("girona")
  .description("HPC for TypeScript: functions and classes on every core of this machine.")
  .version(version(), "-V, --version", "print the version")
  .enablePositionalOptions()
  .exitOverride()
  .addHelpText("after", exitCodes);
for (const command of [runCommand(), doctorCommand(), buildCommand(), mpirunCommand()])
  program.addCommand(command.copyInheritedSettings(program));
const names = [...program.commands.map((command) => command.name()), "help"];

try {
  const [first] = process.argv.slice(2);
  // The streams of a program that is run are its own affair.
  if (first !== "run" && first !== "mpirun") endWhenNobodyReads();
  if (first && !first.startsWith("-") && !names.includes(first)) program.error(unknownCommand(first, names));
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // What is wrong has been said. commander ends with 1 for it, which here stands for a command that failed.
  process.exitCode = error.exitCode === 0 ? 0 : wrongCall;
}
// Outside of the above: what a program throws is its own.
await begin();
