import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mpiOf } from "../../../scripts/mpi.ts";
import { tempDir } from "../../support/index.ts";
import { type MpiName, mpiNames, mpirun, needsMpi } from "../../support/ranks.ts";
import type { Outcome } from "./run-all.ts";

/** One mpirun with all behaviours. */
interface Launch {
  readonly mpi: MpiName;
  readonly ranks: number;
  readonly outcomes: readonly Outcome[];
  /** Why it did not end well. */
  readonly problem: string;
}

const comms = ["self", "world", "duplicate", "split"];
const rankCounts = [1, 2, 3, 5];

// With more ranks than cores, a waiting rank of MPICH gives its core away soon, and sleeps where it only would be asked again.
const yielding: Record<string, string> = {
  MPIR_CVAR_CH4_PROGRESS_THROTTLE: "1",
  MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT: "10",
  MPIR_CVAR_POLLS_BEFORE_YIELD: "1",
  MPIR_CVAR_POSIX_POLL_FREQUENCY: "1",
};

async function launch(mpi: MpiName, ranks: number, folder: string): Promise<Launch> {
  let [stdout, problem] = ["", ""];
  try {
    const options = { mpi, args: [folder], env: ranks > 1 ? yielding : {}, timeoutMs: 240_000 };
    const ended = await mpirun(ranks, "test/mpi/conformance/main.ts", options);
    stdout = ended.stdout;
    if (ended.exitCode !== 0) problem = `it exits with ${ended.exitCode}:\n${ended.stderr}`;
  } catch (error) {
    const places = readdirSync(folder).map((name) => `${name}: ${readFileSync(join(folder, name), "utf8")}`);
    stdout = (error as Error).message;
    problem = `it does not end. Where the ranks are:\n${places.join("\n")}`;
  }
  const lines = stdout.split("\n").filter((line) => line.startsWith('{"group"') && line.endsWith("}"));
  return { mpi, ranks, outcomes: lines.map((line) => JSON.parse(line) as Outcome), problem };
}

// Before the tests are known, since the ranks say which behaviours there are.
const launches: Launch[] = [];
for (const ranks of rankCounts)
  for (const mpi of mpiNames) if (mpiOf(mpi)) launches.push(await launch(mpi, ranks, tempDir()));

const groups = new Map<string, Map<string, string[]>>();
for (const { mpi, ranks, outcomes } of launches)
  for (const { group, name, comm, failures } of outcomes) {
    const behaviours = groups.get(group) ?? new Map<string, string[]>();
    const failed = behaviours.get(name) ?? [];
    failed.push(...failures.map((text) => `${mpi}, ${ranks} ranks, ${comm} communicator, ${text}`));
    groups.set(group, behaviours.set(name, failed));
  }
const count = [...groups.values()].reduce((total, { size }) => total + size, 0);

test.each(mpiNames)("%s is here", (name) => {
  needsMpi(name);
  expect(launches.some(({ mpi }) => mpi === name)).toBe(true);
});

test("at least 250 behaviours are checked", () => {
  needsMpi();
  expect(count).toBeGreaterThanOrEqual(250);
});

describe("every behaviour is checked on every communicator", () => {
  test.each(launches)("by $ranks ranks of $mpi", ({ outcomes, problem }) => {
    expect(problem).toBe("");
    expect(outcomes.length).toBe(count * comms.length);
  });
});

for (const [group, behaviours] of groups)
  describe(group, () => {
    test.each([...behaviours])("%s", (_, failed) => {
      expect(failed.join("\n\n")).toBe("");
    });
  });
