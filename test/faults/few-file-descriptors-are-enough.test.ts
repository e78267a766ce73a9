import { expect, test } from "vitest";
import { run, tempDir } from "../support/index.ts";
import { nothingLeft, program } from "./support/index.ts";

test.each([
  [64, 300],
  [1024, 1500],
])("%d file descriptors are enough for %d stored arrays", async (descriptors, arrays) => {
  const directory = tempDir();
  const { stdout, stderr, exitCode } = await run(
    ["sh", "-c", `ulimit -n ${descriptors} && exec "$@"`, "sh", "node", program("holds-many"), String(arrays)],
    { env: { TMPDIR: directory }, timeoutMs: 60_000 },
  );
  expect([stderr, exitCode]).toEqual(["", 0]);
  expect(JSON.parse(stdout)).toEqual({ wrong: 0 });
  await nothingLeft(directory);
});
