import { type Cluster, cluster, distribute, get, put } from "girona";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitFor } from "../support/index.ts";
import { gate, hasStarted, held } from "./support/index.ts";

const steps = ["serialise", "queue", "transfer", "run", "fetch"] as const;

let session: Cluster;
let before: number;
beforeAll(async () => {
  before = performance.now();
  session = await cluster({ workers: 1, dashboard: false, pricePerWorkerHour: 7.2 });
});
afterAll(() => session.close());

function spin(ms: number, _data?: Float64Array): number {
  const start = performance.now();
  while (performance.now() - start < ms);
  return ms;
}
const row = (name: string) => session.profile().find((one) => one.name === name)!;
const elapsed = () => (performance.now() - before) / 1e3;

describe("profile", () => {
  test("is empty before the first call", () => {
    expect(session.profile()).toEqual([]);
  });

  test("has one row per function: seconds of each step, as median and total", async () => {
    const remote = distribute(spin);
    await get([remote(60), remote(60), remote(60)]);
    const found = row("spin");
    expect(Object.keys(found).sort()).toEqual([...steps, "bytes", "calls", "name"].sort());
    expect(found.calls).toBe(3);
    for (const step of steps) {
      const { median, total } = found[step];
      expect(Number.isFinite(median) && median >= 0, step).toBe(true);
      expect(total, step).toBeGreaterThanOrEqual(median);
      expect(total, step).toBeLessThan(3 * elapsed());
    }
    expect(found.run.median).toBeGreaterThanOrEqual(0.06);
    expect(found.run.total).toBeGreaterThanOrEqual(0.18);
    expect(found.run.total).toBeLessThanOrEqual(elapsed());
  });

  test("tells how long calls waited for a worker", async () => {
    const blocked = gate();
    const first = held(blocked.path, 1);
    const queued = distribute(function queued(x: number) {
      return x;
    });
    const refs = [queued(1), queued(2)];
    const submitted = performance.now();
    await waitFor("the worker to be taken", () => hasStarted(blocked));
    const waited = (performance.now() - submitted) / 1e3;
    blocked.open();
    await get([first, ...refs]);
    expect(row("queued").queue.median).toBeGreaterThanOrEqual(waited);
    expect(row("queued").queue.total).toBeGreaterThanOrEqual(2 * waited);
    expect(row("queued").run.total).toBeLessThan(row("queued").queue.total);
  });

  test("counts the bytes of arguments and results", async () => {
    const echo = distribute(function echo(x: Float64Array) {
      return x;
    });
    await get(echo(new Float64Array(100_000)));
    expect(row("echo").bytes).toBeGreaterThanOrEqual(1_600_000);
    expect(row("echo").bytes).toBeLessThan(1_700_000);
    expect(row("echo").serialise.total).toBeGreaterThan(0);
    expect(row("echo").fetch.total).toBeGreaterThan(0);
  });

  test("counts no bytes for a ref, which is stored once", async () => {
    const sum = distribute(function sum(x: Float64Array) {
      return x.length;
    });
    const stored = await put(new Float64Array(100_000));
    await get([sum(stored), sum(stored)]);
    expect(row("sum").bytes).toBeLessThan(10_000);
  });

  test("counts the items of map as calls", async () => {
    const mapped = distribute(function mapped(x: number) {
      return x;
    });
    await get(mapped.map(Array.from({ length: 1000 }, (_, i) => i)));
    expect(row("mapped").calls).toBe(1000);
  });

  test("has a row for each method of an actor", async () => {
    class Counter {
      value = 0;
      add(n: number): number {
        this.value += n;
        return this.value;
      }
    }
    const counter = new (distribute(Counter))();
    await get([counter.add(1), counter.add(2)]);
    expect(row("Counter.add").calls).toBe(2);
  });

  test("calls a function by the name it was given", async () => {
    const remote = distribute((x: number) => x + 1, { name: "step" });
    await get(remote(1));
    expect(row("step").calls).toBe(1);
  });

  test("is plain data", () => {
    expect(JSON.parse(JSON.stringify(session.profile()))).toEqual(session.profile());
  });
});

describe("cost", () => {
  test("is worker time, and its price", () => {
    const { workerHours, price } = session.cost();
    expect(workerHours).toBeGreaterThan(0);
    // The worker, and the process of the actor.
    expect(workerHours * 3600).toBeLessThanOrEqual(2 * elapsed());
    // The tests above kept the worker busy for longer than that.
    expect(workerHours * 3600).toBeGreaterThan(0.18);
    expect(price).toBeCloseTo(workerHours * 7.2, 10);
  });

  test("grows while workers are there, idle or not, and no more once it is closed", async () => {
    const one = await cluster({ workers: 2, dashboard: false });
    const first = one.cost();
    expect(first.price).toBeUndefined();
    const start = performance.now();
    await get(distribute(spin, { on: one })(50));
    const grown = (one.cost().workerHours - first.workerHours) * 3600;
    const passed = (performance.now() - start) / 1e3;
    // Both are paid for, though one did nothing; a worker that starts meanwhile counts from then on.
    expect(grown).toBeGreaterThan(0.05);
    expect(grown).toBeLessThanOrEqual(2 * passed + 0.05);
    await one.close();
    const closed = one.cost().workerHours;
    await get(distribute(spin)(20));
    expect(one.cost().workerHours).toBe(closed);
  });
});
