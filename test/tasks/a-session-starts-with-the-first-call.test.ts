import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { run } from "../support/index.ts";
import { programFile, runProgram, tsx } from "./support/index.ts";

const head =
  'import { cluster, distribute, get, getActor, put } from "girona"; const square = distribute(function square(x) { return x * x; });\n';
const link = /^girona: \d+ workers on this machine; status at http:\/\/127\.0\.0\.1:\d+\/status\?token=[0-9a-f]{32}\n$/;

test("the link stands once on stderr, stdout has only what the program prints, and the program ends by itself", async () => {
  const { exitCode, stdout, stderr } = await runProgram(
    `${head} console.log(await get(square(3)), await get(square.map([1, 2])), await get(await put(5)));`,
  );
  expect(stdout).toBe("9 [ 1, 4 ] 5\n");
  expect(stderr).toMatch(link);
  expect(exitCode).toBe(0);
});

test("importing and distributing start nothing", async () => {
  const { stdout, stderr, exitCode } = await runProgram(
    `${head} console.log(await get([]), await get({}), square.name, String(distribute.explain((x) => x)).length > 0);`,
  );
  expect([stdout, stderr, exitCode]).toEqual(["[] {} square true\n", "", 0]);
});

test("it runs as TypeScript under tsx", async () => {
  const file = programFile(
    "program.ts",
    `import { distribute, get } from "girona";
    const square = distribute((x: number): number => x * x);
    const values: number[] = await get([1, 2].map((x) => square(x)));
    console.log(values);`,
  );
  const { stdout, stderr, exitCode } = await run(["node", tsx, file]);
  expect([stdout, exitCode]).toEqual(["[ 1, 4 ]\n", 0]);
  expect(stderr).toMatch(link);
});

test("the next free port is taken when 8787 is not free", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => {
    // Somebody else may have it already, which is the same to the program.
    taken.once("error", () => resolve()).listen(8787, "127.0.0.1", resolve);
  });
  onTestFinished(() => void taken.close());
  const { stderr, exitCode } = await runProgram(`${head} await get(square(3));`);
  expect(stderr).toMatch(link);
  expect(Number(/:(\d+)\/status/.exec(stderr)![1])).not.toBe(8787);
  expect(exitCode).toBe(0);
});

test("cluster() prints no link, and gives it", async () => {
  const { stdout, stderr, exitCode } = await runProgram(
    `${head} await using session = await cluster({ workers: 1 }); console.log(session.dashboardLink, await get(square(3)));`
      .replace("await using session", "const session")
      .concat("await session.close();"),
  );
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/status\?token=[0-9a-f]{32} 9\n$/);
  expect([stderr, exitCode]).toEqual(["", 0]);
});

test("a program that does not close its cluster ends all the same", async () => {
  const { stdout, exitCode } = await runProgram(
    `${head} const session = await cluster({ workers: 1 }); console.log(await get(square(3)));`,
  );
  expect([stdout, exitCode]).toEqual(["9\n", 0]);
});

test("a failure that nobody fetched is told at the end, and the exit code is the program's own", async () => {
  const { stderr, exitCode } = await runProgram(
    `${head} const fails = distribute(function fails() { throw new Error("unseen"); });
    const ref = fails(); await get(square(3));
    const { wait } = await import("girona"); await wait([ref]);`,
  );
  expect(stderr).toMatch(/girona: 1 task failed, and nobody fetched its result:\n {2}fails .*unseen/);
  expect(exitCode).toBe(0);
});

describe("GIRONA_ENGINE", () => {
  test.each([
    ["nonsense", 'There is no engine "nonsense"; use "embedded"'],
    ["ray", 'The engine for Ray is not part of this version; use "embedded"'],
  ])("%s is refused in words, by a call and by cluster()", async (engine, words) => {
    const { stdout, stderr, exitCode } = await runProgram(
      `${head}
      for (const start of [() => square(3), () => cluster(), () => put(1)]) {
        try { await start(); console.log("started"); }
        catch (error) { console.log(error.code, error.engine, error.message); }
      }`,
      { env: { GIRONA_ENGINE: engine } },
    );
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toContain(`Engine ${engine} ${words}`);
    expect([stderr, exitCode]).toEqual(["", 0]);
  });

  test.each(["embedded", ""])("%j is the engine on this machine", async (engine) => {
    const { stdout } = await runProgram(`${head} console.log(await get(square(3)));`, {
      env: { GIRONA_ENGINE: engine },
    });
    expect(stdout).toBe("9\n");
  });

  test("is overruled by the option", async () => {
    const { stdout } = await runProgram(
      `${head} const session = await cluster({ engine: "embedded", dashboard: false }); console.log(await get(square(3)));`,
      { env: { GIRONA_ENGINE: "nonsense" } },
    );
    expect(stdout).toBe("9\n");
  });
});

describe("after its cluster has closed,", () => {
  const closed = `${head}
    import { asCompleted, cancel, progress, wait } from "girona";
    const session = await cluster({ workers: 1, dashboard: false });
    const ready = square(3);
    const list = square.map([1, 2]);
    await get([ready, list[0], list[1]]);
    await session.close();`;

  test.each([
    ["get of a ref", "get(ready)"],
    ["get of an array", "get([ready])"],
    ["get of what .map returned", "get([...list])"],
    ["wait", "wait([ready]).then(({ ready }) => ready.length)"],
    ["cancel", "cancel(ready)"],
    ["progress", "progress(ready)"],
  ])("%s starts no other one: it gives what is there, or says that it is closed", async (_, call) => {
    const { stdout, stderr, exitCode } = await runProgram(
      `${closed} console.log(await ${call}.then(() => "done", (error) => error.message));`,
    );
    expect(stdout).toMatch(/^done$|cluster.*closed/im);
    expect(stderr).not.toContain("status at");
    expect(exitCode).toBe(0);
  });

  test("its ref in another call is refused, in words", async () => {
    const { stdout } = await runProgram(
      `${closed} const other = await cluster({ workers: 1, dashboard: false });
      try { console.log(await get(square(ready))); } catch (error) { console.log(error.code, error.message); }`,
    );
    expect(stdout).toMatch(/^Usage The ref square#\d+ belongs to another cluster/);
  });
});
