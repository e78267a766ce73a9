import { expect, it } from "vitest";
import { runScript } from "./support/script.ts";

const loaded = `
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const has = (name) => Object.keys(require.cache).some((file) => file.includes("/node_modules/" + name + "/"));
export const loaded = () => ({ acorn: has("acorn"), inspector: process.moduleLoadList.includes("NativeModule inspector"), tsx: globalThis.sawTsx === true });
`;

it("loads neither acorn nor the inspector before the first capture", async () => {
  const { stdout, stderr } = await runScript({
    "main.mjs": `
import { capture } from "DIST/index.js";
import { loaded } from "./loaded.mjs";
console.log(JSON.stringify(loaded()));
capture(() => 1, { isExternal: () => false });
console.log(JSON.stringify(loaded()));`,
    "loaded.mjs": loaded,
  });
  const [before = stderr, after = stderr] = stdout.trim().split("\n");
  expect(JSON.parse(before)).toMatchObject({ acorn: false, inspector: false });
  expect(JSON.parse(after)).toMatchObject({ acorn: true, inspector: true });
});

it("a worker loads tsx at the first import that may be TypeScript, not before", async () => {
  const { stdout, stderr } = await runScript({
    "main.mjs": `
import { capture } from "DIST/index.js";
import { revive } from "DIST/worker.js";
const host = { isExternal: () => false };
const parts = { large: [], external: [] };
const canImport = () => import("./typed.ts?" + Math.random()).then(() => true, () => false);
const pure = { ...capture((x) => x + 1, host).portable, tsx: true };
const { sep } = await import("node:path");
const withNode = { ...capture(() => sep, host).portable, tsx: true };
const typed = { ...capture({ module: new URL("./typed.ts", import.meta.url), name: "work" }, host).portable };
console.log((await revive(pure, parts)).value(1), (await revive(withNode, parts)).value(), await canImport());
console.log(typed.tsx, (await revive(typed, parts)).value(2), await canImport());`,
    "typed.ts": "enum Unit { One = 1 }\nexport const work = (x: number): number => x + Unit.One;",
  });
  expect(stdout, stderr).toBe("2 / false\ntrue 3 true\n");
});
