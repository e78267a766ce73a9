/** Time-outs, cancelling and closing: what is stopped stops, endless loops included, and nothing is left. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cancel, distribute, get } from "girona";
import { beforeEach, describe, expect, test } from "vitest";
import { tempDir, waitFor } from "../../support/index.ts";
import { blockUntil, sign, waitUntil } from "./gate.ts";
import { alive, childrenOf, directoryOf, gone, type Open, pidIn, rejection, shared, thrown } from "./open.ts";
import { slowToLoad } from "./slow-to-load.ts";

const square = distribute((x: number) => x * x);
const spin = distribute((place: string): number => {
  sign(place);
  for (;;);
});
const idle = distribute(async (place: string): Promise<number> => {
  sign(place);
  await waitUntil(`${place}.never`);
  return 1;
});

export function cancels(open: Open): void {
  let directory = "";
  beforeEach(() => {
    directory = tempDir();
  });
  const file = (name: string): string => join(directory, name);

  describe("stopping", () => {
    shared(open);

    describe("a task stops what it has submitted and waits for", () => {
      const outer = distribute(async (places: string[]) => await get(places.map((place) => spin(place))));
      const mapping = distribute(async (places: string[]) => await get(spin.map(places, { chunk: 1 })));
      const places = () => ["a", "b"].map(file);
      const ended = async () => {
        await gone(await Promise.all(places().map((place) => pidIn(place))));
        expect(await get(square(3))).toBe(9);
      };

      test("when it is cancelled", async () => {
        const ref = outer(places());
        for (const place of places()) await pidIn(place);
        await cancel(ref);
        await rejection(get(ref), "Cancelled");
        await ended();
      });

      test("when it is cancelled, items of a map too", async () => {
        const ref = mapping(places());
        for (const place of places()) await pidIn(place);
        await cancel(ref);
        await ended();
      });

      test("when its signal says so", async () => {
        const stopping = new AbortController();
        const ref = outer.options({ signal: stopping.signal })(places());
        for (const place of places()) await pidIn(place);
        stopping.abort();
        await rejection(get(ref), "Cancelled");
        await ended();
      });

      test("when its time is over", async () => {
        const ref = outer.options({ timeout: "2s" })(places());
        await rejection(get(ref), "Timeout");
        await ended();
      });

      test("but not what it gave away, nor what a task before it left to itself", async () => {
        const late = distribute(async (place: string, from: number) => {
          sign(place);
          await waitUntil(`${place}.go`);
          return from;
        });
        const leaves = distribute((place: string) => void late(place, 1));
        const gives = distribute((place: string) => ({ ref: late(place, 2) }));
        const waits = distribute(async (mine: string, given: { ref: ReturnType<typeof late> }) => {
          sign(mine);
          return await get(given.ref);
        });
        const on = await open({ workers: 3 });
        await get(leaves.options({ on })(file("left")));
        const given = await get(gives.options({ on })(file("given")));
        await pidIn(file("left"));
        await pidIn(file("given"));
        const ref = waits.options({ on })(file("waits"), given);
        await pidIn(file("waits"));
        await cancel(ref);
        const pid = await pidIn(file("left"));
        for (const name of ["left", "given"]) writeFileSync(`${file(name)}.go`, "");
        expect(await get(given.ref)).toBe(2);
        expect(alive(pid)).toBe(true);
        await on.close();
      });
    });

    test("a time-out ends a task in an endless loop, and the next task runs", async () => {
      const ref = spin.options({ timeout: "1s", name: "spin" })(file("a"));
      const error = await rejection(get(ref), "Timeout");
      expect([error.task, error.seconds]).toEqual(["spin", 1]);
      await gone([await pidIn(file("a"))]);
      expect(await get(Array.from({ length: 10 }, (_, i) => square(i)))).toEqual(
        Array.from({ length: 10 }, (_, i) => i * i),
      );
    });

    test("a time-out ends an async task that never ends", async () => {
      const error = await rejection(get(idle.options({ timeout: "100ms" })(file("a"))), "Timeout");
      expect(error.seconds).toBe(0.1);
      expect(await get(square(2))).toBe(4);
    });

    test("a time-out counts the run, not the loading of what the function imports", async () => {
      // A worker that has run something before, and one that has not.
      await get(square(1));
      const work = distribute((x: number) => slowToLoad(x), { timeout: "1s" });
      expect(await get([work(1), work(2)])).toEqual([2, 3]);
    });

    test("a time-out counts the run, not the time in the queue", async () => {
      const hold = distribute((place: string, gate: string) => {
        sign(place);
        blockUntil(gate);
      });
      const holding = ["a", "b"].map((name) => hold(file(name), file("go")));
      await Promise.all(["a", "b"].map((name) => pidIn(file(name))));
      const quick = square.options({ timeout: "200ms" })(7);
      await rejection(get(quick, { timeout: "600ms" }), "Timeout");
      writeFileSync(file("go"), "");
      expect(await get(quick)).toBe(49);
      await get(holding);
    });

    test("the time-out of one task costs no other its run", async () => {
      const wait = distribute(async (place: string, gate: string) => {
        sign(place);
        await waitUntil(gate);
        return 5;
      }).options({ retries: 0 });
      const other = wait(file("other"), file("go"));
      await pidIn(file("other"));
      await rejection(get(spin.options({ timeout: "100ms" })(file("a"))), "Timeout");
      writeFileSync(file("go"), "");
      expect(await get(other)).toBe(5);
    });

    test("the time-out of get leaves the task running", async () => {
      const hold = distribute((gate: string) => {
        blockUntil(gate);
        return 8;
      });
      const ref = hold(file("go"));
      const error = await rejection(get(ref, { timeout: "50ms" }), "Timeout");
      expect([error.task, error.seconds]).toEqual(["get", 0.05]);
      writeFileSync(file("go"), "");
      expect(await get(ref)).toBe(8);
    });

    test("the signal of get leaves the task running", async () => {
      const ref = idle(file("a"));
      const abort = new AbortController();
      const failure = rejection(get(ref, { signal: abort.signal }), "Cancelled");
      const pid = await pidIn(file("a"));
      abort.abort(new Error("enough"));
      expect(((await failure).cause as Error).message).toBe("enough");
      await rejection(get(ref, { signal: AbortSignal.abort() }), "Cancelled");
      expect(alive(pid)).toBe(true);
      writeFileSync(file("a.never"), "");
      expect(await get(ref)).toBe(1);
    });

    test("cancel takes a queued task out before it starts", async () => {
      const held = [spin(file("a")), spin(file("b"))];
      await Promise.all([pidIn(file("a")), pidIn(file("b"))]);
      const queued = idle(file("c"));
      await cancel(queued);
      const error = await rejection(get(queued), "Cancelled");
      expect(error.message).toMatch(/was cancelled/);
      await cancel(held);
      for (const ref of held) await rejection(get(ref), "Cancelled");
      expect(await get(square(3))).toBe(9);
      expect(existsSync(file("c"))).toBe(false);
    });

    test.each([
      ["an endless loop", spin],
      ["an async task", idle],
    ])("cancel stops %s that runs", async (_, work) => {
      for (const force of [false, true]) {
        const place = file(`a${force}`);
        const ref = work(place);
        const pid = await pidIn(place);
        await cancel(ref, { force });
        await rejection(get(ref), "Cancelled");
        expect(alive(pid)).toBe(false);
        expect(await get(square(3))).toBe(9);
      }
    });

    test("cancel fails what depends on the task", async () => {
      const ref = idle(file("a"));
      const dependent = square(ref);
      await pidIn(file("a"));
      await cancel(ref);
      await rejection(get(dependent), "Cancelled");
    });

    test("cancel of what is done changes nothing", async () => {
      const ref = square(4);
      await get(ref);
      await cancel(ref);
      expect(await get(ref)).toBe(16);
    });

    test("cancel of one task costs no other its run", async () => {
      const other = distribute(async (place: string, gate: string) => {
        sign(place);
        await waitUntil(gate);
        return 5;
      }).options({ retries: 0 });
      const kept = other(file("kept"), file("go"));
      await pidIn(file("kept"));
      const refs = Array.from({ length: 4 }, (_, i) => spin(file(`s${i}`)));
      await waitFor("one to spin", () => existsSync(file("s0")));
      await cancel(refs);
      writeFileSync(file("go"), "");
      expect(await get(kept)).toBe(5);
    });

    test("a signal given with the function cancels what runs and what is queued", async () => {
      const abort = new AbortController();
      const refs = Array.from({ length: 5 }, (_, i) => spin.options({ signal: abort.signal })(file(`s${i}`)));
      await waitFor("two to spin", () => existsSync(file("s0")) && existsSync(file("s1")));
      abort.abort(new Error("enough"));
      for (const ref of refs) {
        const error = await rejection(get(ref), "Cancelled");
        expect((error.cause as Error).message).toBe("enough");
      }
      expect(await get(square(3))).toBe(9);
      expect(readdirSync(directory).length).toBe(2);
    });

    test("a signal that has aborted before the call cancels it before it starts", async () => {
      const ref = idle.options({ signal: AbortSignal.abort(new Error("early")) })(file("a"));
      const error = await rejection(get(ref), "Cancelled");
      expect((error.cause as Error).message).toBe("early");
      expect(existsSync(file("a"))).toBe(false);
    });
  });

  describe("closing", () => {
    test("with work under way rejects it and leaves no process and no directory", async () => {
      const before = childrenOf(process.pid);
      const session = await open();
      const workers = childrenOf(process.pid).filter((pid) => !before.includes(pid));
      expect(workers.length).toBeGreaterThanOrEqual(2);
      const refs = [spin(file("a")), idle(file("b")), square(3), spin(file("c")), square(spin(file("d")))];
      const outcomes = refs.map((ref) => rejection(get(ref), "Cancelled").then((error) => error.message));
      await Promise.all([pidIn(file("a")), pidIn(file("b"))]);
      // Whether the quick one came in between is not the question here.
      outcomes[2]!.catch(() => {});
      await session.close();
      for (const i of [0, 1, 3, 4]) expect(await outcomes[i]).toMatch(/its cluster closed/);
      await gone(workers);
      expect(childrenOf(process.pid).filter((pid) => !before.includes(pid))).toEqual([]);
      expect(existsSync(directoryOf(process.pid, tmpdir()))).toBe(false);
    });

    test("right after opening and after the calls loses no rejection", async () => {
      const session = await open();
      const refs = Array.from({ length: 300 }, () => spin(file("a")));
      const outcomes = refs.map((ref) => rejection(get(ref), "Cancelled"));
      await session.close();
      expect((await Promise.all(outcomes)).length).toBe(300);
    });

    test("while tasks wait for tasks and actors rejects them all", async () => {
      class Waiter {
        async wait(place: string): Promise<number> {
          return get(idle(place));
        }
      }
      const RemoteWaiter = distribute(Waiter);
      const session = await open();
      const waiter = new RemoteWaiter();
      const outer = distribute(async (place: string) => get(idle(place)));
      const refs = [waiter.wait(file("a")), outer(file("b")), waiter.wait(file("c"))];
      const outcomes = refs.map((ref) => rejection(get(ref), "Cancelled"));
      await Promise.all(["a", "b"].map((name) => pidIn(file(name))));
      await session.close();
      expect((await Promise.all(outcomes)).length).toBe(3);
      expect(existsSync(file("c"))).toBe(false);
    });

    test("ends what a task started", async () => {
      const session = await open();
      const start = distribute(async (place: string): Promise<void> => {
        const { spawn } = await import("node:child_process");
        const { writeFileSync, renameSync } = await import("node:fs");
        const child = spawn("sleep", ["600"], { stdio: "ignore" });
        writeFileSync(`${place}.new`, String(child.pid));
        renameSync(`${place}.new`, place);
        return new Promise(() => {});
      });
      start(file("a"));
      const child = await pidIn(file("a"));
      try {
        await session.close();
        await gone([child], 5000);
        expect(alive(child)).toBe(false);
      } finally {
        if (alive(child)) process.kill(child, "SIGKILL");
      }
    });

    test("happens at the end of the scope", async () => {
      let pid = 0;
      {
        await using session = await open();
        expect(session.workers).toBe(2);
        pid = await get(distribute(() => process.pid)());
        expect(alive(pid)).toBe(true);
      }
      expect(alive(pid)).toBe(false);
    });

    test("twice is once, and a call afterwards is told", async () => {
      const session = await open();
      const here = square.options({ on: session });
      await session.close();
      await session.close();
      expect(thrown(() => here(2), "Engine").message).toMatch(/closed/);
    });

    test("what was ready is fetched afterwards or told, and no other cluster opens for it", async () => {
      const session = await open();
      const ref = square.options({ on: session })(3);
      await get(ref);
      await session.close();
      const before = childrenOf(process.pid);
      const outcome = await get(ref).then(
        (value) => `the value ${value}`,
        (error: Error) => error.message,
      );
      expect(outcome).toMatch(/^the value 9$|closed/);
      expect(childrenOf(process.pid).filter((pid) => !before.includes(pid))).toEqual([]);
    });

    test("one of two leaves the other at work", async () => {
      const one = await open({ workers: 1 });
      const two = await open({ workers: 1 });
      try {
        const whoAmI = distribute(() => process.pid);
        const [a, b, c] = [whoAmI.options({ on: one })(), whoAmI.options({ on: two })(), whoAmI()];
        const pids = [await get(a), await get(b), await get(c)];
        expect(pids[0]).not.toBe(pids[1]);
        expect(pids[2]).toBe(pids[1]);
        const add = distribute((x: number, y: number) => x + y, { on: one });
        expect(thrown(() => add(b, 1), "Usage").message).toMatch(/another cluster/);
        await two.close();
        expect(await get(whoAmI())).toBe(pids[0]);
        expect(await get(whoAmI.options({ on: one })())).toBe(pids[0]);
      } finally {
        await one.close();
        await two.close();
      }
    });

    test("happens by itself after idleTimeout, and not while a task runs", async () => {
      const session = await open({ idleTimeout: "100ms" });
      const hold = distribute(
        (gate: string, place: string) => {
          sign(place);
          blockUntil(gate);
          return process.pid;
        },
        { on: session },
      );
      const ref = hold(file("go"), file("a"));
      const pid = await pidIn(file("a"));
      await rejection(get(ref, { timeout: "500ms" }), "Timeout");
      expect(alive(pid)).toBe(true);
      writeFileSync(file("go"), "");
      expect(await get(ref)).toBe(pid);
      await gone([pid]);
      expect(thrown(() => hold(file("go"), file("b")), "Engine").message).toMatch(/closed/);
    });
  });
}
