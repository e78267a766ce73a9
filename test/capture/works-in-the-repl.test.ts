import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { needs, run } from "../support/index.ts";
import { nodeBinary } from "./support/runtimes.ts";

const preload = `data:text/javascript,${encodeURIComponent(
  `globalThis.girona = await import(${JSON.stringify(new URL("../../dist/capture/index.js", import.meta.url).href)})`,
)}`;

const lines = `
const factor = 3
let offset = 1
const os = require("node:os")
function helper(x) { return x * factor }
class Point { constructor() { this.v = 2 } }
const point = new Point()
let changed = 0
const host = { isExternal: () => false }
const work = (x) => helper(x) + offset + point.v + os.platform().length
girona.revive(girona.capture(work, host).portable, { large: [], external: [] }).then(({ value }) => console.log("revived:", value(4)))
try { girona.capture(() => ++changed, host) } catch (error) { console.log("refused:", error.variable, error.reason) }
`;

it.each(["20", "24", "26"])("captures what the REPL of Node %s defines", async (version) => {
  const node = nodeBinary(version);
  needs(`needs Node ${version} in .cache/node/${version}: make other-nodes`, existsSync(node));
  const { stdout, stderr } = await run([node, "--import", preload, "-i"], {
    input: lines,
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    env: { NODE_OPTIONS: undefined, NODE_NO_WARNINGS: "1" },
  });
  expect(stdout, stderr).toMatch(/revived: 20/);
  expect(stdout).toMatch(/refused: changed .*global/);
});
