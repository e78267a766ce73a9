import { expect, test } from "vitest";
import { needs, run, tempDir } from "../support/index.ts";
import { mayMount, memoryGroup, memoryGroupsAt, nothingLeft, program, smallFileSystem } from "./support/index.ts";

const MiB = 2 ** 20;

interface Told {
  readonly code: string;
  readonly message: string;
  readonly cause: { readonly code: string; readonly message: string } | undefined;
  readonly girona: boolean;
}
interface Outcome {
  /** Of the first `put` that did not fit; `undefined` when all did. */
  readonly put: Told | undefined;
  readonly full: number;
  readonly made: Told | "none";
  readonly argument: Told | "none";
  readonly mapped: readonly (number | string)[];
  readonly squares: boolean;
  readonly wrong: number;
  readonly lost: readonly string[];
  readonly again: Told | "stored" | "none";
}

function fill(outcome: Outcome, directory: string): void {
  for (const told of [outcome.put, outcome.made, outcome.argument] as Told[]) {
    // A task's failure names the engine's as its cause.
    const engine = told.code === "Task" ? told.cause! : told;
    expect(engine.code).toBe("Engine");
    expect(engine.message).toContain(directory);
    expect(engine.message).toMatch(/could be stored neither in memory nor in .*(?:ENOSPC|no space).*TMPDIR/is);
  }
  expect(outcome.mapped).toEqual([10, "Task", 20]);
  expect(outcome.squares).toBe(true);
  expect(outcome.wrong).toBe(0);
  expect(outcome.lost).toEqual([]);
  expect(outcome.again).toBe("stored");
}

test("a full file system is an error that names it, and everything else goes on", async () => {
  needs("needs root, to mount a small file system", mayMount());
  const directory = smallFileSystem("64m");
  const { stdout, stderr, exitCode, signal } = await run(
    ["node", "--expose-gc", program("fills-files"), "16MiB", String(4 * MiB), "100"],
    { env: { TMPDIR: directory } },
  );
  expect([exitCode, signal], stderr).toEqual([0, null]);
  const outcome = JSON.parse(stdout) as Outcome;
  fill(outcome, directory);
  // All of the memory and all of the files, but for what is reserved or being moved.
  expect(outcome.full).toBeGreaterThanOrEqual(64 / 4);
  // What could not be moved is told, and nothing else.
  for (const line of stderr.split("\n").filter(Boolean)) expect(line).toMatch(/could not be moved|TMPDIR/);
  await nothingLeft(directory);
});

test("full memory is no error as long as files take more", async () => {
  needs("needs root and a memory cgroup that can be written (v1 or v2)", memoryGroupsAt() !== undefined);
  const group = memoryGroup(320 * MiB);
  const directory = tempDir();
  const { stdout, stderr, exitCode, signal } = await run(
    group.command(["node", "--expose-gc", program("fills-files"), "10GB", String(4 * MiB), "100"]),
    { env: { TMPDIR: directory }, timeoutMs: 50_000 },
  );
  expect([exitCode, signal], stderr).toEqual([0, null]);
  const outcome = JSON.parse(stdout) as Outcome;
  expect([outcome.put, outcome.full, outcome.made, outcome.argument]).toEqual([undefined, 100, "none", "none"]);
  expect(outcome.mapped).toEqual([10, 524_288, 20]);
  expect([outcome.squares, outcome.wrong, outcome.again]).toEqual([true, 0, "stored"]);
  expect(group.kills()).toBe(0);
  await nothingLeft(directory);
});

test("full memory and a full file system together are an error that kills nobody", async () => {
  needs("needs root and a memory cgroup that can be written (v1 or v2)", memoryGroupsAt() !== undefined);
  needs("needs root, to mount a small file system", mayMount());
  const group = memoryGroup(360 * MiB);
  const directory = smallFileSystem("32m");
  const { stdout, stderr, exitCode, signal } = await run(
    group.command(["node", "--expose-gc", program("fills-files"), "10GB", String(4 * MiB), "400"]),
    { env: { TMPDIR: directory }, timeoutMs: 50_000 },
  );
  expect([exitCode, signal], stderr).toEqual([0, null]);
  fill(JSON.parse(stdout) as Outcome, directory);
  expect(group.kills()).toBe(0);
  await nothingLeft(directory);
});
