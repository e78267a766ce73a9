import { getHeapStatistics } from "node:v8";
import { type Cluster, type ClusterOptions, cluster, distribute, get, isGironaError, UsageError } from "girona";
import { describe, expect, onTestFinished, test } from "vitest";
import { waitFor } from "../support/index.ts";
import { failure, gate, held } from "./support/index.ts";

async function open(options: ClusterOptions): Promise<Cluster> {
  const session = await cluster({ dashboard: false, ...options });
  onTestFinished(() => session.close());
  return session;
}

const square = distribute((x: number) => x * x);

describe("refused in words:", () => {
  test.each<[string, unknown, string, RegExp]>([
    ["workers", 0, "workers", /^workers: 0 was given; it takes a whole number of at least 1 and at most 10000\.$/],
    ["workers", -1, "workers", /^workers: -1 was given/],
    ["workers", 1.5, "workers", /^workers: 1\.5 was given/],
    ["workers", "4", "workers", /^workers: "4" was given/],
    ["workers", Number.NaN, "workers", /^workers: NaN was given/],
    ["workers", null, "workers", /^workers: null was given/],
    ["memoryPerWorker", "64", "memoryPerWorker", /^memoryPerWorker: "64" was given; it takes a number with its unit/],
    ["memoryPerWorker", 1e9, "memoryPerWorker", /^memoryPerWorker: 1000000000 was given/],
    [
      "memoryPerWorker",
      "10MB",
      "memoryPerWorker",
      /^memoryPerWorker: "10MB" was given; a worker needs at least 64MiB\.$/,
    ],
    ["objectMemory", "lots", "objectMemory", /^objectMemory: "lots" was given/],
    ["gpus", -1, "gpus", /^gpus: -1 was given/],
    ["gpus", 0.5, "gpus", /^gpus: 0\.5 was given/],
    ["resources", { licence: -1 }, "resources.licence", /^resources\.licence: -1 was given/],
    ["resources", { licence: "1" }, "resources.licence", /^resources\.licence: "1" was given/],
    ["resources", 5, "resources", /^resources: 5 was given/],
    ["idleTimeout", 5, "idleTimeout", /^idleTimeout: 5 was given; it takes a number with its unit/],
    ["idleTimeout", "5", "idleTimeout", /^idleTimeout: "5" was given/],
    ["dashboard", -1, "dashboard", /^dashboard: -1 was given/],
    ["dashboard", 65_536, "dashboard", /^dashboard: 65536 was given; a port is at most 65535\.$/],
    ["dashboard", "yes", "dashboard", /^dashboard: "yes" was given/],
    ["pricePerWorkerHour", -1, "pricePerWorkerHour", /^pricePerWorkerHour: -1 was given/],
    ["pricePerWorkerHour", "2", "pricePerWorkerHour", /^pricePerWorkerHour: "2" was given/],
    ["address", "head:6379", "address", /^address: "head:6379" was given; the embedded engine runs on this machine/],
    ["worker", 2, "worker", /^worker is no option of cluster\(\)\. .*workers/],
    ["memory", "1GB", "memory", /^memory is no option of cluster\(\)\. .*memoryPerWorker/],
  ])("%s: %j", async (name, given, parameter, words) => {
    const error = await failure(() => cluster({ [name]: given } as ClusterOptions));
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).parameter).toBe(parameter);
    expect(error.message).toMatch(words);
  });

  test.each([null, 4, "embedded"])("options that are no object: %j", async (options) => {
    const error = await failure(() => cluster(options as never));
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toMatch(/options/);
  });

  test("an engine there is not", async () => {
    const error = await failure(() => cluster({ engine: "rai" as never }));
    expect(isGironaError(error, "Engine") && error.engine).toBe("rai");
    expect(error.message).toMatch(/^There is no engine "rai"; use "embedded"/);
  });
});

test("workers: so many processes, each of them another one than this", async () => {
  const session = await open({ workers: 3 });
  expect(session.workers).toBe(3);
  const pid = distribute(() => process.pid);
  expect(await get(pid())).not.toBe(process.pid);
});

test("memoryPerWorker: the heap of each", async () => {
  const limit = distribute(() => getHeapStatistics().heap_size_limit);
  await open({ workers: 1, memoryPerWorker: "128MiB" });
  const bytes = await get(limit());
  expect(bytes).toBeGreaterThanOrEqual(120 * 2 ** 20);
  // The young generation comes on top, and differs from one version of V8 to the next.
  expect(bytes).toBeLessThan(2 ** 30);
});

test("gpus and resources: what there is can be asked for, more is refused at the call", async () => {
  await open({ workers: 1, gpus: 2, resources: { licence: 1.5 } });
  expect(await get(square.options({ gpus: 2, resources: { licence: 1.5 } })(3))).toBe(9);
  for (const [options, words] of [
    [{ gpus: 3 }, /gpu/i],
    [{ resources: { licence: 2 } }, /licence/],
    [{ resources: { other: 1 } }, /other/],
    [{ cpus: 2 }, /cpu|core|worker/i],
  ] as const) {
    const error = await failure(() => square.options({ ...options, name: "greedy" })(3));
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toMatch(/^greedy asks for/);
    expect(error.message).toMatch(words);
  }
});

test("idleTimeout: it stays open while there is work, and closes by itself without", async () => {
  const session = await open({ workers: 1, idleTimeout: "500ms" });
  const busy = distribute(
    (ms: number) => {
      const start = performance.now();
      while (performance.now() - start < ms);
      return "done";
    },
    { on: session },
  );
  expect(await get(busy(900))).toBe("done");
  const error = await waitFor("the cluster to be closed", () =>
    Promise.resolve(session.scale({ workers: 1 })).then(
      () => undefined,
      (reason: Error) => reason,
    ),
  );
  expect(isGironaError(error, "Engine")).toBe(true);
  expect((error as Error).message).toContain("closed");
});

describe("scale", () => {
  test("adds workers, and lets them go", async () => {
    const session = await open({ workers: 1 });
    await session.scale({ workers: 3 });
    expect(session.workers).toBe(3);
    expect(await get(square.map([1, 2, 3, 4]))).toEqual([1, 4, 9, 16]);
    await session.scale({ workers: 1 });
    expect(session.workers).toBe(1);
    expect(await get(square(3))).toBe(9);
  });

  test("down fails what waits for more cores than there are then", async () => {
    const session = await open({ workers: 2 });
    const blocked = gate();
    const first = held.options({ on: session })(blocked.path, 1);
    const wide = square.options({ cpus: 2, on: session })(3);
    const refused = failure(() => get(wide));
    const scaled = session.scale({ workers: 1 });
    expect(await refused).toMatchObject({ name: "UsageError", message: expect.stringContaining("2 cpus") });
    blocked.open();
    await scaled;
    expect(await get(first)).toBe(1);
  });

  test.each([0, -1, 1.5, "2", Number.NaN, 10_001])("to %j is refused", async (workers) => {
    const session = await open({ workers: 1 });
    const error = await failure(() => session.scale({ workers: workers as number }));
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).parameter).toBe("workers");
    expect(session.workers).toBe(1);
  });

  test.each([2, undefined, null, {}])("a bare %j is refused", async (to) => {
    const session = await open({ workers: 1 });
    expect(await failure(() => session.scale(to as never))).toBeInstanceOf(UsageError);
  });
});
