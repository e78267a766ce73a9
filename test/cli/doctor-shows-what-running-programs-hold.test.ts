import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { start, tempDir } from "../support/index.ts";
import { call } from "./support.ts";

interface Row {
  readonly state: string;
  readonly value: number;
  readonly detail: string;
}
const objects = async (directory: string): Promise<Row> => {
  const { stdout } = await call(["doctor", "--json"], { env: { TMPDIR: directory } });
  return (JSON.parse(stdout) as { checks: { objects: Row } }).checks.objects;
};

test("doctor says that no program holds anything", async () => {
  expect(await objects(tempDir())).toMatchObject({ state: "ok", value: 0, detail: expect.stringMatching(/^no other/) });
});

test("doctor shows what running programs hold, in memory and in files, and what killed ones have left", async () => {
  const directory = tempDir();
  const running = start(["node", "test/faults/programs/holds-everything.mjs", join(directory, "place")], {
    env: { TMPDIR: directory },
    timeoutMs: 60_000,
  });
  await running.matches(/holding/);
  // A number that no process has: above the kernel's limit.
  const dead = join(directory, `girona-${process.getuid!()}`, String(2 ** 22 + 1));
  mkdirSync(join(dead, "1"), { recursive: true });

  const row = await objects(directory);
  // 16 arrays of 2 MiB, of which half may lie in memory.
  expect(row).toMatchObject({ state: "ok", value: 16 * 2 ** 21 });
  expect(row.detail).toMatch(
    new RegExp(
      `^${running.pid} \\(node holds-everything\\.mjs place\\) holds 16 objects: \\d+(?:\\.\\d+)? MB in memory, \\d+(?:\\.\\d+)? MB in files; ${2 ** 22 + 1} was killed`,
    ),
  );
  // It was the doctor's own cluster that cleared it away.
  expect(existsSync(dead)).toBe(false);
  running.kill("SIGKILL");
  await running.finished;
});
