import { existsSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { run, start, tempDir, waitFor } from "../support/index.ts";

describe("the helpers of the tests", () => {
  test("run collects both streams, the exit code and feeds the input", async () => {
    const script = "process.stdin.pipe(process.stdout); console.error('bad'); process.exitCode = 3";
    expect(await run(["node", "-e", script], { input: "hello" })).toEqual({
      exitCode: 3,
      signal: null,
      stdout: "hello",
      stderr: "bad\n",
    });
  });

  test("run kills what outlives its deadline, children too, and shows the output", async () => {
    const script =
      "const c = require('node:child_process').spawn('sleep', ['60'], {stdio: 'ignore'}); console.log(c.pid); c.on('exit', () => {})";
    const process = start(["node", "-e", script], { timeoutMs: 1000 });
    const [, pid = ""] = await process.matches(/(\d+)\n/);
    await expect(process.finished).rejects.toThrow(/still ran after 1 s; it wrote:\n\d+/);
    await waitFor("the grandchild to be gone", () => !existsSync(`/proc/${pid}/environ`) || !alive(Number(pid)));
    expect(alive(Number(pid))).toBe(false);
  });

  test("waitFor returns the value, and says what it waited for in vain", async () => {
    let asked = 0;
    expect(await waitFor("three", () => ++asked === 3 && "three")).toBe("three");
    await expect(waitFor("the impossible", () => false, { timeoutMs: 30 })).rejects.toThrow(
      "waited 0.03 s for the impossible",
    );
  });

  let left = "";
  afterAll(() => expect(existsSync(left)).toBe(false));
  test("tempDir gives a directory that is gone after the test", () => {
    left = tempDir();
    expect(existsSync(left)).toBe(true);
  });
});

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
