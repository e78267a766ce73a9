import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { call, folderWith } from "./support.ts";

const helper = `
import { rng } from "girona/random";
export const draw = (seed: number): number => rng(seed).integers(1, { low: 5, high: 6 })[0]!;
`;
const program = `
import { cluster, distribute, get } from "girona";
import { rng } from "girona/random";
import { draw } from "./helper.ts";

await using session = await cluster({ workers: 1, dashboard: false });
const fives = distribute((seed: number) => draw(seed) * rng(seed).integers(1, { low: 5, high: 6 })[0]!);
console.log(await get([fives(1), fives(2)]));
`;

test.each(["nothing", "module"])(
  "a folder without node_modules has girona, in workers too (type: %s)",
  async (type) => {
    const folder = folderWith({
      "program.ts": program,
      "helper.ts": helper,
      ...(type === "module" && { "package.json": '{ "type": "module" }' }),
    });
    expect(await call(["run", "program.ts"], { cwd: folder })).toEqual({
      exitCode: 0,
      signal: null,
      stdout: "[ 25, 25 ]\n",
      stderr: "",
    });
  },
);

test("so has a CommonJS program", async () => {
  const text = `
    const { cluster, distribute, get } = require("girona");
    const { rng } = require("girona/random");
    (async () => {
      const session = await cluster({ workers: 1, dashboard: false });
      console.log(await get(distribute((seed) => rng(seed).integers(1, { low: 5, high: 6 })[0])(1)));
      await session.close();
    })();`;
  const folder = folderWith({ "program.cjs": text, "program.cts": text.replace("(seed)", "(seed: number)") });
  for (const file of ["program.cjs", "program.cts"])
    expect(await call(["run", file], { cwd: folder })).toMatchObject({ exitCode: 0, stdout: "5\n", stderr: "" });
});

test("a girona of the folder's own comes first", async () => {
  const folder = folderWith({
    "program.mjs": 'import { whose } from "girona";\nconsole.log(whose);',
    "node_modules/girona/package.json": '{ "name": "girona", "type": "module", "exports": "./index.js" }',
    "node_modules/girona/index.js": 'export const whose = "the folder\'s";',
  });
  expect(await call(["run", "program.mjs"], { cwd: folder })).toMatchObject({ stdout: "the folder's\n" });
});

test("where it is installed, nothing is put into the environment of the program", async () => {
  const folder = folderWith({
    "program.mjs": 'import "girona";\nconsole.log(process.env.NODE_OPTIONS);',
    "node_modules/x": "",
  });
  symlinkSync(resolve("."), join(folder, "node_modules/girona"));
  const options = { cwd: folder, env: { NODE_OPTIONS: undefined } };
  expect(await call(["run", "program.mjs"], options)).toMatchObject({ exitCode: 0, stdout: "undefined\n" });
});

test("a package that is nowhere is still missing, in Node's words", async () => {
  const folder = folderWith({ "program.mjs": 'import "gironas";' });
  const { exitCode, stderr } = await call(["run", "program.mjs"], { cwd: folder });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("Cannot find package 'gironas'");
});

test("a door that girona has not is missing, in Node's words", async () => {
  const folder = folderWith({ "program.mjs": 'import "girona/nothing";' });
  const { exitCode, stderr } = await call(["run", "program.mjs"], { cwd: folder });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("'./nothing' is not defined by \"exports\"");
});
