/** The MPIs that tests and benches use, as scripts/setup-mpi.sh left them in .cache/mpi.env. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const file = join(root, ".cache/mpi.env");

/** Empty where nothing has been set up. */
export const found: Readonly<Record<string, string>> = existsSync(file)
  ? Object.fromEntries(
      readFileSync(file, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    )
  : {};

export const mpiNames = ["Open MPI", "MPICH"] as const;
export type MpiName = (typeof mpiNames)[number];

export interface Mpi {
  readonly name: MpiName;
  readonly mpicxx: string;
  readonly mpirun: string;
  /** Only Open MPI has one here. */
  readonly parallelHdf5: boolean;
}

/** `undefined` where it has not been set up. */
export function mpiOf(name: MpiName): Mpi | undefined {
  const prefix = name === "Open MPI" ? "OPENMPI" : "MPICH";
  const [mpicxx, mpirun] = [found[`${prefix}_MPICXX`], found[`${prefix}_MPIRUN`]];
  if (!mpicxx || !mpirun || !existsSync(mpicxx)) return undefined;
  return { name, mpicxx, mpirun, parallelHdf5: name === "Open MPI" };
}

/** What a process needs to build for and run with this MPI; with none, serial HDF5 alone. */
export function environmentOf(name?: MpiName): Record<string, string> {
  const env: Record<string, string> = { GIRONA_CACHE: join(root, ".cache/girona") };
  const mpi = name && mpiOf(name);
  if (mpi) env["GIRONA_MPICXX"] = mpi.mpicxx;
  const hdf5 = name === "Open MPI" ? found["HDF5_PARALLEL"] : found["HDF5_SERIAL"];
  if (hdf5) env["GIRONA_HDF5_DIR"] = hdf5;
  if (found["LIBRARIES"]) env["LD_LIBRARY_PATH"] = found["LIBRARIES"];
  // More ranks than cores, as root in containers, and a waiting rank gives its core away: Open MPI 4, and 5 (PRRTE).
  if (name === "Open MPI") {
    Object.assign(env, {
      ...{ OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" },
      ...{ PRTE_ALLOW_RUN_AS_ROOT: "1", PRTE_ALLOW_RUN_AS_ROOT_CONFIRM: "1" },
      ...{ OMPI_MCA_rmaps_base_oversubscribe: "1", PRTE_MCA_rmaps_default_mapping_policy: ":oversubscribe" },
      ...{ OMPI_MCA_hwloc_base_binding_policy: "none", PRTE_MCA_hwloc_default_binding_policy: "none" },
      OMPI_MCA_mpi_yield_when_idle: "1",
    });
  }
  return env;
}
