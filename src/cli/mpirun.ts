/** `girona mpirun -n 4 FILE [args…]`: ranks of a TypeScript or JavaScript program, on the MPI that the addon is built for. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { usableCores } from "../common/index.js";
import {
  type AddonKind,
  type Build,
  buildAddon,
  findBuild,
  findMpi,
  isAbsence,
  launcherFor,
  librariesOf,
  planLaunch,
} from "../native/index.js";
import { colourSettings, rankOutput } from "./rank-output.js";

export interface MpirunOptions {
  /** Number of ranks; default: those of the Slurm job, else one per core. */
  readonly ranks: number | undefined;
  /** Options for mpirun itself. */
  readonly extra: readonly string[];
}

/** Splits a text as a shell does with blanks and quotes. */
export function words(text: string): string[] {
  return Array.from(text.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g), ([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"),
  );
}

/** Runs the program and gives mpirun's exit code. `path` is the program's. */
export async function mpirun(path: string, args: readonly string[], options: MpirunOptions): Promise<number> {
  let build: Build;
  let program: string;
  try {
    build = await prepared("mpi");
    if (readFileSync(path, "utf8").includes("girona/hdf5")) await preparedIfThere("hdf5-mpi");
    program = launcher(build);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
  const { wrapper, library } = build.mpi!;
  const cores = usableCores().value;
  // So that ranks load this build, whatever is first on their PATH.
  const env: NodeJS.ProcessEnv = { ...process.env, GIRONA_MPICXX: wrapper };
  const ranks = options.ranks ?? (Number(env["SLURM_NTASKS"]) || cores);
  const plan = planLaunch({ library, ranks, cores, root: process.getuid?.() === 0, extra: options.extra, env });
  const output = plan.isLocal ? rankOutput(ranks) : undefined;
  // Without pipes of ours, Open MPI gives ranks a terminal, also when its own output leads to a file.
  const plain = output || process.stdout.isTTY ? [] : ["--import", new URL("plain-output.js", import.meta.url).href];
  const rank = [process.execPath, ...plain, fileURLToPath(new URL("main.js", import.meta.url)), "run", path, ...args];
  const command = [...plan.options, ...(output?.prefix ?? []), ...rank];
  const code = await runToEnd(program, command, { ...env, ...plan.env, ...(output ? colourSettings() : {}) });
  output?.close();
  if (typeof code === "number") return code;
  process.removeAllListeners(code);
  process.kill(process.pid, code);
  return 1;
}

/** The addon's build, made here if there is none: ranks never compile. */
async function prepared(kind: AddonKind): Promise<Build> {
  const known = findBuild(kind);
  if (known) return known;
  const built = await buildAddon(kind);
  if (built.made)
    process.stderr.write(`girona: built ${kind} for ${librariesOf(built)} in ${built.seconds.toFixed(1)} s\n`);
  return built;
}

async function preparedIfThere(kind: AddonKind): Promise<void> {
  try {
    await prepared(kind);
  } catch (error) {
    // A program that needs it will say so itself.
    if (!isAbsence(error)) throw error;
  }
}

function launcher({ mpi }: Build): string {
  const found = launcherFor(findMpi()?.wrapper ?? mpi!.wrapper);
  if (found) return found;
  throw new Error(
    `girona: there is no mpirun beside ${mpi!.wrapper}, the compiler of ${mpi!.library}. On a cluster start the ranks with srun: srun -n 4 npx girona run FILE`,
  );
}

/** An exit code, or the signal that ended it. */
function runToEnd(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number | NodeJS.Signals> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: "inherit" });
    for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) {
      process.on(signal, () => {
        // Ctrl-C in a terminal reaches mpirun as well, which at a second one kills without cleaning up.
        if (signal !== "SIGINT" || !isInForeground()) child.kill(signal);
      });
    }
    child.once("error", (error) => {
      process.stderr.write(`girona: ${program} does not start: ${error.message}\n`);
      resolve(1);
    });
    child.once("exit", (code, signal) => resolve(code ?? signal!));
  });
}

/** Does the terminal send its signals to this process's group? */
function isInForeground(): boolean {
  try {
    // After the name: state, parent, group, session, terminal, the terminal's foreground group.
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)!.split(" ");
    return Number(fields[4]) !== 0 && fields[2] === fields[5];
  } catch {
    return process.stdin.isTTY === true;
  }
}
