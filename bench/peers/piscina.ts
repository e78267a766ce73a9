/**
 * piscina 5: a pool of threads in one process. `piscina.ts <case> <sizes as JSON>` prints one line of JSON.
 *
 * Settings are the fastest found for each case: many short tasks go quickest with several sent to a thread at a time
 * and no Atomics (twice the rate of the defaults), single calls with the defaults.
 */
import { FixedQueue, Piscina, version } from "piscina";
import { expectEqual, report, sizesFromArguments, timed, warmUps } from "../case.ts";
import { importCost } from "../import-cost.ts";
import { queueFigures } from "../queue-figures.ts";
import { median, quantile } from "../stats.ts";

const twoThreads = {
  filename: new URL("piscina-worker.cjs", import.meta.url).pathname,
  minThreads: 2,
  maxThreads: 2,
  maxQueue: Number.POSITIVE_INFINITY,
  recordTiming: false,
  execArgv: [], // not the loader of this file
};
const latencyPool = () => new Piscina(twoThreads);
const throughputPool = () =>
  new Piscina({
    ...twoThreads,
    atomics: "disabled",
    concurrentTasksPerWorker: 100,
    taskQueue: new FixedQueue(),
    name: "square",
  });

async function squares(pool: Piscina, count: number, allQueued = () => {}): Promise<void> {
  const promises: Promise<number>[] = [];
  for (let i = 0; i < count; i++) promises.push(pool.run(i));
  allQueued();
  const values = await Promise.all(promises);
  expectEqual(values[count - 1], (count - 1) ** 2);
}

const cases: Record<string, () => Promise<Record<string, number | string>>> = {
  async version() {
    return { piscina: version };
  },

  async tasks() {
    const { counts } = sizesFromArguments<{ counts: Record<string, number> }>(3);
    const pool = throughputPool();
    for (let warmUp = 0; warmUp < warmUps; warmUp++) await squares(pool, 10_000);
    const figures: Record<string, number> = {};
    for (const [figure, count] of Object.entries(counts)) {
      figures[figure] = (count / (await timed(() => squares(pool, count)))) * 1000;
    }
    await pool.destroy();
    return figures;
  },

  async roundtrip() {
    const { calls } = sizesFromArguments<{ calls: number }>(3);
    const pool = new Piscina({ ...twoThreads, name: "square" });
    for (let i = 0; i < 500; i++) await pool.run(i);
    const micros: number[] = [];
    for (let i = 0; i < calls; i++)
      micros.push((await timed(async () => expectEqual(await pool.run(i), i * i))) * 1000);
    await pool.destroy();
    return { "roundtrip.p50": quantile(micros, 0.5), "roundtrip.p99": quantile(micros, 0.99) };
  },

  /** Threads share memory: put is a copy into a SharedArrayBuffer, a result is moved. */
  async arrays() {
    const { doubles, repeats } = sizesFromArguments<{ doubles: number; repeats: number }>(3);
    const pool = latencyPool();
    const values = Float64Array.from({ length: doubles }, () => Math.random());
    const expected = values[0]! + values[doubles - 1]!;
    const times = { copy: [] as number[], put: [] as number[], read: [] as number[], result: [] as number[] };
    for (let repeat = -1; repeat < repeats; repeat++) {
      const copy = await timed(() => expectEqual(new Float64Array(values).length, doubles));

      const beforePut = performance.now();
      const shared = new Float64Array(new SharedArrayBuffer(values.byteLength));
      shared.set(values);
      const put = performance.now() - beforePut;

      const read = await timed(async () => {
        const both = await Promise.all([pool.run(shared, { name: "ends" }), pool.run(shared, { name: "ends" })]);
        for (const sum of both) expectEqual(sum, expected);
      });

      const beforeResult = performance.now();
      const made = (await pool.run(doubles, { name: "make" })) as Float64Array;
      const result = performance.now() - beforeResult - made[0]!;

      if (repeat < 0) continue;
      times.copy.push(copy);
      times.put.push(put);
      times.read.push(read);
      times.result.push(result);
    }
    await pool.destroy();
    return {
      "arrays.copy": median(times.copy),
      "arrays.put": median(times.put),
      "arrays.read": median(times.read),
      "arrays.result": median(times.result),
    };
  },

  async import() {
    const { repeats } = sizesFromArguments<{ repeats: number }>(3);
    return { import: importCost("piscina", repeats) };
  },

  async start() {
    const start = performance.now();
    const pool = new Piscina({ ...twoThreads, name: "square" });
    expectEqual(await pool.run(7), 49);
    const ms = performance.now() - start;
    await pool.destroy();
    return { start: ms };
  },

  async queue() {
    const { counts } = sizesFromArguments<{ counts: Record<string, number> }>(3);
    const pool = throughputPool();
    const figures = await queueFigures(counts, (count, allQueued) => timed(() => squares(pool, count, allQueued)));
    await pool.destroy();
    return figures;
  },
};

const run = cases[process.argv[2] ?? ""];
if (run === undefined) throw new Error(`give one of: ${Object.keys(cases).join(", ")}`);
report(await run());
