import { expect, test } from "vitest";
import { call } from "../cli/support.ts";
import { builtFor, environmentOf, mpiNames, needsMpi } from "../support/ranks.ts";

/** Element n + 1 of the product: the sum over p of (n + p) mod 7 times (p n + 1) mod 5. */
function expected(n: number): number {
  let sum = 0;
  for (let p = 0; p < n; p++) sum += ((n + p) % 7) * ((p * n + 1) % 5);
  return sum;
}

test.each([
  ["Open MPI", 4, 250],
  ["MPICH", 3, 128],
] as const)("examples/04-mpi-matmul.ts multiplies on %s, %i ranks", async (name, ranks, n) => {
  for (const one of mpiNames) needsMpi(one);
  await builtFor(name, ["mpi"]);
  const args = ["mpirun", "-n", String(ranks), "examples/04-mpi-matmul.ts", String(n)];
  const { exitCode, stdout, stderr } = await call(args, { env: environmentOf(name) });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(new RegExp(`^[\\d.]+ GFLOP/s ${expected(n)}\\n$`));
});
