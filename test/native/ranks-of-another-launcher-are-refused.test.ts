import { beforeAll, expect, test } from "vitest";
import { mpiOf } from "../../scripts/mpi.ts";
import { run } from "../support/index.ts";
import { environmentOf, mpiNames, needsMpi } from "../support/ranks.ts";
import { Rig } from "./support.ts";

const rig = new Rig();
const program = rig.program(
  "size.mjs",
  `const addon = load("mpi");
   process.stdout.write("size " + addon.start() + "\\n");
   addon.finish();`,
);
beforeAll(async () => {
  for (const name of mpiNames) needsMpi(name);
  for (const name of mpiNames) await rig.build("mpi", name);
});

/** Settings of Open MPI's launcher, and the choice of another MPI's build. */
const mixed = (launcher: "Open MPI" | "MPICH", chosen: "Open MPI" | "MPICH") => ({
  ...rig.env(launcher),
  GIRONA_MPICXX: environmentOf(chosen)["GIRONA_MPICXX"],
});

test.each(mpiNames)("%s", async (launcher) => {
  const other = launcher === "MPICH" ? "Open MPI" : "MPICH";
  const command = [mpiOf(launcher)!.mpirun, "-n", "2", process.execPath, program];
  const { exitCode, stdout, stderr } = await run(command, { env: mixed(launcher, other) });
  expect(exitCode).not.toBe(0);
  expect(stdout).not.toContain("size");
  expect(stderr).toMatch(
    new RegExp(
      `EngineError: girona/mpi: this process is one of 2 ranks of ${launcher}'s launcher \\(\\S+\\), and the addon is built for ${other} [\\d.]+ \\(\\S+\\): each rank would be alone\\..*npx girona mpirun -n 2 FILE.*GIRONA_MPICXX=.*npx girona build mpi`,
    ),
  );
});

test("without a choice, the launcher's own MPI is taken, whatever is on the PATH", async () => {
  for (const launcher of mpiNames) {
    const command = [mpiOf(launcher)!.mpirun, "-n", "2", process.execPath, program];
    const { stdout, stderr } = await run(command, { env: { ...rig.env(launcher), GIRONA_MPICXX: undefined } });
    expect({ launcher, stdout, stderr }).toEqual({ launcher, stdout: "size 2\nsize 2\n", stderr: "" });
  }
});

test("a process that closes the line to MPICH's launcher is named as the cause", async () => {
  const { mpirun } = mpiOf("MPICH")!;
  // As npm and npx do: of the inherited descriptors, the first three go on.
  const shell = `for n in 3 4 5 6 7 8 9 10 11 12 13 14 15; do eval "exec $n>&-"; done; exec '${process.execPath}' '${program}'`;
  const { exitCode, stderr } = await run([mpirun, "-n", "2", "bash", "-c", shell], { env: rig.env("MPICH") });
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain("the line to MPICH's launcher (PMI_FD) did not reach this process");
});
