import { describe, expect, it } from "vitest";
import { capture, explain } from "../../dist/capture/index.js";
import { runScript } from "./support/script.ts";

const host = { isExternal: () => false };

const library = {
  "lib.mjs": `
export const rate = 2;
export function work(x) { return x * rate; }
export class Model { run() { return "ran"; } }
export default (x) => -x;`,
  "lib.cjs": "module.exports = { [['late', 'Name'].join('')]: (x) => x + 1 };",
};
const script = (lines: string): string => `
import { revive } from "DIST/worker.js";
import { capture } from "DIST/index.js";
const load = async (module, name) => (await revive(capture({ module, name }, { isExternal: () => false }).portable, { large: [], external: [] })).value;
${lines}`;

describe("the module form", () => {
  it("imports functions, classes and the default export, by URL, text or path", async () => {
    const { stdout, stderr } = await runScript({
      "main.mjs": script(`
const url = new URL("./lib.mjs", import.meta.url);
console.log((await load(url, "work"))(4), new (await load(url.href, "Model"))().run(), (await load(url.pathname, "default"))(3));
console.log((await load(new URL("./lib.cjs", import.meta.url), "lateName"))(1));`),
      ...library,
    });
    expect(stdout + stderr).toBe("8 ran -3\n2\n");
  });

  it("says what the module exports when the name is not among it", async () => {
    const { stdout } = await runScript({
      "main.mjs": script(`
await load(new URL("./lib.mjs", import.meta.url), "wrok").catch((e) => console.log(e.name, e.variable, e.message));
await load(new URL("./lib.mjs", import.meta.url), "rate").catch((e) => console.log(e.message));
await load(new URL("./none.mjs", import.meta.url), "x").catch((e) => console.log(e.name, e.message));`),
      ...library,
    });
    const [missing, noFunction, noModule] = stdout.split("\n");
    expect(missing).toBe(
      "CaptureError wrok wrok of lib.mjs cannot run in a worker: it has no export wrok. It exports Model, default, work.",
    );
    expect(noFunction).toMatch(/its export rate is no function/);
    expect(noModule).toMatch(/^CaptureError .*none\.mjs/);
  });

  it("captures nothing", () => {
    const { portable, classes } = capture({ module: import.meta.url, name: "work" }, host);
    expect(portable).toMatchObject({
      name: "work",
      code: "",
      isClass: undefined,
      module: import.meta.url,
      export: "work",
    });
    expect(classes).toEqual([]);
    expect(String(explain({ module: import.meta.url, name: "work" }, host))).toMatch(/work.*module/s);
  });

  it.each(["./lib.mjs", "lib", "../lib.ts"])("refuses %s, which could be meant from anywhere", (module) => {
    expect(() => capture({ module, name: "work" }, host)).toThrow(
      expect.objectContaining({
        name: "UsageError",
        parameter: "module",
        message: expect.stringMatching(/import\.meta\.url/),
      }),
    );
  });
});
