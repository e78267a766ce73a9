import { expect, test } from "vitest";
import { mpirun, needsMpi } from "../support/ranks.ts";

test("examples/pi-mpi.ts finds π with any number of ranks", async () => {
  needsMpi();
  const { exitCode, stdout, stderr } = await mpirun(3, "examples/pi-mpi.ts", { args: ["1000000"] });
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/^π ≈ 3\.141592653590, off by \de-1\d, 3 ranks, [\d.]+ s\n$/);
});
