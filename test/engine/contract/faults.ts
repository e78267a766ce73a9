/** Workers that are killed, exit, or run out of memory: what was lost runs again, and what cannot is told with the facts. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { distribute, get } from "girona";
import { beforeEach, describe, expect, test } from "vitest";
import { tempDir, waitFor } from "../../support/index.ts";
import { blockUntil, sign } from "./gate.ts";
import { type Open, pidIn, rejection, shared } from "./open.ts";

const square = distribute((x: number) => x * x);

export function faults(open: Open): void {
  describe("a lost worker", () => {
    shared(open);
    let directory = "";
    beforeEach(() => {
      directory = tempDir();
    });
    const file = (name: string): string => join(directory, name);

    /** The first run holds until it is killed; later ones end. */
    const onceHeld = distribute((place: string, value: number) => {
      appendFileSync(`${place}.runs`, "x");
      if (readFileSync(`${place}.runs`, "utf8").length > 1) return value;
      sign(place);
      blockUntil(`${place}.never`);
      return -1;
    });
    const alwaysHeld = distribute((place: string) => {
      appendFileSync(`${place}.runs`, "x");
      sign(`${place}.${readFileSync(`${place}.runs`, "utf8").length}`);
      blockUntil(`${place}.never`);
    });

    test("gives its task to another one", async () => {
      const ref = onceHeld(file("a"), 7);
      process.kill(await pidIn(file("a")), "SIGKILL");
      expect(await get(ref)).toBe(7);
      expect(readFileSync(file("a.runs"), "utf8")).toBe("xx");
    });

    test("is told with worker, signal and attempts when there are no retries", async () => {
      const ref = alwaysHeld.options({ retries: 0, name: "held" })(file("a"));
      process.kill(await pidIn(file("a.1")), "SIGKILL");
      const error = await rejection(get(ref), "WorkerLost");
      expect([error.signal, error.exitCode, error.attempts]).toEqual(["SIGKILL", undefined, 1]);
      expect(error.worker).toMatch(/^worker-\d+$/);
      expect(error.message).toContain("held");
      expect(error.message).toContain("SIGKILL");
    });

    test("is told after as many retries as were asked for", async () => {
      const ref = alwaysHeld.options({ retries: 2 })(file("a"));
      for (const run of [1, 2, 3]) process.kill(await pidIn(file(`a.${run}`)), "SIGKILL");
      const error = await rejection(get(ref), "WorkerLost");
      expect(error.attempts).toBe(3);
      expect(readFileSync(file("a.runs"), "utf8")).toBe("xxx");
    });

    test("charges nothing to the tasks that had not started", async () => {
      const note = distribute((log: string, value: number) => {
        appendFileSync(log, `${value}\n`);
        return value;
      }).options({ retries: 0 });
      // Measured as quick, so that some are sent ahead.
      await get(Array.from({ length: 300 }, (_, i) => note(file("warm-up"), i)));
      const held = [file("a"), file("b")].map((place) => alwaysHeld.options({ retries: 0 })(place));
      const refs = Array.from({ length: 300 }, (_, i) => note(file("log"), i));
      for (const name of ["a.1", "b.1"]) process.kill(await pidIn(file(name)), "SIGKILL");
      expect(await get(refs)).toEqual(Array.from({ length: 300 }, (_, i) => i));
      for (const ref of held) await rejection(get(ref), "WorkerLost");
      const lines = readFileSync(file("log"), "utf8").trim().split("\n");
      expect(lines.length).toBe(300);
    });

    test("while the task waits for others inside is made good", async () => {
      const outer = distribute(async (place: string) => {
        const inner = square(6);
        const value = await get(inner);
        appendFileSync(`${place}.runs`, "x");
        if (readFileSync(`${place}.runs`, "utf8").length === 1) {
          sign(place);
          blockUntil(`${place}.never`);
        }
        return value;
      });
      const ref = outer(file("a"));
      process.kill(await pidIn(file("a")), "SIGKILL");
      expect(await get(ref)).toBe(36);
    });

    test("takes no result with it that was ready, small or large", async () => {
      const make = distribute((n: number) => ({ pid: process.pid, data: new Float64Array(n).fill(n) }));
      const refs = [10, 100_000].map((n) => make(n));
      const pids = (await get(refs)).map(({ pid }) => pid);
      for (const pid of new Set(pids)) process.kill(pid, "SIGKILL");
      const again = await get(refs);
      expect(again.map(({ data }) => [data.length, data.at(-1)])).toEqual([
        [10, 10],
        [100_000, 100_000],
      ]);
      expect(await get(square(4))).toBe(16);
    });

    test("that had nothing to do is replaced", async () => {
      const whoAmI = distribute(() => process.pid);
      const pids = new Set(await get(Array.from({ length: 20 }, () => whoAmI())));
      for (const pid of pids) process.kill(pid, "SIGKILL");
      const after = await get(Array.from({ length: 20 }, () => whoAmI()));
      expect(after.some((pid) => pids.has(pid))).toBe(false);
    });

    test("gives its task to another one with all its arguments, large ones and references too", async () => {
      const sum = distribute((place: string, data: Float64Array, more: Float64Array, facts: { list: number[] }) => {
        appendFileSync(`${place}.runs`, "x");
        // What this run does to its arguments must not reach the next one.
        const total = data[0]! + more[0]! + facts.list.length;
        data.fill(0);
        more.fill(0);
        facts.list.push(1);
        if (readFileSync(`${place}.runs`, "utf8").length < 3) process.kill(process.pid, "SIGKILL");
        return total;
      });
      const make = distribute((n: number) => new Float64Array(n).fill(20));
      const ref = sum(file("a"), new Float64Array(100_000).fill(1), make(100_000), { list: [1, 2, 3] });
      expect(await get(ref)).toBe(24);
      expect(readFileSync(file("a.runs"), "utf8")).toBe("xxx");
    });

    test("again and again loses no result of a thousand tasks", async () => {
      const mortal = distribute(
        async (log: string, x: number) => {
          // One run in some dozens ends its process, before or after another task has begun there.
          const { appendFileSync: append, existsSync: exists } = process.getBuiltinModule("node:fs");
          if (x % 125 === 7 && !exists(`${log}.${x}`)) {
            append(`${log}.${x}`, "");
            process.kill(process.pid, "SIGKILL");
          }
          return x % 3 === 0 ? await get(square(x)) : x * x;
        },
        { retries: 50 },
      );
      const refs = Array.from({ length: 1000 }, (_, x) => mortal(file("log"), x));
      const values = await get(refs);
      expect(values.every((value, x) => value === x * x)).toBe(true);
      expect(values.length).toBe(1000);
    });

    test("because the task called process.exit() is told with the code", async () => {
      const leave = distribute((code: number): number => process.exit(code)).options({ retries: 0 });
      const error = await rejection(get(leave(3)), "WorkerLost");
      expect([error.exitCode, error.signal, error.attempts]).toEqual([3, undefined, 1]);
      expect(error.message).toMatch(/process\.exit\(\)/);
      const zero = await rejection(get(leave(0)), "WorkerLost");
      expect(zero.exitCode).toBe(0);
      expect(await get(square(3))).toBe(9);
    });

    test("because of an error outside of the task's promise is told", async () => {
      const stray = distribute(async (): Promise<number> => {
        setTimeout(() => {
          throw new RangeError("stray");
        }, 0);
        return new Promise(() => {});
      }).options({ retries: 0 });
      const error = await rejection(get(stray()), "WorkerLost");
      expect(error.exitCode).not.toBe(0);
      expect(error.message).toMatch(/an error outside of any call .*RangeError: stray \(at .*faults\.ts:\d+:\d+\)/);
      expect(error.message).not.toContain("process.exit");
      expect(await get(square(3))).toBe(9);
    });

    test("a bad item of a map costs only itself, and the others run at most twice", async () => {
      const poison = distribute((item: { log: string; value: number }) => {
        appendFileSync(item.log, `${item.value}\n`);
        if (item.value === 13) process.kill(process.pid, "SIGKILL");
        return item.value;
      }).options({ retries: 1 });
      const items = Array.from({ length: 40 }, (_, value) => ({ log: file("log"), value }));
      const refs = poison.map(items, { chunk: 10 });
      const others = refs.filter((_, i) => i !== 13);
      expect(await get(others, { timeout: "20s" })).toEqual(
        items.map(({ value }) => value).filter((one) => one !== 13),
      );
      const error = await rejection(get(refs[13]!), "WorkerLost");
      expect([error.attempts, error.signal]).toEqual([2, "SIGKILL"]);
      const runs = new Map<string, number>();
      for (const line of readFileSync(file("log"), "utf8").trim().split("\n"))
        runs.set(line, (runs.get(line) ?? 0) + 1);
      expect(runs.size).toBe(40);
      expect(runs.get("13")).toBe(2);
      expect(Math.max(...runs.values())).toBe(2);
      await rejection(get(refs), "WorkerLost");
    });

    test("errors that are thrown are not retried unless asked for", async () => {
      const flaky = distribute((place: string) => {
        appendFileSync(place, "x");
        const runs = readFileSync(place, "utf8").length;
        if (runs < 3) throw new Error(`run ${runs}`);
        return runs;
      });
      const error = await rejection(get(flaky(file("a"))), "Task");
      expect([(error.cause as Error).message, error.attempts]).toEqual(["run 1", 1]);
      expect(await get(flaky.options({ retryErrors: true })(file("b")))).toBe(3);
      const short = await rejection(get(flaky.options({ retryErrors: true, retries: 1 })(file("c"))), "Task");
      expect([(short.cause as Error).message, short.attempts]).toEqual(["run 2", 2]);
      const places = ["d", "e", "f"].map(file);
      expect(await get(flaky.options({ retryErrors: true }).map(places))).toEqual([3, 3, 3]);
    });
  });

  describe("a worker without memory left", () => {
    shared(open, { memoryPerWorker: "64MiB", workers: 1 });

    test("is told as such, and what to do", async () => {
      const fill = distribute(() => {
        const kept: number[][] = [];
        for (;;) kept.push(Array.from({ length: 10_000 }, (_, i) => i + kept.length + 0.5));
      }).options({ retries: 0 });
      const error = await rejection(get(fill()), "WorkerLost");
      expect(error.message).toMatch(/heap was exhausted/);
      expect(error.message).toMatch(/memoryPerWorker/);
      expect(await get(square(5))).toBe(25);
    });
  });

  describe("scaling", () => {
    test("up and down while tasks run loses none of them", async () => {
      const directory = tempDir();
      const session = await open({ workers: 1 });
      const held = distribute((place: string, gate: string) => {
        sign(place);
        blockUntil(gate);
        return process.pid;
      });
      try {
        const names = ["a", "b", "c"].map((name) => join(directory, name));
        const refs = names.map((place) => held(place, join(directory, "go")));
        await pidIn(names[0]!);
        expect(existsSync(names[1]!)).toBe(false);
        await session.scale({ workers: 3 });
        expect(session.workers).toBe(3);
        const pids = await Promise.all(names.map(pidIn));
        expect(new Set(pids).size).toBe(3);
        const smaller = session.scale({ workers: 1 });
        appendFileSync(join(directory, "go"), "");
        await smaller;
        expect(await get(refs)).toEqual(pids);
        const after = await get(Array.from({ length: 100 }, () => distribute(() => process.pid)()));
        expect(new Set(after).size).toBe(1);
        await waitFor("two workers to be gone", () => pids.filter((pid) => existsSync(`/proc/${pid}`)).length <= 1);
      } finally {
        await session.close();
      }
    });
  });
}
