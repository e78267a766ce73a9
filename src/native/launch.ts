/** How ranks are started: the mpirun that belongs to an MPI, and what it is told beyond its own defaults. */
import { readlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isProgram } from "./files.js";

export interface LaunchOptions {
  /** `"Open MPI 4.1.4"`. */
  readonly library: string;
  /** Number of ranks. */
  readonly ranks: number;
  /** Cores that this process may use. */
  readonly cores: number;
  readonly root: boolean;
  /** Options for mpirun itself; they come last and win. */
  readonly extra: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** What stands between mpirun and the program. */
export interface LaunchPlan {
  readonly options: readonly string[];
  /** On top of the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** All ranks run on this host. */
  readonly isLocal: boolean;
}

/** The scheduler of a cluster has told mpirun which hosts and how many ranks on each. */
const allocations = ["SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID"];
const hostOptions = /^--?(?:H|host|hosts|hostfile|machinefile|f|hosts-file)$/;
const bindOptions = /^--?bind-to/;

/**
 * Settings go through the environment, where the user's own stand before them.
 *
 * - Ranks are not bound to cores while there are more cores than ranks: `mpirun -n 2` of Open MPI binds each rank, with all
 *   its threads, to one core.
 * - More ranks than cores are allowed, and then a waiting rank gives its core away.
 * - Open MPI refuses root, which in containers is the usual user.
 */
export function planLaunch({ library, ranks, cores, root, extra, env }: LaunchOptions): LaunchPlan {
  const options = ["-n", String(ranks)];
  const major = Number(/^Open MPI (\d+)/.exec(library)?.[1] ?? 0);
  const isLocal = !allocations.some((name) => env[name]) && !extra.some((option) => hostOptions.test(option));
  const isCrowded = isLocal && ranks > cores;
  const settings: Record<string, string> = {};
  if (major > 0) {
    // Only ranks on this host inherit the environment.
    for (const name of Object.keys(env).filter((one) => one.startsWith("GIRONA_"))) options.push("-x", name);
    if (root)
      for (const prefix of ["OMPI", "PRTE"]) {
        settings[`${prefix}_ALLOW_RUN_AS_ROOT`] = "1";
        settings[`${prefix}_ALLOW_RUN_AS_ROOT_CONFIRM`] = "1";
      }
    const binds = extra.some((option) => bindOptions.test(option));
    // From Open MPI 5 on, another program (PRRTE) starts the ranks.
    const [binding, mapping] =
      major >= 5
        ? ["PRTE_MCA_hwloc_default_binding_policy", "PRTE_MCA_rmaps_default_mapping_policy"]
        : ["OMPI_MCA_hwloc_base_binding_policy", "OMPI_MCA_rmaps_base_oversubscribe"];
    if (!binds && (ranks !== cores || !isLocal)) settings[binding] = "none";
    if (isCrowded) {
      settings[mapping] = major >= 5 ? ":oversubscribe" : "1";
      settings["OMPI_MCA_mpi_yield_when_idle"] = "1";
    }
  }
  const given = Object.entries(settings).filter(([name]) => env[name] === undefined);
  return { options: [...options, ...extra], env: Object.fromEntries(given), isLocal };
}

/**
 * The launcher that belongs to a compiler's wrapper: in the same folder, and where several MPIs share one (Debian), with the
 * same ending: `mpirun.openmpi` for `mpic++.openmpi`.
 */
export function launcherFor(wrapper: string): string | undefined {
  for (const path of chain(wrapper).reverse()) {
    const ending = /^mpi(?:cxx|c\+\+|CC)(.*)$/.exec(basename(path))?.[1];
    if (ending === undefined) continue;
    const found = ["mpirun", "mpiexec"].map((name) => join(dirname(path), `${name}${ending}`)).find(isProgram);
    if (found) return found;
  }
  return undefined;
}

/** A path and all that its symbolic links lead through. */
function chain(path: string): string[] {
  const all = [path];
  try {
    for (let at = path; all.length < 16; all.push(at)) at = resolve(dirname(at), readlinkSync(at));
  } catch {
    // The last one is no link.
  }
  return all;
}
