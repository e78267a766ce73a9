/** Programs of checks: every rank makes all of them, and rank 0 prints the names of those that have passed. */
import { expect } from "vitest";
import { type MpiName, mpirun, type RankOptions } from "../support/ranks.ts";

/** Runs `test/mpi/programs/<name>.ts` and gives the names of its checks. A check that fails ends the job with its message. */
export async function checksOf(
  name: string,
  ranks: number,
  mpi: MpiName,
  options: RankOptions = {},
): Promise<string[]> {
  const { exitCode, stdout, stderr } = await mpirun(ranks, `test/mpi/programs/${name}.ts`, { mpi, ...options });
  expect({ exitCode, output: exitCode === 0 ? "" : `${stdout}${stderr}` }).toEqual({ exitCode: 0, output: "" });
  return stdout.split("\n").filter(Boolean);
}
