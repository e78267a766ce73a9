import { expect, test } from "vitest";
import { call, folderWith } from "./support.ts";

const calls: readonly [args: string, stderr: RegExp][] = [
  ["", /^Usage: girona .*\n.*doctor.*Exit codes:/s],
  ["docter", /^error: unknown command 'docter'\n\(Did you mean girona doctor\?\)\n$/],
  ["docter --json", /^error: unknown command 'docter'\n\(Did you mean girona doctor\?\)\n$/],
  ["program.ts a", /^error: unknown command 'program.ts'\n\(Did you mean girona run program.ts\?\)\n$/],
  ["whatever", /^error: unknown command 'whatever'\n$/],
  ["--vesion", /^error: unknown option '--vesion'\n\(Did you mean --version\?\)\n$/],
  ["doctor --jsn", /^error: unknown option '--jsn'\n\(Did you mean --json\?\)\n$/],
  ["doctor now", /^error: too many arguments for 'doctor'/],
  ["run", /^error: missing required argument 'file'\n$/],
  ["run --watch program.ts", /^error: unknown option '--watch'\n$/],
  ["run progam.ts", /^error: there is no progam.ts\n\(Did you mean program.ts\?\)\n$/],
  ["run program", /^error: there is no program\n\(Did you mean program.ts\?\)\n$/],
  ["run Program.js -x", /^error: there is no Program.js\n\(Did you mean program.ts\?\)\n$/],
  ["run sub/other.ts", /^error: there is no sub\/other.ts\n\(Did you mean sub\/others.mjs\?\)\n$/],
  ["run xyz.ts", /^error: there is no xyz.ts\n$/],
  ["run sub", /^error: sub is a folder; name a program in it\n$/],
  ["run nowhere/program.ts", /^error: there is no nowhere\/program.ts: the folder nowhere is not there\n$/],
];

test.each(calls)("girona %s: exit code 2, and the reason on stderr alone", async (args, reason) => {
  const folder = folderWith({ "program.ts": "", "sub/others.mjs": "" });
  const { exitCode, stdout, stderr } = await call(args.split(" ").filter(Boolean), { cwd: folder });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toMatch(reason);
});

test.each(["--help", "help", "help run", "run --help", "doctor --help"])("girona %s is an answer", async (args) => {
  const { exitCode, stdout, stderr } = await call(args.split(" "));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/^Usage: girona/);
});

test.each(["--version", "-V"])("girona %s prints the version of the package", async (option) => {
  expect(await call([option])).toEqual({ exitCode: 0, signal: null, stdout: "0.1.0\n", stderr: "" });
});
