import {
  type Cluster,
  cluster,
  distribute,
  EngineError,
  get,
  getActor,
  isGironaError,
  put,
  type Ref,
  UsageError,
} from "girona";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failure } from "./support/index.ts";

let first: Cluster;
let second: Cluster;
beforeAll(async () => {
  first = await cluster({ workers: 1, dashboard: false });
  second = await cluster({ workers: 1, dashboard: false });
});
afterAll(() => Promise.all([first.close(), second.close()]));

function work(x: number): number {
  return x * x;
}
const square = distribute(work);
const onFirst = square.options({ on: first! });
const calls = (session: Cluster) => session.profile().find(({ name }) => name === "work")?.calls ?? 0;

class Counter {
  value = 0;
  add(n: number): number {
    this.value += n;
    return this.value;
  }
}

test("and to the one before when that is closed", async () => {
  const third = await cluster({ workers: 1, dashboard: false });
  const before = [calls(first), calls(second)];
  await get(square(1));
  expect([calls(first), calls(second), calls(third)]).toEqual([...before, 1]);
  await third.close();
  await get(square.map([1, 2]));
  expect([calls(first), calls(second) - before[1]!]).toEqual([before[0], 2]);
});

test("on: the one that is named", async () => {
  const before = calls(second);
  const there = square.options({ on: first });
  expect(await get([there(2), there(3)])).toEqual([4, 9]);
  expect(await get(there.map([1, 2]))).toEqual([1, 4]);
  expect(calls(first)).toBe(4);
  expect(calls(second)).toBe(before);
  expect(await get(onFirst(2))).toBe(4);
});

test("actors and their names live in one", async () => {
  const Named = distribute(Counter, { on: first, name: "shared" });
  const counter = new Named();
  expect(await get(counter.add(2))).toBe(2);
  const error = await failure(() => getActor("shared"));
  expect(error).toBeInstanceOf(UsageError);
  expect(error.message).toContain("shared");
});

describe("a ref of one is refused in another, in words:", () => {
  let here: Ref<number>;
  let there: Ref<number>;
  beforeAll(async () => {
    here = square(1);
    there = square.options({ on: first })(2);
    await Promise.all([get(here), get(there)]);
  });
  const unwrap = distribute((value: { ref: Ref<number> }) => get(value.ref));

  test.each<[string, () => unknown]>([
    ["as an argument", () => square(there)],
    ["the other way round", () => square.options({ on: first })(here)],
    ["inside of an argument", () => unwrap({ ref: there })],
    ["as an item of map", () => get(square.map([there]))],
    ["in put", () => put({ ref: there })],
    ["in one get with others", () => get([here, there])],
  ])("%s", async (_, call) => {
    const error = await failure(call);
    expect(isGironaError(error, "Usage"), error.stack).toBe(true);
    expect(error.message).toMatch(/The ref work#\d+ belongs to another cluster/);
  });

  test("and each can be fetched by itself", async () => {
    expect(await get(here)).toBe(1);
    expect(await get(there)).toBe(4);
  });
});

test("one that is closed says so", async () => {
  const gone = await cluster({ workers: 1, dashboard: false });
  const there = square.options({ on: gone });
  const Gone = distribute(Counter, { on: gone });
  const counter = new Gone();
  await get(counter.add(1));
  await gone.close();
  for (const call of [
    () => there(1),
    () => get(there.map([1])),
    () => new Gone(),
    () => counter.add(1),
    () => gone.scale({ workers: 2 }),
  ]) {
    const error = await failure(call);
    expect(error).toBeInstanceOf(EngineError);
    expect(error.message).toBe(
      "The cluster is closed. Open another one with cluster(), or call within the scope that opened it.",
    );
  }
  expect(await gone.close()).toBeUndefined();
  // What is known of it stays.
  expect(gone.profile().map(({ name }) => name)).toContain("Counter.add");
  expect(gone.cost().workerHours).toBeGreaterThan(0);
});

test("what was not done when it closed is cancelled", async () => {
  const gone = await cluster({ workers: 1, dashboard: false });
  const ref = distribute(
    function endless(x: number) {
      while (x > 0);
    },
    { on: gone },
  )(1);
  const waiting = failure(() => get(ref));
  await gone.close();
  const error = await waiting;
  expect(isGironaError(error, "Cancelled") && error.task).toBe("endless");
  expect(error.message).toContain("its cluster closed");
});

test("it closes with the scope that opened it", async () => {
  let session: Cluster;
  {
    await using scoped = await cluster({ workers: 1, dashboard: false });
    session = scoped;
    expect(await get(square(2))).toBe(4);
  }
  expect((await failure(() => square.options({ on: session })(1))).message).toMatch(/closed/);
});

test("inside of a task, cluster() is refused in words, and calls go to the cluster of the task", async () => {
  const opens = distribute(async () => {
    await cluster({ workers: 1 });
  });
  const error = await failure(() => get(opens()));
  expect(isGironaError(error, "Task")).toBe(true);
  expect(isGironaError(error.cause, "Usage")).toBe(true);
  expect((error.cause as Error).message).toBe(
    "cluster() was called inside a task, which has a cluster already: call distributed functions as they are.",
  );
  const nested = distribute(async (x: number) => get(square(x)), { on: first });
  const before = calls(first);
  expect(await get(nested(3))).toBe(9);
  expect(calls(first)).toBe(before + 1);
});
