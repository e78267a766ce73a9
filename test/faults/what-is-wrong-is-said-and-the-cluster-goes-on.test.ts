import { PerformanceObserver } from "node:perf_hooks";
import { PassThrough } from "node:stream";
import { type Cluster, type ClusterOptions, cluster, distribute, get, put } from "girona";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rejection } from "../engine/contract/open.ts";
import { full } from "./support/index.ts";

// Untyped, as JavaScript sees it: the compiler refuses most of this before.
// biome-ignore lint/suspicious/noExplicitAny: see above
const untyped = distribute as any;

let session: Cluster;
beforeAll(async () => {
  session = await cluster({ workers: 1, dashboard: false });
});
afterAll(() => session.close());

const square = distribute((x: number) => x * x);
const goesOn = async (): Promise<void> => expect(await get(square(12))).toBe(144);
const echo = untyped((value: unknown) => value);

async function refusal(call: () => unknown): Promise<{ code: string; message: string; parameter: string }> {
  try {
    await call();
  } catch (error) {
    return error as { code: string; message: string; parameter: string };
  }
  throw new Error("nothing was refused");
}

describe("options of the cluster", () => {
  test.each<[object, string, string]>([
    [{ workers: -1 }, "workers", "-1"],
    [{ workers: 0 }, "workers", "0"],
    [{ workers: 1.5 }, "workers", "1.5"],
    [{ workers: Number.NaN }, "workers", "NaN"],
    [{ workers: "2" }, "workers", '"2"'],
    [{ memoryPerWorker: "12XB" }, "memoryPerWorker", '"12XB"'],
    [{ memoryPerWorker: "1KB" }, "memoryPerWorker", '"1KB"'],
    [{ memoryPerWorker: 512 }, "memoryPerWorker", "512"],
    [{ objectMemory: "-1GB" }, "objectMemory", '"-1GB"'],
    [{ objectMemory: "lots" }, "objectMemory", '"lots"'],
    [{ idleTimeout: "5 parsecs" }, "idleTimeout", '"5 parsecs"'],
    [{ gpus: -1 }, "gpus", "-1"],
    [{ dashboard: 70_000 }, "dashboard", "70000"],
    [{ worker: 2 }, "worker", "workers"],
  ])("%j", async (options, parameter, shown) => {
    const error = await refusal(() => cluster(options as ClusterOptions));
    expect([error.code, error.parameter]).toEqual(["Usage", parameter]);
    expect(error.message).toContain(parameter);
    expect(error.message).toContain(shown);
    await goesOn();
  });
});

class Holder {
  readonly inside: unknown;
  constructor(inside: unknown) {
    this.inside = inside;
  }
}

const thrower = (): never => {
  throw new RangeError("from the getter");
};

/** What cannot be copied, deep inside of something, and what of its place must be in the words. */
const deep: readonly [what: string, make: () => unknown, words: RegExp][] = [
  ["a function in an object in an array", () => [1, { rows: [{ call: () => 1 }] }], /rows.*call/],
  ["a symbol in a Map", () => new Map([["key", { mark: Symbol("s") }]]), /mark.*symbol|symbol.*mark/i],
  ["a promise in a Set", () => new Set([{ later: Promise.resolve(1) }]), /later.*promise|promise.*later/],
  ["a WeakMap in an instance", () => new Holder({ cache: new WeakMap() }), /inside.*cache/],
  ["a stream", () => ({ out: new PassThrough() }), /out/],
  ["an observer", () => ({ watch: new PerformanceObserver(() => {}) }), /watch/],
  ["a function beside a large array", () => ({ data: new Float64Array(50_000), f: () => 1 }), /\bf\b/],
];

describe.each(deep)("%s is refused with its place", (_, make, words) => {
  test("as an argument, in put, and as an item", async () => {
    for (const call of [() => echo(make()), () => put(make() as never), () => get(echo.map([make()]))]) {
      const error = await refusal(call);
      expect(error.message).toMatch(words);
      expect(error.code).toBe("Usage");
    }
    await goesOn();
  });
});

describe("a result that cannot be copied fails its task alone", () => {
  test.each<[string, () => unknown, RegExp]>([
    ["a function deep inside", () => ({ rows: [{ call: () => 1 }] }), /rows.*call/],
    ["a symbol", () => Symbol("s"), /symbol/],
    ["a Proxy", () => ({ hidden: new Proxy({}, {}) }), /hidden.*Proxy|Proxy.*hidden/],
    ["a revoked Proxy", () => revoked(), /Proxy|revoked/],
    ["a getter that throws", () => Object.defineProperty({}, "x", { enumerable: true, get: thrower }), /getter/],
    ["a generator", () => (function* () {})(), /generator|iterator/],
    ["a weak collection", () => new WeakSet(), /weak collection/],
  ])("%s", async (_, make, words) => {
    const task = untyped(make, { retries: 0 });
    const refs = [square(2), task(), square(3)];
    const error = await rejection(get(refs[1] as never, { timeout: "10s" }), "Task");
    expect((error.cause as Error).message).toMatch(words);
    expect([await get(refs[0] as never), await get(refs[2] as never)]).toEqual([4, 9]);
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe("whatever a task throws arrives as something", () => {
  test("a message of 10 MB, whole", async () => {
    const words = untyped(() => {
      throw new Error("x".repeat(10_000_000));
    });
    const error = await rejection(get(words()), "Task");
    expect((error.cause as Error).message.length).toBe(10_000_000);
    await goesOn();
  });

  test("a cycle of errors", async () => {
    const round = untyped(() => {
      const a = new Error("a") as Error & { other?: unknown };
      const b = new TypeError("b", { cause: a });
      a.cause = b;
      a.other = [a, b];
      throw a;
    });
    const { cause } = await rejection(get(round()), "Task");
    expect((cause as Error).message).toBe("a");
    expect(((cause as Error).cause as Error).cause).toBe(cause);
  });

  test.each<[string, () => unknown]>([
    ["nothing", () => undefined],
    ["null", () => null],
    ["a text", () => "a text"],
    ["a symbol", () => Symbol("s")],
    ["a function", () => () => 1],
    ["an object without a prototype", () => Object.create(null)],
    ["a revoked Proxy", () => revoked()],
    ["an error with a function", () => Object.assign(new Error("own"), { retry: () => 1 })],
    ["a frozen error", () => Object.freeze(new Error("own"))],
    ["an error without a stack", () => Object.assign(new Error("own"), { stack: undefined })],
    ["an error whose message throws", () => Object.defineProperty(new Error("x"), "message", { get: thrower })],
    ["an error whose stack throws", () => Object.defineProperty(new Error("x"), "stack", { get: thrower })],
    ["an error whose name is a symbol", () => Object.assign(new Error("own"), { name: Symbol("s") })],
    ["an error that is a Proxy", () => new Proxy(new Error("own"), {})],
    ["a socket's error", () => Object.assign(new Error("read ECONNRESET"), { errno: -104, code: "ECONNRESET" })],
  ])("%s", async (_, make) => {
    const task = untyped(
      () => {
        throw make();
      },
      { retries: 0 },
    );
    const refs = [square(2), task(), square(3)];
    const error = await rejection(get(refs[1] as never, { timeout: "10s" }), "Task");
    expect(error.message.length).toBeGreaterThan(0);
    expect([await get(refs[0] as never), await get(refs[2] as never)]).toEqual([4, 9]);
  });
});

test("a list of a hundred thousand links, one in the next, arrives or is refused in words", async () => {
  const nested = untyped(() => {
    let list: unknown;
    for (let i = 0; i < 100_000; i++) list = { next: list };
    return list;
  });
  const outcome = await get(nested() as never).then(
    (list: unknown) => {
      let length = 0;
      for (let at = list as { next: never } | undefined; at; at = at.next) length++;
      return length;
    },
    (error: { code: string }) => error.code,
  );
  expect([100_000, "Task"]).toContain(outcome);
  let here: unknown;
  for (let i = 0; i < 100_000; i++) here = { next: here };
  const sent = await refusal(async () => {
    await get(echo(here), { timeout: "20s" });
    throw Object.assign(new Error("arrived"), { code: "Usage" });
  });
  expect(sent.code).toBe("Usage");
  await goesOn();
});

if (full) {
  test("a result of 3 GB arrives whole", { timeout: 300_000 }, async () => {
    const make = distribute((bytes: number) => {
      const data = new Uint8Array(bytes);
      data[bytes - 1] = 7;
      data[2 ** 31] = 9;
      return data;
    });
    const ref = make(3e9);
    const data = await get(ref);
    expect([data.length, data[2 ** 31], data.at(-1), data[0]]).toEqual([3e9, 9, 7, 0]);
    expect(await get(distribute((all: Uint8Array) => all.at(-1))(ref))).toBe(7);
    await goesOn();
  });
}

test("none of this has cost a worker", () => {
  const { workers } = (
    session as unknown as { engine: { snapshot(): { workers: { name: string }[] } } }
  ).engine.snapshot();
  expect(workers.map(({ name }) => name)).toEqual(["worker-1"]);
});
