/** Every change is an event, and the state now is plain data: what progress, status page, profile and advice read. */
import { join } from "node:path";
import { type Cluster, cancel, distribute, get, kill, put } from "girona";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Engine, EngineEvent } from "../../../src/engine/index.ts";
import { tempDir, waitFor } from "../../support/index.ts";
import { blockUntil, sign } from "./gate.ts";
import { type Open, pidIn, rejection } from "./open.ts";

/** The engine behind a cluster: not for users, but what the layers above read. */
const engineOf = (session: Cluster): Engine => (session as unknown as { readonly engine: Engine }).engine;

type Of<T extends EngineEvent["type"]> = Extract<EngineEvent, { readonly type: T }>;

export function events(open: Open): void {
  describe("events", () => {
    let session: Cluster;
    let heard: EngineEvent[] = [];
    let stop = (): void => {};
    let directory = "";
    const of = <T extends EngineEvent["type"]>(type: T): Of<T>[] =>
      heard.filter((event): event is Of<T> => event.type === type);
    const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

    beforeAll(async () => {
      session = await open();
    });
    afterAll(() => session.close());
    beforeEach(() => {
      directory = tempDir();
      heard = [];
      stop();
      stop = engineOf(session).on((event) => heard.push(event));
    });

    test("are plain data with version and time, as JSON keeps them", async () => {
      await get(distribute((x: number) => x)(1));
      await waitFor("an event", () => heard.length > 0);
      for (const event of heard) {
        expect(event.v).toBe(1);
        expect(Math.abs(Date.now() - event.at)).toBeLessThan(60_000);
        expect(JSON.parse(JSON.stringify(event))).toEqual(JSON.parse(JSON.stringify({ ...event })));
      }
    });

    test("count what finished and what failed", async () => {
      // A cluster of its own, because the events of earlier tasks may still be on their way.
      await using own = await open();
      const mine: EngineEvent[] = [];
      engineOf(own).on((event) => mine.push(event));
      const work = distribute((x: number) => {
        if (x % 10 === 0) throw new Error("on purpose");
        return x;
      }).options({ on: own });
      const refs = Array.from({ length: 1000 }, (_, i) => work(i));
      await Promise.all(refs.map((ref) => get(ref).catch(() => {})));
      const finished = (): Of<"tasks.finished">[] => mine.filter((event) => event.type === "tasks.finished");
      await waitFor("all to be told", () => sum(finished().map(({ count }) => count)) >= 1000);
      expect(sum(finished().map(({ count }) => count))).toBe(1000);
      expect(sum(finished().map(({ failed }) => failed))).toBe(100);
      const defined = mine.filter((event) => event.type === "function.defined");
      expect(defined.length).toBe(1);
      expect(defined[0]!.where).toMatch(/events\.ts:\d+$/);
    });

    test("are fewer than the tasks, which travel in batches", async () => {
      const tiny = distribute((x: number) => x);
      await get(Array.from({ length: 20_000 }, (_, i) => tiny(i)));
      expect(heard.length).toBeLessThan(10_000);
    });

    test("tell of a lost worker, the retry, and the worker in its place", async () => {
      const held = distribute((place: string) => {
        sign(place);
        blockUntil(`${place}.never`);
      });
      const ref = held.options({ retries: 1, name: "held" })(join(directory, "a"));
      const pid = await pidIn(join(directory, "a"));
      process.kill(pid, "SIGKILL");
      await waitFor("the retry", () => of("task.retried").length > 0);
      expect(of("worker.lost").map((event) => [event.pid, event.signal])).toEqual([[pid, "SIGKILL"]]);
      expect(of("task.retried").map((event) => [event.task, event.attempts])).toEqual([["held", 1]]);
      await waitFor("another worker", () => of("worker.started").length > 0);
      await cancel(ref);
      await rejection(get(ref), "Cancelled");
      expect(of("task.cancelled").map(({ task }) => task)).toEqual(["held"]);
    });

    test("tell of stored objects", async () => {
      await put(new Float64Array(100_000));
      expect(of("object.stored").map((event) => [event.bytes, event.in])).toEqual([[800_000, "memory"]]);
    });

    test("tell what tasks print, with task and worker", async () => {
      const speak = distribute(function speak() {
        console.log("a line");
      });
      await get(speak());
      await waitFor("the line", () => of("console").length > 0);
      const { task, stream, line, worker } = of("console")[0]!;
      expect([task, stream, line]).toEqual(["speak", "stdout", "a line"]);
      expect(worker).toMatch(/^worker-\d+$/);
    });

    test("tell the life of an actor", async () => {
      class Thing {
        work(): number {
          return 1;
        }
      }
      const RemoteThing = distribute(Thing, { name: "a thing" });
      const thing = new RemoteThing();
      await get(thing.work());
      await kill(thing);
      expect(of("actor.started").map(({ actor }) => actor)).toEqual(['Thing "a thing"']);
      expect(of("actor.ended").map(({ actor }) => actor)).toEqual(['Thing "a thing"']);
    });

    test("stop when nobody listens any more", async () => {
      await using own = await open({ workers: 1 });
      const kept: string[] = [];
      const dropped: string[] = [];
      engineOf(own).on(({ type }) => kept.push(type));
      engineOf(own).on(({ type }) => dropped.push(type))();
      await get(distribute((x: number) => x).options({ on: own })(1));
      await waitFor("the events", () => kept.includes("tasks.finished"));
      expect(dropped).toEqual([]);
    });

    test("the snapshot says what runs and what waits", async () => {
      const held = distribute(function heldForSnapshot(place: string, gate: string) {
        sign(place);
        blockUntil(gate);
      }).options({ name: "held" });
      const gate = join(directory, "go");
      const refs = ["a", "b", "c"].map((name) => held(join(directory, name), gate));
      await Promise.all(["a", "b"].map((name) => pidIn(join(directory, name))));
      const snapshot = engineOf(session).snapshot();
      expect(JSON.parse(JSON.stringify(snapshot)).workers.length).toBe(2);
      expect(snapshot.workers.map(({ state, running }) => [state, running])).toEqual([
        ["busy", "held"],
        ["busy", "held"],
      ]);
      expect(snapshot.queued + snapshot.running).toBe(3);
      sign(gate);
      await get(refs);
      const after = engineOf(session).snapshot();
      expect([after.queued, after.running]).toEqual([0, 0]);
      const about = after.functions.find(({ name }) => name === "heldForSnapshot")!;
      expect([about.calls, about.finished, about.failed]).toEqual([3, 3, 0]);
      expect(about.where).toMatch(/events\.ts:\d+$/);
      expect(after.workerSeconds).toBeGreaterThan(0);
    });

    test("the session's end is the last of them", async () => {
      const own = await open({ workers: 1 });
      const types: string[] = [];
      engineOf(own).on(({ type }) => types.push(type));
      await get(distribute((x: number) => x).options({ on: own })(1));
      await own.close();
      expect(types.at(-1)).toBe("session.closed");
      expect(types).toContain("worker.stopped");
    });
  });
}
