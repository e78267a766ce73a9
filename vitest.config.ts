import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { SkippedReporter } from "./test/support/skipped-reporter.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Half a thousand behaviours once more on h5wasm, a minute of its own: `make test-full`.
    exclude: process.env["GIRONA_FULL"] === "1" ? [] : ["test/hdf5/conformance/fallback.test.ts"],
    // The addons that `make native` has built, wherever the machine keeps others.
    env: { GIRONA_CACHE: fileURLToPath(new URL(".cache/girona", import.meta.url)) },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Processes, not threads: tests start workers, send signals and load native code.
    pool: "forks",
    // Most of a test is waiting for other processes.
    maxWorkers: 2,
    expect: { requireAssertions: true },
    // The counts of .ci/run come from the JSON file.
    reporters: ["default", new SkippedReporter(), "json"],
    outputFile: { json: ".cache/vitest.json" },
  },
});
