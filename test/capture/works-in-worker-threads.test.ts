import { expect, it } from "vitest";
import { runScript } from "./support/script.ts";

it("captures and revives in a worker thread", async () => {
  const { stdout, stderr } = await runScript({
    "main.mjs": `
import { Worker } from "node:worker_threads";
new Worker(new URL("./thread.mjs", import.meta.url));`,
    "thread.mjs": `
import { sep } from "node:path";
import { capture, revive } from "DIST/index.js";
const factor = 3;
const { portable } = capture((x) => x * factor + sep, { isExternal: () => false });
console.log((await revive(portable, { large: [], external: [] })).value(2));`,
  });
  expect(stdout, stderr).toBe("6/\n");
});
