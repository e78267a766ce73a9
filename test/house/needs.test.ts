import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Finished, run } from "../support/index.ts";

/** Runs the suite of a machine that lacks something. */
async function suite(env: Record<string, string | undefined>): Promise<Finished> {
  mkdirSync(".cache", { recursive: true });
  const folder = mkdtempSync(".cache/needs-");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, "a.test.ts"),
    `import { beforeEach, expect, test } from "vitest";
     import { needs } from "../../test/support/index.ts";
     beforeEach(() => needs("needs a moon: apt-get install moon", false));
     test("tides", () => expect(1).toBe(2));
     test("eclipses", () => expect(1).toBe(2));`,
  );
  writeFileSync(
    join(folder, "vitest.config.ts"),
    `import config from "../../vitest.config.ts";
     const outputFile = { json: "${folder}/vitest.json" };
     export default { test: { ...config.test, include: ["${folder}/*.test.ts"], outputFile } };`,
  );
  const vitest = [
    "node",
    "node_modules/vitest/vitest.mjs",
    "run",
    "--root",
    ".",
    "--config",
    join(folder, "vitest.config.ts"),
  ];
  return await run(vitest, { env: { NO_COLOR: "1", ...env } });
}

test("what a machine lacks is skipped, and said in one line at the end", async () => {
  const { exitCode, stdout } = await suite({ CI: undefined });
  expect(exitCode).toBe(0);
  expect(stdout).toContain("\nSKIPPED: needs a moon: apt-get install moon (2 tests)\n");
});

test("under CI=true it is a failure", async () => {
  const { exitCode, stdout } = await suite({ CI: "true" });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/Tests\s+2 failed/);
});
