/** Tasks: results in order, references as arguments, errors as they were thrown, and no task waits behind a long one. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { asCompleted, distribute, get, put, type Ref, wait } from "girona";
import { beforeEach, describe, expect, test } from "vitest";
import { tempDir } from "../../support/index.ts";
import { blockUntil, sign, waitUntil } from "./gate.ts";
import { type Open, pidIn, rejection, shared, thrown } from "./open.ts";
import { ShapeError } from "./shapes.ts";

const add = distribute((a: number, b: number) => a + b);

export function tasks(open: Open): void {
  describe("tasks", () => {
    shared(open);
    let directory = "";
    beforeEach(() => {
      directory = tempDir();
    });
    const file = (name: string): string => join(directory, name);
    const letGo = (name: string): void => writeFileSync(file(name), "");
    /** Ends with its last argument as soon as the file is there. */
    const heldUp = distribute((gate: string, value: number) => {
      blockUntil(gate);
      return value;
    });

    describe("results", () => {
      test("come in the order of the calls, whatever the order in which they end", async () => {
        const refs = [heldUp(file("a"), 1), add(1, 1), add(1, 2)];
        expect(await get([refs[1]!, refs[2]!])).toEqual([2, 3]);
        letGo("a");
        expect(await get(refs)).toEqual([1, 2, 3]);
      });

      test("of ten thousand calls are each where they belong", async () => {
        const refs = Array.from({ length: 10_000 }, (_, i) => add(i, 1));
        const values = await get(refs);
        expect(values.length).toBe(10_000);
        expect(values.every((value, i) => value === i + 1)).toBe(true);
      });

      test("come as tuple, record, iterable, and none", async () => {
        expect(await get([add(1, 2), add(3, 4)])).toEqual([3, 7]);
        expect(await get({ a: add(1, 2), b: add(3, 4) })).toEqual({ a: 3, b: 7 });
        expect(await get(new Set([add(1, 2), add(3, 4)]))).toEqual([3, 7]);
        expect(await get([])).toEqual([]);
        expect(await get({})).toEqual({});
      });

      test("of async functions are awaited, and two of them wait in turn on one worker", async () => {
        const later = distribute(async (gate: string, value: number) => {
          await waitUntil(gate);
          return value;
        });
        const refs = Array.from({ length: 4 }, (_, i) => later(file("open"), i));
        letGo("open");
        expect(await get(refs)).toEqual([0, 1, 2, 3]);
      });

      test("of a function that returns nothing are undefined", async () => {
        expect(await get(distribute(() => {})())).toBeUndefined();
        expect(await get(distribute(async () => {})())).toBeUndefined();
      });

      test("are there once asCompleted has given each, the first ones first", async () => {
        const refs = [heldUp(file("slow"), 7), add(1, 1), add(2, 2)];
        const seen: number[] = [];
        for await (const { index, value } of asCompleted(refs)) {
          seen.push(index);
          expect(value).toBe([7, 2, 4][index]);
          if (seen.length === 2) letGo("slow");
        }
        expect(seen.toSorted()).toEqual([0, 1, 2]);
        expect(seen.at(-1)).toBe(0);
      });

      test("wait says which are ready and fetches nothing", async () => {
        const slow = heldUp(file("slow"), 7);
        const failing = distribute(() => {
          throw new Error("on purpose");
        })();
        const quick = add(1, 1);
        const { ready, pending } = await wait([slow, failing, quick], { count: 2 });
        expect(pending).toEqual([slow]);
        expect(new Set(ready)).toEqual(new Set([failing, quick]));
        const now = await wait([slow], { timeout: "10ms" });
        expect([now.ready.length, now.pending.length]).toEqual([0, 1]);
        letGo("slow");
        expect((await wait([slow])).ready).toEqual([slow]);
        await rejection(get(failing), "Task");
      });
    });

    describe("references", () => {
      test("as arguments arrive as values, whether they are pending or ready", async () => {
        const pending = heldUp(file("go"), 20);
        const ready = add(1, 1);
        await get(ready);
        const sum = add(pending, ready);
        letGo("go");
        expect(await get(sum)).toBe(22);
        expect(await get(add(await put(40), 2))).toBe(42);
      });

      test("twice in one call and in many calls give the value each time", async () => {
        const one = add(2, 3);
        expect(await get(add(one, one))).toBe(10);
        const sums = Array.from({ length: 300 }, (_, i) => add(one, i));
        expect(await get(sums)).toEqual(Array.from({ length: 300 }, (_, i) => i + 5));
      });

      test("inside an object arrive as references, which the task fetches", async () => {
        const fetchBoth = distribute(async (given: { refs: Ref<number>[] }) => {
          const values = await get(given.refs);
          return values[0]! * values[1]!;
        });
        expect(await get(fetchBoth({ refs: [add(1, 2), await put(5)] }))).toBe(15);
      });

      test("inside an object that comes back are the same references", async () => {
        const swap = distribute((given: { a: Ref<number>; b: Ref<number> }) => ({ a: given.b, b: given.a }));
        const { a, b } = await get(swap({ a: add(1, 0), b: add(2, 0) }));
        expect(await get([a, b])).toEqual([2, 1]);
      });

      test("in a chain of a thousand tasks are followed", async () => {
        let ref = add(0, 1);
        for (let i = 0; i < 999; i++) ref = add(ref, 1);
        expect(await get(ref)).toBe(1000);
      });

      test("in a diamond meet again", async () => {
        const top = distribute((n: number) => Float64Array.from({ length: n }, (_, i) => i))(20_000);
        const sum = distribute((data: Float64Array, factor: number) => data.reduce((a, b) => a + b * factor, 0));
        const both = add(sum(top, 1), sum(top, 2));
        expect(await get(both)).toBe(3 * ((20_000 * 19_999) / 2));
      });

      test("to a large array go from task to task", async () => {
        const make = distribute((n: number) => new Float64Array(n).fill(1));
        const scale = distribute((data: Float64Array, factor: number) => data.map((value) => value * factor));
        let ref = make(50_000);
        for (let i = 0; i < 10; i++) ref = scale(ref, 2);
        const data = await get(ref);
        expect(data.every((value) => value === 1024)).toBe(true);
      });
    });

    describe("errors", () => {
      test("come as the cause, with class, message, own properties and the user's line", async () => {
        const fail = distribute((shape: string) => {
          throw new ShapeError(`no ${shape}`, shape, [1, 2], { cause: new RangeError("inner") });
        }).options({ name: "draw" });
        const error = await rejection(get(fail("circle")), "Task");
        expect([error.task, error.attempts]).toEqual(["draw", 1]);
        expect(error.worker).toMatch(/^worker-\d+$/);
        expect(error.message).toMatch(/^draw failed on worker-\d+: ShapeError: no circle/);
        const cause = error.cause as ShapeError;
        expect(cause).toBeInstanceOf(ShapeError);
        expect([cause.name, cause.message, cause.shape, cause.sides]).toEqual([
          "ShapeError",
          "no circle",
          "circle",
          [1, 2],
        ]);
        expect(cause.cause).toBeInstanceOf(RangeError);
        const line = /tasks\.ts:(\d+):\d+/.exec(cause.stack ?? "");
        expect(line).not.toBeNull();
        expect(error.message).toContain(`tasks.ts:${line![1]}`);
      });

      test("name the line where they were thrown in the user's own file", async () => {
        const { line } = callerLine();
        const fail = distribute(() => {
          throw new Error("here");
        });
        const { cause } = await rejection(get(fail()), "Task");
        expect((cause as Error).stack).toContain(`contract/tasks.ts:${line + 2}:`);
      });

      test("of async functions are the same", async () => {
        const fail = distribute(async () => {
          await Promise.resolve();
          throw new TypeError("late");
        });
        const error = await rejection(get(fail()), "Task");
        expect(error.cause).toBeInstanceOf(TypeError);
        expect((error.cause as Error).message).toBe("late");
      });

      test.each([
        ["a text", "just words"],
        ["a number", 42],
        ["an object", { status: 404 }],
        ["null", null],
        ["undefined", undefined],
      ])("%s that is thrown is the cause as it is", async (_, thrownValue) => {
        const fail = distribute((value: unknown) => {
          throw value;
        });
        const error = await rejection(get(fail(thrownValue)), "Task");
        expect("cause" in error ? error.cause : undefined).toEqual(thrownValue);
      });

      test("that are frozen come back", async () => {
        const fail = distribute(() => {
          throw Object.freeze(Object.assign(new Error("cold"), { degrees: -5 }));
        });
        const { cause } = await rejection(get(fail()), "Task");
        expect([(cause as Error).message, (cause as { degrees?: number }).degrees]).toEqual(["cold", -5]);
      });

      test("that are huge come back whole", async () => {
        const fail = distribute(() => {
          throw Object.assign(new Error("x".repeat(3_000_000)), { data: new Float64Array(100_000).fill(2) });
        });
        const { cause } = await rejection(get(fail()), "Task");
        expect((cause as Error).message.length).toBe(3_000_000);
        expect((cause as unknown as { data: Float64Array }).data.at(-1)).toBe(2);
      });

      test("with something on them that cannot travel come back without it", async () => {
        const fail = distribute(() => {
          throw Object.assign(new Error("request failed"), { retry: () => 1, status: 503 });
        });
        const { cause } = await rejection(get(fail()), "Task");
        expect([(cause as Error).message, (cause as { status?: number }).status]).toEqual(["request failed", 503]);
        expect(String((cause as { retry?: unknown }).retry)).toMatch(/function/);
      });

      test("whose stack throws or is no text come back", async () => {
        const fail = distribute((how: string) => {
          const error = new Error(how);
          if (how === "no stack") delete error.stack;
          else Object.defineProperty(error, "stack", { value: 7 });
          throw error;
        });
        for (const how of ["no stack", "odd stack"]) {
          const { cause } = await rejection(get(fail(how)), "Task");
          expect((cause as Error).message).toBe(how);
        }
      });

      test("of a dependency fail its dependents with the same error", async () => {
        const fail = distribute(() => {
          throw new RangeError("root");
        }).options({ name: "root" });
        const ref = fail() as Ref<number>;
        const first = await rejection(get(ref), "Task");
        const dependent = add(add(ref, 1), 2);
        const error = await rejection(get(dependent), "Task");
        expect(error.task).toBe("root");
        expect(error).toBe(first);
      });

      test("of a dependency that fails later reach tasks that wait for it", async () => {
        const fail = distribute((gate: string): number => {
          blockUntil(gate);
          throw new RangeError("later");
        });
        const dependents = [1, 2, 3].map(() => add(fail(file("fail")), 1));
        letGo("fail");
        for (const ref of dependents) {
          const error = await rejection(get(ref), "Task");
          expect((error.cause as Error).message).toBe("later");
        }
      });

      test("reject get with the first failure while the others go on", async () => {
        const fail = distribute((): number => {
          throw new Error("on purpose");
        });
        const slow = heldUp(file("slow"), 5);
        await rejection(get([slow, fail()]), "Task");
        letGo("slow");
        expect(await get(slow)).toBe(5);
      });

      test("what is no ref is a UsageError", async () => {
        await rejection(get([1] as never), "Usage");
        await rejection(get(put(1) as never), "Usage");
        expect(thrown(() => distribute(5 as never), "Usage").parameter).toBe("source");
        expect(thrown(() => distribute(() => 1, { cpu: 2 } as never), "Usage").message).toMatch(/cpus/);
      });
    });

    describe("scheduling", () => {
      test("a long task holds up none of the short ones behind it", async () => {
        // Measured as quick first, so that some are sent ahead to the worker that then takes long.
        const maybe = distribute((gate: string, value: number) => {
          if (gate !== "") blockUntil(gate);
          return value;
        });
        await get(Array.from({ length: 500 }, (_, i) => maybe("", i)));
        const refs = Array.from({ length: 500 }, (_, i) => maybe(i === 7 ? file("long") : "", i));
        const long = refs.splice(7, 1);
        try {
          expect((await get(refs, { timeout: "15s" })).length).toBe(499);
          const { pending } = await wait(long, { timeout: "1ms" });
          expect(pending).toEqual(long);
        } finally {
          letGo("long");
          // The directory of the file must outlive the task.
          await wait(long, { timeout: "10s" });
        }
        expect(await get(long)).toEqual([7]);
      });

      test("each task runs once, also when it was taken back from a busy worker", async () => {
        const { appendFileSync, readFileSync } = await import("node:fs");
        const note = distribute((log: string, gate: string, value: number) => {
          appendFileSync(log, `${value}\n`);
          if (gate !== "") blockUntil(gate);
        });
        await get(Array.from({ length: 200 }, (_, i) => note(file("warm-up"), "", i)));
        const refs = Array.from({ length: 400 }, (_, i) => note(file("log"), i % 100 === 3 ? file("go") : "", i));
        // Two of them hold up both workers; all before them is done.
        await wait(refs, { count: 3 });
        letGo("go");
        await get(refs);
        const lines = readFileSync(file("log"), "utf8").trim().split("\n").map(Number);
        expect(lines.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, i) => i));
      });

      test("both workers work at the same time", async () => {
        const meet = distribute((mine: string, other: string) => {
          sign(mine);
          blockUntil(other);
          return process.pid;
        });
        const pids = await get([meet(file("a"), file("b")), meet(file("b"), file("a"))]);
        expect(new Set(pids).size).toBe(2);
        expect(await pidIn(file("a"))).toBe(pids[0]);
      });
    });
  });
}

/** Where it was called. */
function callerLine(): { readonly line: number } {
  return { line: Number(/tasks\.ts:(\d+):\d+/.exec(new Error().stack!.split("\n")[2]!)![1]) };
}
