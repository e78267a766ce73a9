import { beforeEach, expect, it } from "vitest";
import { tempDir } from "../support/index.ts";
import { mpirun, needsMpi } from "../support/ranks.ts";

beforeEach(() => needsMpi());

it("writes each rank's rows of one file and finds their mean near 0", async () => {
  const { exitCode, stdout, stderr } = await mpirun(4, "examples/05-parallel-hdf5.ts", {
    cwd: tempDir(),
    addons: ["mpi", "hdf5", "hdf5-mpi"],
  });
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
  const [, mean] = /^Global mean: (-?\d\.\d{6})$/.exec(stdout.trim()) ?? [];
  // 400,000 numbers of deviation 1: the mean's is 0.0016.
  expect(Math.abs(Number(mean))).toBeLessThan(0.01);
});
