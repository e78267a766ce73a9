import { expect, test } from "vitest";
import { aloneProblem, launchOf } from "../../src/mpi/alone.ts";
import { mpiNames, needsMpi, runAlone } from "../support/ranks.ts";

const program = "test/mpi/programs/alone.ts";
// What a launcher around the tests may have left.
const none = {
  ...{ SLURM_NTASKS: undefined, SLURM_STEP_NUM_TASKS: undefined, OMPI_COMM_WORLD_SIZE: undefined },
  ...{ PMI_SIZE: undefined, MPI_LOCALNRANKS: undefined },
};

test.each(mpiNames)("without a launcher there is one rank: %s", async (mpi) => {
  needsMpi(mpi);
  const { exitCode, stdout, stderr } = await runAlone(program, { mpi, env: none });
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: "rank 0 of 1, sum 5\n", stderr: "" });
});

test("a job of Slurm in which each rank is alone is an error that says how to start it", async () => {
  needsMpi();
  const { stdout } = await runAlone(program, { env: { ...none, SLURM_NTASKS: "8" } });
  expect(stdout).toMatch(
    /^MpiError srun of Slurm has started 8 ranks, but each is alone: girona's MPI addon uses Open MPI v[\d.]+, which.*`npx girona mpirun -n 4 program.ts`.*srun --mpi=pmix/,
  );
  const allowed = await runAlone(program, { env: { ...none, SLURM_NTASKS: "8", GIRONA_MPI_ALONE: "1" } });
  expect(allowed.stdout).toBe("rank 0 of 1, sum 5\n");
});

test("a worker thread is told where MPI is", async () => {
  needsMpi();
  const { stdout } = await runAlone(program, { env: none, args: ["worker"] });
  expect(stdout).toMatch(/^MpiError MPI belongs to the main thread of a rank, and this is a worker thread\./);
});

test("what the launcher said counts, an allocation around it does not", () => {
  expect(launchOf({ OMPI_COMM_WORLD_SIZE: "4", SLURM_NTASKS: "8" })).toEqual({
    launcher: "mpirun of Open MPI",
    ranks: 4,
  });
  expect(aloneProblem({ OMPI_COMM_WORLD_SIZE: "4" }, 1, "MPICH v5.0")).toContain(
    "mpirun of Open MPI has started 4 ranks",
  );
  expect(aloneProblem({ PMI_SIZE: "2" }, 1, "Open MPI v5.0")).toContain(
    "mpirun of MPICH (or srun with PMI-2) has started 2",
  );
  expect(aloneProblem({ OMPI_COMM_WORLD_SIZE: "1", SLURM_NTASKS: "8" }, 1, "Open MPI v5.0")).toBe(undefined);
  expect(aloneProblem({ PMI_SIZE: "2" }, 2, "MPICH v5.0")).toBe(undefined);
  expect(aloneProblem({}, 1, "MPICH v5.0")).toBe(undefined);
});
