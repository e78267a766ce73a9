/** Ranks that each think they are alone: what the launcher says, beside what MPI says. */

type Environment = Readonly<Record<string, string | undefined>>;

export interface Launch {
  readonly launcher: string;
  /** How many ranks it says it has started. */
  readonly ranks: number;
}

const launchers: readonly { variable: string; launcher: string }[] = [
  { variable: "OMPI_COMM_WORLD_SIZE", launcher: "mpirun of Open MPI" },
  { variable: "PMI_SIZE", launcher: "mpirun of MPICH (or srun with PMI-2)" },
  { variable: "MPI_LOCALNRANKS", launcher: "mpirun of MPICH" },
  { variable: "MV2_COMM_WORLD_SIZE", launcher: "mpirun of MVAPICH" },
];

/** What started this process, by what it left in the environment; `undefined` for a process that was started by hand. */
export function launchOf(environment: Environment): Launch | undefined {
  for (const { variable, launcher } of launchers) {
    const ranks = Number(environment[variable]);
    if (ranks >= 1) return { launcher, ranks };
  }
  // mpirun inside of a job has said its own number above.
  const tasks = Number(environment["SLURM_STEP_NUM_TASKS"] ?? environment["SLURM_NTASKS"]);
  return tasks >= 1 ? { launcher: "srun of Slurm", ranks: tasks } : undefined;
}

/** Says what is wrong when MPI has found one rank where the launcher has started several. */
export function aloneProblem(environment: Environment, size: number, library: string): string | undefined {
  const launch = launchOf(environment);
  if (size > 1 || !launch || launch.ranks === 1 || environment["GIRONA_MPI_ALONE"] === "1") return undefined;
  const how = "npx girona mpirun -n 4 program.ts";
  const slurm =
    launch.launcher === "srun of Slurm"
      ? ` In a Slurm job: srun --mpi=pmix node program.js, where srun --mpi=list names what there is. In an allocation, GIRONA_MPI_ALONE=1 lets one process run alone.`
      : "";
  return (
    `${launch.launcher} has started ${launch.ranks} ranks, but each is alone: girona's MPI addon uses ${library}, which does not ` +
    `speak with that launcher. Start it with the launcher of that library, which \`${how}\` does, or build for the other ` +
    `library: MPICXX=<its mpicxx> npx girona build mpi.${slurm}`
  );
}
