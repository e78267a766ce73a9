import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Report } from "../../src/tasks/report.ts";
import { start } from "../support/index.ts";
import { call, folderWith, girona } from "./support.ts";

const head = `import { cluster, distribute, get } from "girona";
const square = distribute(function square(x: number) { return x * x; });
`;
const link = /^girona: \d+ workers on this machine; status at \S+\n/;
const reportIn = (folder: string) => JSON.parse(readFileSync(join(folder, "out.json"), "utf8")) as Report;

const ends: readonly [what: string, body: string, exitCode: number][] = [
  [
    "a cluster in a scope",
    "{ await using session = await cluster({ workers: 1, dashboard: false }); await get(square(3)); }",
    0,
  ],
  ["a cluster that nobody closes", "await cluster({ workers: 1, dashboard: false }); await get(square(3));", 0],
  ["no cluster of its own", "await get(square(3));", 0],
  ["process.exit()", "await get(square(3)); process.exit(7);", 7],
  [
    "process.exit() while it closes",
    "const session = await cluster({ dashboard: false }); await get(square(3)); void session.close(); process.exit(7);",
    7,
  ],
  ["an error", 'await get(square(3)); throw new Error("no");', 1],
  ["an await that nothing ends", "await get(square(3)); await new Promise(() => {});", 13],
];

test.each(ends)("%s: the report is there at the end, and stderr says where", async (_what, body, exitCode) => {
  const folder = folderWith({ "program.mts": head + body });
  const ended = await call(["run", "--profile", "out.json", "program.mts"], { cwd: folder });
  expect({ exitCode: ended.exitCode, stdout: ended.stdout }).toEqual({ exitCode, stdout: "" });
  expect(ended.stderr.match(/^girona: where the time went: out\.json$/gm)).toHaveLength(1);
  const report = reportIn(folder);
  expect(Object.keys(report)).toEqual(["version", "functions", "advice", "cost", "workers", "machine"]);
  expect(report.version).toBe(1);
  expect(report.functions).toMatchObject([{ name: "square", calls: 1 }]);
  expect(report.cost.workerHours).toBeGreaterThan(0);
  expect(report.workers.length).toBeGreaterThan(0);
});

test("a signal ends the program as ever, and the report is there, also after the cluster has closed", async () => {
  const closed =
    "const session = await cluster({ workers: 1, dashboard: false }); await get(square(3)); await session.close();";
  for (const body of ["await get(square(3));", closed]) {
    const folder = folderWith({ "program.mts": `${head}${body} console.log("ready"); setInterval(() => {}, 1000);` });
    const program = start([...girona, "run", "--profile", "out.json", "program.mts"], { cwd: folder });
    await program.matches(/ready/);
    program.kill("SIGTERM");
    expect(await program.finished).toMatchObject({ signal: "SIGTERM", stdout: "ready\n" });
    expect(reportIn(folder).functions).toMatchObject([{ name: "square" }]);
  }
});

test("several clusters are one report", async () => {
  const folder = folderWith({
    "program.mts": `${head} for (let i = 0; i < 2; i++) {
      const session = await cluster({ workers: 1, dashboard: false });
      await get(square(i));
      await session.close();
    }`,
  });
  await call(["run", "--profile", "out.json", "program.mts"], { cwd: folder });
  expect(reportIn(folder).functions).toMatchObject([{ session: 1 }, { session: 2 }]);
});

test("a name in .html gives the page; the program's own options are left alone", async () => {
  const folder = folderWith({ "program.mts": `${head} console.log(process.argv[2], await get(square(3)));` });
  const { stdout, stderr, exitCode } = await call(["run", "--profile", "out.html", "program.mts", "--profile"], {
    cwd: folder,
  });
  expect({ stdout, exitCode }).toEqual({ stdout: "--profile 9\n", exitCode: 0 });
  expect(stderr.replace(link, "")).toBe("girona: where the time went: out.html\n");
  const page = readFileSync(join(folder, "out.html"), "utf8");
  expect(page).toContain("<h1>program.mts</h1>");
  expect(page).toContain('<th scope="row">square</th>');
});

test("GIRONA_PROFILE does the same without the command, and is not passed on to what the program starts", async () => {
  const folder = folderWith({
    "program.mts": `${head} await get(square(3)); console.log(process.env["GIRONA_PROFILE"]);`,
  });
  const { stdout, exitCode } = await call(["run", "program.mts"], { cwd: folder, env: { GIRONA_PROFILE: "out.json" } });
  expect({ stdout, exitCode }).toEqual({ stdout: "undefined\n", exitCode: 0 });
  expect(reportIn(folder).functions).toMatchObject([{ name: "square" }]);
  const wrong = await call(["run", "program.mts"], { cwd: folder, env: { GIRONA_PROFILE: "gone/out.json" } });
  expect(wrong.stderr).toContain(
    `GIRONA_PROFILE: gone/out.json cannot be written: the folder ${join(realpathSync(folder), "gone")} is not there`,
  );
});

test("a program that calls no distributed function has none, and is told so", async () => {
  const folder = folderWith({ "program.mts": "export {};" });
  expect(await call(["run", "--profile", "out.html", "program.mts"], { cwd: folder })).toMatchObject({
    exitCode: 0,
    stdout: "",
    stderr: "girona: no profile: the program called no distributed function\n",
  });
  expect(existsSync(join(folder, "out.html"))).toBe(false);
});

test.each([
  ["program.mts program.mts", /^error: --profile program\.mts: the name of the report must end in \.html/],
  [
    "gone/out.html program.mts",
    /^error: --profile: gone\/out\.html cannot be written: the folder \S+ is not there; make it/,
  ],
  ["out.html", /^error: missing required argument 'file'/],
])("girona run --profile %s: exit code 2 before the program runs", async (args, reason) => {
  const folder = folderWith({ "program.mts": 'console.log("ran");' });
  const { exitCode, stdout, stderr } = await call(["run", "--profile", ...args.split(" ")], { cwd: folder });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toMatch(reason);
});
