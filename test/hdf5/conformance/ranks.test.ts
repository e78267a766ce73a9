/** Behaviours of files that ranks have open together, all in one mpirun: on 1, 2 and 4 ranks. */
import { beforeAll, expect, test } from "vitest";
import { tempDir } from "../../support/index.ts";
import { mpirun, needsMpi } from "../../support/ranks.ts";
import { runs } from "./tables/parallel-tables.ts";

const outcomes = new Map<string, string | undefined>();
let ended = "";

const folder = tempDir();
beforeAll(async () => {
  const { exitCode, stdout, stderr } = await mpirun(4, "test/hdf5/conformance/ranks.ts", {
    ...{ args: [folder], addons: ["mpi", "hdf5-mpi", "hdf5"], timeoutMs: 55_000 },
    // In place of hanging, ranks that disagree say where.
    env: { GIRONA_MPI_CHECK: "10s" },
  });
  for (const line of stdout.split("\n").filter((each) => each.startsWith("{"))) {
    const { key, error } = JSON.parse(line) as { key: string; error?: string };
    outcomes.set(key, error);
  }
  ended = `mpirun ended with ${exitCode}:\n${stderr}`;
});

test.each(runs.map(({ key }) => key))("%s", (key) => {
  needsMpi();
  expect(outcomes.has(key), `it did not come to run. ${ended}`).toBe(true);
  expect(outcomes.get(key)).toBeUndefined();
});
