import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { runScript } from "./support/script.ts";

const worker = fileURLToPath(new URL("../../dist/capture/worker.js", import.meta.url));

/** A worker's bundle has a copy of what revives. */
async function bundledWorker(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [worker],
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

it.each([
  ["same copy of girona", async () => 'export * from "DIST/worker.js";'],
  ["bundle of a worker", bundledWorker],
])(
  "a function written inside one that the %s revived can be captured, with its imports, variables and lines",
  async (_name, reviver) => {
    const { stdout, stderr } = await runScript({
      "main.mjs": `
import { capture } from "DIST/index.js";
import { revive, userStack } from "./worker.mjs";
import { parts, host } from "./common.mjs";
import path, { sep } from "node:path";
import { Unit } from "./common.mjs";

const factor = 3;
let calls = 0;
function helper(x) {
  calls++;
  return x * factor;
}
async function outer(a) {
  const unit = new Unit(2);
  const inner = async (b) => {
    if (b < 0) throw new Error("negative");
    return [helper(a + b), calls, path.join("x", sep), unit instanceof Unit, import.meta.url.split("/").pop(), (await import("./common.mjs")).Unit === Unit];
  };
  return capture(inner, host).portable;
}
const first = await revive(capture(outer, host).portable, parts(capture(outer, host).portable));
const portable = await first.value(1);
const second = await revive(portable, parts(portable));
console.log(JSON.stringify(await second.value(4)));
console.log(portable.where);
const error = await second.value(-9).catch((e) => e);
console.log(userStack(error.stack).split("\\n")[1]);
`,
      "worker.mjs": await reviver(),
      "common.mjs": `
export const host = { isExternal: () => false };
export const parts = (portable) => ({ large: portable.large, external: portable.external });
export class Unit { constructor(n) { this.n = n; } }
`,
    });
    const [result, where, frame] = stdout.trim().split("\n");
    expect(JSON.parse(result ?? stderr)).toEqual([15, 1, "x/", true, "main.mjs", true]);
    expect(where).toBe("main.mjs:16");
    expect(frame).toMatch(/inner .*\(.*\/main\.mjs:17:22\)$/);
  },
);
