import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call, folderWith } from "./support.ts";

const args = ["a", "-b", "--json", "--", "--help", "two words"];

const esModule = `
import { basename } from "node:path";
await using session = { async [Symbol.asyncDispose]() { console.log("closed"); } };
const argv = await Promise.resolve(process.argv);
console.log(JSON.stringify([basename(argv[1]), ...argv.slice(2)]));
`;
const commonJs = `
const { basename } = require("node:path");
console.log(JSON.stringify([basename(process.argv[1]), ...process.argv.slice(2)]));
console.log(require.main === module ? "closed" : "not the main module");
`;
const manifests = { nothing: undefined, commonjs: "commonjs", module: "module" } as const;

describe.each(Object.keys(manifests) as (keyof typeof manifests)[])("with %s as the package's type", (kind) => {
  const endings = ["ts", "tsx", "mts", "cts", "js", "mjs", "cjs"].filter(
    // There, Node itself says that they are CommonJS; with `await` outside of a function they run nowhere.
    (ending) => !(kind === "commonjs" && ending === "js"),
  );
  test.each(endings)("a .%s program runs, with its arguments", async (ending) => {
    const isCommonJs = /^c/.test(ending);
    const folder = folderWith({
      [`program.${ending}`]: isCommonJs ? commonJs : esModule,
      ...(kind !== "nothing" && { "package.json": JSON.stringify({ type: kind }) }),
    });
    const ended = await call(["run", `program.${ending}`, ...args], { cwd: folder });
    expect(ended).toEqual({
      exitCode: 0,
      signal: null,
      stdout: `${JSON.stringify([`program.${ending}`, ...args])}\nclosed\n`,
      stderr: "",
    });
  });
});

test("TypeScript that is more than types runs: an enum, a parameter property, and an import without its ending", async () => {
  const folder = folderWith({
    "program.ts": `
      import { Colour, Point } from "./shapes";
      console.log(Colour.Green, new Point(1, 2).x);`,
    "shapes.ts":
      "export enum Colour { Red, Green }\nexport class Point { constructor(readonly x: number, y: number) {} }",
  });
  expect(await call(["run", join(folder, "program.ts")])).toMatchObject({ exitCode: 0, stdout: "1 1\n" });
});

test("JavaScript may import TypeScript, also by way of other JavaScript", async () => {
  const folder = folderWith({
    "program.mjs": 'import "./between.mjs";',
    "between.mjs": 'import { Colour } from "./colour.ts";\nconsole.log(Colour.Green);',
    "colour.ts": "export enum Colour { Red, Green }",
  });
  expect(await call(["run", "program.mjs"], { cwd: folder })).toMatchObject({ exitCode: 0, stdout: "1\n" });
});

test("a module that may also be imported knows that it is the program", async () => {
  const text = 'import { strict } from "node:assert";\nif (import.meta.main) strict(true), console.log("main");\n';
  const folder = folderWith({ "program.ts": text });
  expect(await call(["run", "program.ts"], { cwd: folder })).toMatchObject({ exitCode: 0, stdout: "main\n" });
});

test("plain JavaScript is left to Node: nothing is loaded for it", async () => {
  const folder = folderWith({ "program.cjs": "console.log(Object.keys(require.cache).some((f) => /tsx/.test(f)))" });
  expect(await call(["run", "program.cjs"], { cwd: folder })).toMatchObject({ exitCode: 0, stdout: "false\n" });
});
