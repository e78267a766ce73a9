import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { call, folderWith } from "../cli/support.ts";
import { tempDir } from "../support/index.ts";

const full = process.env["GIRONA_FULL"] === "1";
const workers = full ? 64 : 4;

const program = `
  import { cluster, distribute, get } from "girona";
  const session = await cluster({ workers: ${workers}, dashboard: false });
  interface Point { x: number }
  const double = distribute((point: Point): number => point.x * 2);
  console.log((await get(Array.from({ length: 200 }, (_, x) => double({ x })))).reduce((a, b) => a + b));
  await session.close();
`;

// On a file system that many nodes share, each file costs every worker a round trip to the same server.
test(`${workers} workers of a TypeScript program read one bundle and what it needs, not tsx and not the sources`, async () => {
  const folder = folderWith({ "program.ts": program, "node_modules/.keep": "" });
  symlinkSync(resolve("."), join(folder, "node_modules/girona"));
  const scripts = tempDir();
  const { stdout, stderr, exitCode } = await call(["run", join(folder, "program.ts")], {
    // Node.js writes down what scripts each process has loaded.
    env: { NODE_V8_COVERAGE: scripts },
    timeoutMs: full ? 120_000 : 30_000,
  });
  expect([stdout, stderr, exitCode]).toEqual(["39800\n", "", 0]);
  const loaded = readdirSync(scripts)
    .map((name) => JSON.parse(readFileSync(join(scripts, name), "utf8")) as { result: { url: string }[] })
    .map(({ result }) => result.map(({ url }) => url).filter((url) => url.startsWith("file:")));
  const bundle = `file://${resolve("dist/bundle")}/`;
  const ofWorkers = loaded.filter((urls) => urls.includes(`${bundle}worker.js`));
  expect(ofWorkers.length).toBeGreaterThanOrEqual(workers);
  for (const urls of ofWorkers) {
    expect(
      urls.filter(
        (url) => !url.startsWith(bundle) && !url.includes("/node_modules/koffi/") && !url.includes("/@koromix/"),
      ),
    ).toEqual([]);
    expect(urls.length).toBeLessThanOrEqual(12);
  }
});
