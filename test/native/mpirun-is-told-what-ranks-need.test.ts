import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type LaunchOptions, launcherFor, launcherOf, planLaunch } from "../../src/native/index.ts";
import { tempDir } from "../support/index.ts";

const usual: LaunchOptions = { library: "Open MPI 4.1.4", ranks: 2, cores: 8, root: false, extra: [], env: {} };
const plan = (some: Partial<LaunchOptions>) => {
  const { isLocal: _, ...rest } = planLaunch({ ...usual, ...some });
  return rest;
};
const unbound = { OMPI_MCA_hwloc_base_binding_policy: "none" };

describe("Open MPI", () => {
  test("binds no rank to a core while there are more cores than ranks", () => {
    expect(plan({})).toEqual({ options: ["-n", "2"], env: unbound });
    expect(plan({ ranks: 8 }).env).toEqual({});
    expect(plan({ extra: ["--bind-to", "core"] })).toEqual({ options: ["-n", "2", "--bind-to", "core"], env: {} });
  });

  test("may start more ranks than cores, of which one that waits gives its core away", () => {
    const crowded = { ...unbound, OMPI_MCA_rmaps_base_oversubscribe: "1", OMPI_MCA_mpi_yield_when_idle: "1" };
    expect(plan({ ranks: 9 }).env).toEqual(crowded);
    // A scheduler, or the user, has said where ranks run: the cores of this host say nothing.
    expect(plan({ ranks: 9, env: { SLURM_JOB_ID: "1" } }).env).toEqual(unbound);
    expect(plan({ ranks: 9, extra: ["--hostfile", "hosts"] }).env).toEqual(unbound);
    expect(planLaunch(usual).isLocal).toBe(true);
    expect(planLaunch({ ...usual, extra: ["-H", "a,b"] }).isLocal).toBe(false);
  });

  test("runs as root", () => {
    const allowed = Object.keys(plan({ root: true }).env).filter((name) => name.includes("ROOT"));
    expect(allowed).toEqual([
      "OMPI_ALLOW_RUN_AS_ROOT",
      "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
      "PRTE_ALLOW_RUN_AS_ROOT",
      "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM",
    ]);
  });

  test("takes its settings under other names from version 5 on", () => {
    expect(plan({ library: "Open MPI 5.0.11", ranks: 9 }).env).toEqual({
      PRTE_MCA_hwloc_default_binding_policy: "none",
      PRTE_MCA_rmaps_default_mapping_policy: ":oversubscribe",
      OMPI_MCA_mpi_yield_when_idle: "1",
    });
  });

  test("carries girona's variables to other hosts; what the user has set stands", () => {
    const env = { GIRONA_MPICXX: "/opt/mpi/bin/mpicxx", OMPI_MCA_hwloc_base_binding_policy: "core" };
    expect(plan({ env })).toEqual({ options: ["-n", "2", "-x", "GIRONA_MPICXX"], env: {} });
  });
});

test("MPICH needs no settings: it binds nothing and takes any number of ranks", () => {
  const env = { GIRONA_MPICXX: "/opt/mpi/bin/mpicxx" };
  expect(plan({ library: "MPICH 5.0.2", ranks: 9, root: true, env, extra: ["-ppn", "4"] })).toEqual({
    options: ["-n", "9", "-ppn", "4"],
    env: {},
  });
});

describe("the mpirun that belongs to a compiler", () => {
  const folderOf = (programs: readonly string[], links: Readonly<Record<string, string>> = {}) => {
    const folder = tempDir();
    mkdirSync(join(folder, "bin"));
    for (const name of programs) {
      writeFileSync(join(folder, "bin", name), "");
      chmodSync(join(folder, "bin", name), 0o755);
    }
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, "bin", name));
    return join(folder, "bin");
  };

  test("lies beside it", () => {
    const bin = folderOf(["mpicxx", "mpirun", "mpiexec"]);
    expect(launcherFor(join(bin, "mpicxx"))).toBe(join(bin, "mpirun"));
    expect(launcherFor(join(folderOf(["mpicxx"]), "mpicxx"))).toBeUndefined();
  });

  test("has its ending, where links choose one of two MPIs for the compiler and another for mpirun (Debian)", () => {
    const programs = ["mpirun.mpich", "mpirun.openmpi", "opal_wrapper"];
    const bin = folderOf(programs, {
      "mpic++.openmpi": "opal_wrapper",
      mpicxx: "mpic++.openmpi",
      mpirun: "mpirun.mpich",
    });
    expect(launcherFor(join(bin, "mpicxx"))).toBe(join(bin, "mpirun.openmpi"));
    expect(launcherFor(join(bin, "mpic++.openmpi"))).toBe(join(bin, "mpirun.openmpi"));
  });

  test("is found from a folder that only links to the compiler", () => {
    const bin = folderOf(["mpicxx", "mpiexec"]);
    const other = folderOf([], { mpicxx: join(bin, "mpicxx") });
    expect(launcherFor(join(other, "mpicxx"))).toBe(join(bin, "mpiexec"));
  });
});

test("launchers are known by what they put into the environment of their ranks", () => {
  const of = (env: Record<string, string>) => launcherOf(env);
  expect(of({})).toBeUndefined();
  expect(of({ OMPI_COMM_WORLD_SIZE: "4" })).toMatchObject({ family: "Open MPI", size: 4 });
  expect(of({ PMI_SIZE: "3", PMI_RANK: "0", MPI_LOCALNRANKS: "3" })).toMatchObject({ family: "MPICH", size: 3 });
  // srun starts the ranks of any MPI.
  expect(of({ PMI_SIZE: "3", PMI_RANK: "0", SLURM_STEP_ID: "0" })).toMatchObject({ family: undefined, size: 3 });
});
