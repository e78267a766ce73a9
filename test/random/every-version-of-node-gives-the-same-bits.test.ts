import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { needs, run, tempDir } from "../support/index.ts";
import { sequences } from "./sequences.ts";

const directory = tempDir();
const bundle = join(directory, "sequences.mjs");

beforeAll(async () => {
  await build({
    stdin: {
      contents: `import { sequences } from "./sequences.ts"; console.log(JSON.stringify({ node: process.versions.node, sequences: sequences() }));`,
      resolveDir: import.meta.dirname,
      loader: "ts",
    },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    outfile: bundle,
  });
});

const current = Number.parseInt(process.versions.node, 10);
test.each([20, 24, 26])("Node %d", async (version) => {
  const binary = version === current ? process.execPath : `.cache/node/${version}/bin/node`;
  needs(
    `needs Node ${version} at ${binary}: npm install --prefix .cache/node/${version} node@${version}`,
    existsSync(binary),
  );
  const { stdout, stderr } = await run([binary, bundle]);
  expect(stderr).toBe("");
  const printed = JSON.parse(stdout);
  expect(printed.node).toMatch(new RegExp(`^${version}\\.`));
  expect(printed.sequences).toEqual(sequences());
});

test.each([
  ["interpreted", ["--no-opt", "--no-sparkplug"]],
  ["compiled at once", ["--always-sparkplug", "--interrupt-budget=1000"]],
])("%s code gives the same bits", async (_, flags) => {
  const { stdout, stderr } = await run(["node", ...flags, bundle]);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout).sequences).toEqual(sequences());
});
