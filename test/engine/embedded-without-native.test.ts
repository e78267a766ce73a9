/** The embedded engine where memory files and the other calls of the system are missing. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { run, tempDir } from "../support/index.ts";
import { copies } from "./contract/copies.ts";
import { nested } from "./contract/nested.ts";
import { openEmbedded } from "./embedded.ts";

// Before anything asks for them, in this process and its workers.
process.env["GIRONA_NO_NATIVE"] = "1";

describe("without native calls", () => {
  beforeAll(() => {
    expect(process.env["GIRONA_NO_NATIVE"]).toBe("1");
  });
  copies(openEmbedded);
  nested(openEmbedded);
});

describe("a program without native calls", () => {
  test("spills, prints and ends as one with them", async () => {
    const directory = tempDir();
    const env = { TMPDIR: directory, GIRONA_NO_NATIVE: "1" };
    const spilt = await run(["node", "test/engine/programs/spills.mjs"], { env });
    expect([spilt.stderr, spilt.exitCode]).toEqual(["", 0]);
    expect(JSON.parse(spilt.stdout)).toMatchObject({ memory: 0, same: true, left: false });
    const printed = await run(["node", "test/engine/programs/prints.mjs"], { env });
    expect([printed.stdout, printed.exitCode]).toEqual(["caught WorkerLost\nthe program's own\n", 0]);
    expect(printed.stderr).toMatch(/^\[speak worker-\d+\] to stdout$/m);
    const ended = await run(["node", "test/engine/programs/ends.mjs", "exit", join(directory, "place")], { env });
    expect(ended.exitCode).toBe(7);
    expect(readdirSync(join(directory, `girona-${process.getuid!()}`))).toEqual([]);
  });
});
