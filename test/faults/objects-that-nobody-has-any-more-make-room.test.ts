import { expect, test } from "vitest";
import { needs, run } from "../support/index.ts";
import { mayMount, nothingLeft, program, smallFileSystem } from "./support/index.ts";

// 320 MB in all, of which one object of 8 MB is alive at a time: 24 MB in memory and 64 MB in files are plenty.
test.each([
  "result",
  "put",
  "put and pass",
  "chain",
  "argument",
  "nested",
  "put in a task",
  "argument of an actor",
  "result of an actor",
])("a program that drops each object before the next one never runs out of room: %s", async (how) => {
  needs("needs root, to mount a small file system", mayMount());
  const directory = smallFileSystem("64m");
  const { stdout, stderr, exitCode } = await run(["node", program("drops-objects"), how], {
    env: { TMPDIR: directory },
  });
  expect([stderr, stdout, exitCode]).toEqual(["", "40\n", 0]);
  await nothingLeft(directory);
});
