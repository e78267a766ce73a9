/**
 * Which MPI is meant: that of `GIRONA_MPICXX` or `MPICXX`, of `MPI_HOME`, of the launcher that started this process, or of
 * `mpicxx` on the PATH. Only looks at files, because 64 ranks ask this at once.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UsageError } from "../common/index.js";
import { isProgram, onPath, real } from "./files.js";

export interface MpiWrapper {
  /** The compiler's wrapper as it was found. Its name matters: for Open MPI all wrappers are one program. */
  readonly wrapper: string;
  /** Without symbolic links. */
  readonly real: string;
  /** What named it: `"GIRONA_MPICXX"`, `"the launcher"`, `"PATH"`. */
  readonly from: string;
}

const names = ["mpicxx", "mpic++", "mpiCC"] as const;

/** @throws UsageError when a variable names a compiler or folder that is not there */
export function findMpi(env: NodeJS.ProcessEnv = process.env): MpiWrapper | undefined {
  for (const variable of ["GIRONA_MPICXX", "MPICXX"]) {
    const given = env[variable];
    if (!given) continue;
    const wrapper = given.includes("/") ? resolve(given) : onPath(env, given);
    if (wrapper && isProgram(wrapper)) return found(wrapper, variable);
    const what = `${variable} is ${given}, which is no program that is there`;
    throw new UsageError(`${what}: name MPI's C++ compiler, such as /opt/mpi/bin/mpicxx, or unset it.`, {
      parameter: variable,
    });
  }
  const home = env["MPI_HOME"];
  if (home) {
    const wrapper = inFolder(resolve(home, "bin"));
    if (wrapper) return found(wrapper, "MPI_HOME");
    throw new UsageError(
      `MPI_HOME is ${home}, and there is no bin/mpicxx in it: name the folder of an MPI, or unset it.`,
      {
        parameter: "MPI_HOME",
      },
    );
  }
  const launcher = launcherOf(env);
  const beside = launcher?.program && inFolder(dirname(launcher.program));
  if (beside) return found(beside, `the launcher, ${launcher.program}`);
  const wrapper = onPath(env, ...names);
  return wrapper ? found(wrapper, "PATH") : undefined;
}

function found(wrapper: string, from: string): MpiWrapper {
  return { wrapper, real: real(wrapper), from };
}

function inFolder(folder: string): string | undefined {
  return names.map((name) => join(folder, name)).find(isProgram);
}

export type MpiFamily = "Open MPI" | "MPICH";

/** What started this process as one rank of several. */
export interface Launcher {
  /** `undefined` for one that starts any MPI, such as srun. */
  readonly family: MpiFamily | undefined;
  /** Number of ranks that it started. */
  readonly size: number;
  readonly program: string | undefined;
}

/**
 * Read from what launchers put into the environment of ranks: `OMPI_COMM_WORLD_SIZE` (Open MPI), `PMI_SIZE` (Hydra, of MPICH
 * and its relatives; also srun's `--mpi=pmi2`).
 *
 * @returns `undefined` outside of a launcher
 */
export function launcherOf(env: NodeJS.ProcessEnv = process.env): Launcher | undefined {
  const open = Number(env["OMPI_COMM_WORLD_SIZE"]);
  if (open > 0)
    return {
      family: "Open MPI",
      size: open,
      program: ancestor(/^(?:orterun|orted|prterun|prted|prte|mpirun|mpiexec)$/),
    };
  const size = Number(env["PMI_SIZE"]);
  if (!(size > 0)) return undefined;
  const isSrun =
    env["SLURM_STEP_ID"] !== undefined && env["HYDI_CONTROL_FD"] === undefined && env["MPI_LOCALNRANKS"] === undefined;
  return {
    family: isSrun ? undefined : "MPICH",
    size,
    program: ancestor(/^(?:hydra_pmi_proxy|mpiexec\..*|mpirun|mpiexec)$/),
  };
}

/** The nearest process above this one with such a name. Between a launcher and a rank may be a shell, npx and the like. */
function ancestor(name: RegExp): string | undefined {
  try {
    for (let pid = process.ppid, steps = 0; pid > 1 && steps < 8; steps++) {
      const program = readlinkSync(`/proc/${pid}/exe`);
      if (name.test(basename(program))) return program;
      // After the name in parentheses, which may hold spaces: the state, then the parent.
      pid = Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]);
    }
  } catch {
    // Another user's process, or a system without /proc.
  }
  return undefined;
}
