import { expect, it } from "vitest";
import { runScript } from "./support/script.ts";

it("leaves the debugger off, so that promises stay fast", async () => {
  const { stdout, stderr } = await runScript({
    "main.mjs": `
import { capture } from "DIST/index.js";
const host = { isExternal: () => false };
async function awaits() { const start = performance.now(); for (let i = 0; i < 300_000; i++) await null; return performance.now() - start; }
await awaits();
const before = Math.min(await awaits(), await awaits(), await awaits());
for (let i = 0; i < 3; i++) capture((x) => x + i, host);
try { capture(() => missing, host); } catch {}
try { capture(Object.assign(() => 1, { p: Promise.resolve() }), host); } catch {}
const after = Math.min(await awaits(), await awaits(), await awaits());
console.log(JSON.stringify({ before, after }));`,
  });
  const { before, after } = JSON.parse(stdout || stderr) as { before: number; after: number };
  // While it is on, awaiting takes some ten times as long.
  expect(after).toBeLessThan(before * 3);
});

it("a debugger that the user has attached still works afterwards", async () => {
  const { stdout, stderr } = await runScript({
    "main.mjs": `
import { Session } from "node:inspector";
import { runInThisContext } from "node:vm";
import { capture } from "DIST/index.js";
const session = new Session();
session.connect();
const seen = [];
session.on("Debugger.scriptParsed", ({ params }) => seen.push(params.url));
let paused = 0;
session.on("Debugger.paused", () => { paused++; session.post("Debugger.resume"); });
session.post("Debugger.enable");
capture((x) => x + 1, { isExternal: () => false });
runInThisContext("1 + 1", { filename: "after-capture.js" });
runInThisContext("debugger", { filename: "breaks.js" });
console.log(seen.includes("after-capture.js"), paused);`,
  });
  expect(stdout, stderr).toBe("true 1\n");
});
