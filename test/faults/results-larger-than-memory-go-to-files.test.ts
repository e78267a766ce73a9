import { expect, test } from "vitest";
import { needs, run, tempDir } from "../support/index.ts";
import { full, memoryGroup, memoryGroupsAt, nothingLeft, program } from "./support/index.ts";

const MiB = 2 ** 20;

interface Outcome {
  readonly count: number;
  readonly wrong: number;
  readonly firstWrong: number;
  readonly objectBytes: number;
  readonly spilledBytes: number;
}

const [limit, total] = full ? [2000 * MiB, 10_000 * MiB] : [400 * MiB, 1500 * MiB];

test.each([
  ["with the default of objectMemory", ""],
  ["with an objectMemory that is more than there is", "100GB"],
])("%s, a cgroup's limit kills nobody", { timeout: full ? 900_000 : 90_000 }, async (_, objectMemory) => {
  needs("needs root and a memory cgroup that can be written (v1 or v2)", memoryGroupsAt() !== undefined);
  const group = memoryGroup(limit);
  const directory = tempDir();
  // The short form is once with much and once with little more than fits.
  const bytes = objectMemory && !full ? limit * 1.5 : total;
  const { stdout, stderr, exitCode } = await run(
    group.command(["node", program("fills-memory"), String(bytes), String(8 * MiB), objectMemory]),
    { env: { TMPDIR: directory }, timeoutMs: full ? 880_000 : 85_000 },
  );
  expect([stderr, exitCode]).toEqual(["", 0]);
  const outcome = JSON.parse(stdout) as Outcome;
  expect([outcome.wrong, outcome.firstWrong]).toEqual([0, 0]);
  expect(outcome.objectBytes).toBe(outcome.count * 8 * MiB);
  expect(outcome.spilledBytes).toBeGreaterThanOrEqual(bytes - limit);
  expect(group.kills()).toBe(0);
  await nothingLeft(directory);
});
