import { expect, test } from "vitest";
import { call, folderWith } from "../cli/support.ts";

test("examples/demo.ts counts what is in a folder, twice with the same result", async () => {
  const folder = folderWith({
    "a.md": "one two\nthree\n",
    "deep/b.md": "see the trees\n",
    "deep/c.json": '{ "zebra": 1 }',
    "picture.png": "not text",
  });
  const { exitCode, stdout, stderr } = await call(["run", "examples/demo.ts", folder]);
  expect(exitCode, stderr).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toBe(`3 text files in ${folder}, 0 MB, read once before the clock starts`);
  expect(lines).toContain("same results      true");
  expect(stdout).toMatch(/^plain loop +\d+\.\d\d s$/m);
  expect(stdout).toMatch(/^\d+ workers +\d+\.\d\d s +\d+\.\d\d times as fast$/m);
  // The letters of each distinct word count once.
  expect(lines.slice(-2).map((line) => line.trim().split(/\s+/))).toEqual([
    [".md", "2", "5", "6", "13", "ethor"],
    [".json", "1", "1", "1", "14", "aberz"],
  ]);
  expect(stderr).toMatch(/ 3\/3 /);
});
