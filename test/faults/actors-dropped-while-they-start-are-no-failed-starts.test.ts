import { expect, test } from "vitest";
import { run, tempDir } from "../support/index.ts";
import { nothingLeft, program } from "./support/index.ts";

test("actors that are dropped while they start are no failed starts", async () => {
  const directory = tempDir();
  const { stdout, stderr, exitCode, signal } = await run(["node", "--expose-gc", program("drops-actors")], {
    env: { TMPDIR: directory },
  });
  expect([exitCode, signal], stderr).toEqual([0, null]);
  expect(stdout).toBe("5 1\n10 4\n15 9\n");
  await nothingLeft(directory);
});
