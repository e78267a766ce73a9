import { realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { start } from "../support/index.ts";
import { call, folderWith, girona } from "./support.ts";

const programs: readonly [what: string, text: string, exitCode: number][] = [
  ["its end", "export {};", 0],
  ["process.exit()", "process.exit(7);\nexport {};", 7],
  ["process.exitCode", "process.exitCode = 3;\nexport {};", 3],
  ["an error", 'throw new Error("no");', 1],
  ["a promise that is rejected", 'void Promise.reject(new Error("no"));\nexport {};', 1],
  ["an await that nothing ends", "await new Promise(() => {});", 13],
];

test.each(programs)("%s gives the program's exit code", async (_what, text, exitCode) => {
  const folder = folderWith({ "program.ts": text });
  expect(await call(["run", "program.ts"], { cwd: folder })).toMatchObject({ exitCode, stdout: "" });
});

test.each(["ts", "mts", "cts", "mjs", "cjs"])("an error in a .%s program names the user's own line", async (ending) => {
  const lines = ["// one", "// two", "function broken() {", '  throw new TypeError("no");', "}", "broken();", ""];
  if (ending === "ts" || ending === "mts")
    lines.unshift("interface Only { readonly types: string }", "type More = Only;");
  const folder = folderWith({ [`program.${ending}`]: lines.join("\n") });
  const { exitCode, stderr, stdout } = await call(["run", `program.${ending}`], { cwd: folder });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  const line = lines.findIndex((one) => one.includes("throw")) + 1;
  const path = realpathSync(join(folder, `program.${ending}`));
  expect(stderr).toContain(`TypeError: no\n    at broken (`);
  expect(stderr).toContain(`${path}:${line}:9`);
});

test("an error in a worker names the user's own line as well", async () => {
  const text = `
    import { distribute, get } from "girona";
    interface Only { readonly types: string }
    const broken = distribute((): number => {
      throw new TypeError("no");
    });
    await get(broken());`;
  const folder = folderWith({ "program.ts": text });
  const { exitCode, stderr } = await call(["run", "program.ts"], { cwd: folder });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("TypeError: no");
  expect(stderr).toContain(`${join(folder, "program.ts")}:5:`);
});

test("a signal ends the program, which may answer it", async () => {
  const folder = folderWith({
    "program.ts": 'process.on("SIGTERM", () => process.exit(5));\nsetInterval(() => {}, 1000);\nconsole.log("ready");',
  });
  const program = start([...girona, "run", "program.ts"], { cwd: folder });
  await program.matches(/ready/);
  program.kill("SIGTERM");
  expect(await program.finished).toMatchObject({ exitCode: 5, stdout: "ready\n", stderr: "" });
});

test("standard input is the program's", async () => {
  const folder = folderWith({ "program.mts": "for await (const chunk of process.stdin) process.stdout.write(chunk);" });
  expect(await call(["run", "program.mts"], { cwd: folder, input: "a\nb" })).toMatchObject({
    stdout: "a\nb",
    stderr: "",
  });
});
