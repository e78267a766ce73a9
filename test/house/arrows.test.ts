import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { run, tempDir } from "../support/index.ts";

/** What the check says about a tree with these files under `src/`. */
async function check(files: Readonly<Record<string, string>>): Promise<string[]> {
  const tree = tempDir();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, "src", file)), { recursive: true });
    writeFileSync(join(tree, "src", file), text);
  }
  const { exitCode, stdout, stderr } = await run(["node", "--import", "tsx", "scripts/check-arrows.ts", tree]);
  const lines = stderr.split("\n").filter(Boolean);
  expect(stdout).toBe("");
  expect(exitCode, stderr).toBe(lines.length > 0 ? 1 : 0);
  return lines;
}

describe("the check of the arrows between folders", () => {
  test("accepts imports along the arrows, through the doors", async () => {
    const problems = await check({
      "index.ts": 'export { get } from "./tasks/index.js";\nexport type * from "./common/index.js";\n',
      "tasks/get.ts":
        'import type { Engine } from "../engine/index.js";\nimport { Ref } from "./ref.js";\nimport "node:fs";\n',
      "engine/embedded/worker.ts":
        'import { Engine } from "../engine.js";\nimport { worker } from "../../capture/worker.js";\n',
      "engine/embedded/codec/map.ts": 'import { x } from "../worker.js";\n',
      "cli/run.ts": 'import { x } from "../slurm/index.js";\n',
    });
    expect(problems).toEqual([]);
  });

  test("refuses an arrow that goes back, with file and line, types and dynamic imports too", async () => {
    const problems = await check({
      "engine/engine.ts": '// a comment\nimport type { Ref } from "../tasks/index.js";\n',
      "capture/late.ts": 'export const late = () => import("../engine/index.js");\n',
      "common/any.ts": 'export type Ref = import("../tasks/index.js").Ref;\n',
      "engine/events.ts": 'export { pool } from "./embedded/index.js";\n',
    });
    expect(problems).toEqual([
      "src/capture/late.ts:1: capture must not import from engine: it may import from common",
      "src/common/any.ts:1: common must not import from tasks: it may import from no other folder",
      "src/engine/engine.ts:2: engine must not import from tasks: it may import from common, capture",
      "src/engine/events.ts:1: engine must not import from engine/embedded: it may import from common, capture",
    ]);
  });

  test("refuses an import past a door, out of src/, of the package by name, and code in src/index.ts", async () => {
    const problems = await check({
      "index.ts": 'export { get } from "./tasks/get.js";\nexport const version = 1;\n',
      "tasks/get.ts": 'import "../common/errors.js";\nimport "../../package.json";\nimport { put } from "girona";\n',
      "unknown/a.ts": 'import "../common/index.js";\n',
    });
    expect(problems).toEqual([
      "src/index.ts:1: tasks/get.ts is behind the door of tasks: import tasks/index.js",
      "src/index.ts:2: src/index.ts only re-exports (export … from)",
      "src/tasks/get.ts:1: common/errors.ts is behind the door of common: import common/index.js",
      'src/tasks/get.ts:2: "../../package.json" is outside of src/',
      'src/tasks/get.ts:3: "girona" is the package itself: import the folder',
      "src/unknown/a.ts:1: src/unknown/ has no row in the table of scripts/check-arrows.ts",
    ]);
  });
});
