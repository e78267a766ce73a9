/** However a program ends, its exit status is its own, and neither a process nor a directory of girona's is left. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Running, run, start, tempDir, waitFor } from "../../support/index.ts";
import { alive, childrenOf, directoryOf, gone } from "./open.ts";

export function exits(): void {
  describe("a program", () => {
    let directory = "";
    beforeEach(() => {
      directory = tempDir();
    });

    const begin = (how: string): Running =>
      start(["node", "test/engine/programs/ends.mjs", how, join(directory, "place")], { env: { TMPDIR: directory } });

    async function workersOf(program: Running): Promise<number[]> {
      const [, pids = ""] = await program.matches(/workers ([\d ]+)\./);
      return pids.split(" ").map(Number);
    }

    async function nothingLeft(program: Running, workers: readonly number[]): Promise<void> {
      await gone(workers, 5000);
      // After a signal it is the reaper who clears it away.
      await waitFor("the directory to be gone", () => !existsSync(directoryOf(program.pid, directory)));
      expect(existsSync(directoryOf(program.pid, directory))).toBe(false);
    }

    test.each([
      ["whose script ends, with work under way that nobody waits for", "end", 0],
      ["whose script ends, with a cluster that is idle", "idle", 0],
      ["that closes its cluster", "closed", 0],
      ["that never opened a cluster by hand", "implicit", 0],
      ["that sets process.exitCode", "exitCode", 3],
      ["that calls process.exit()", "exit", 7],
      ["that throws", "throw", 1],
      ["with a rejection that nobody handles", "reject", 1],
    ])("%s ends with its own status", async (_, how, code) => {
      const program = begin(how);
      const workers = await workersOf(program);
      const { exitCode, signal, stderr } = await program.finished;
      expect([exitCode, signal]).toEqual([code, null]);
      if (how === "throw" || how === "reject") expect(stderr).toMatch(/RangeError: the program's own/);
      await nothingLeft(program, workers);
    });

    test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("ended by %s ends by that signal", async (signal) => {
      const program = begin("wait");
      const workers = await workersOf(program);
      const children = childrenOf(program.pid);
      expect(children.length).toBeGreaterThanOrEqual(workers.length);
      program.kill(signal);
      const finished = await program.finished;
      expect([finished.exitCode, finished.signal]).toEqual([null, signal]);
      await nothingLeft(program, [...workers, ...children]);
    });

    test("ended by Ctrl-C, which reaches its workers too, ends by that signal", async () => {
      const program = begin("wait");
      const workers = await workersOf(program);
      process.kill(-program.pid, "SIGINT");
      const finished = await program.finished;
      expect([finished.exitCode, finished.signal]).toEqual([null, "SIGINT"]);
      await nothingLeft(program, workers);
    });

    test("with a signal handler of its own decides by itself", async () => {
      const program = begin("handler");
      const workers = await workersOf(program);
      await program.matches(/ready/);
      program.kill("SIGTERM");
      const finished = await program.finished;
      expect([finished.exitCode, finished.signal]).toEqual([5, null]);
      expect(finished.stdout).toContain("its own handler");
      await nothingLeft(program, workers);
    });

    test("is told at its end about failures that nobody fetched", async () => {
      const program = begin("unfetched");
      const workers = await workersOf(program);
      const { exitCode, stderr } = await program.finished;
      expect(exitCode).toBe(0);
      expect(stderr).toMatch(/2 tasks failed, and nobody fetched their results/);
      // In the order in which they happened.
      for (const n of [1, 2]) expect(stderr).toContain(`RangeError: failure ${n} (at `);
      await nothingLeft(program, workers);
    });

    test("is told nothing about a failure that was fetched", async () => {
      const program = begin("fetched");
      const workers = await workersOf(program);
      expect((await program.finished).stderr).toBe("");
      await nothingLeft(program, workers);
    });

    test("that is killed leaves workers that end by themselves, and the next one sweeps its directory", async () => {
      const program = begin("wait");
      const workers = await workersOf(program);
      const children = childrenOf(program.pid);
      program.kill("SIGKILL");
      expect((await program.finished).signal).toBe("SIGKILL");
      await gone([...workers, ...children], 5000);
      expect(workers.some(alive)).toBe(false);
      const next = await run(["node", "test/engine/programs/ends.mjs", "closed", join(directory, "next")], {
        env: { TMPDIR: directory },
      });
      expect(next.exitCode).toBe(0);
      expect(readdirSync(join(directory, `girona-${process.getuid!()}`))).toEqual([]);
    });
  });
}
