import { describe, expect, test } from "vitest";
import { ChunkSizer } from "../../src/tasks/chunk-size.ts";

interface Run {
  readonly sizes: readonly number[];
  /** Run time of each chunk, ms. */
  readonly runs: readonly number[];
  /** From the first start to the last end, ms. */
  readonly makespan: number;
  readonly work: number;
}

/** Workers that take chunks as they get free, two in line for each, as `.map` does; `cost` of a task in ms. No clock. */
function simulate(items: number, workers: number, itemMs: (index: number) => number, cost = 0.02): Run {
  const sizer = new ChunkSizer("auto", workers);
  const freeAt = new Array<number>(workers).fill(0);
  const line: { readonly from: number; readonly size: number }[] = [];
  const sizes: number[] = [];
  const runs: number[] = [];
  let next = 0;
  let work = 0;
  const submit = () => {
    if (next >= items) return;
    const size = sizer.next(items - next);
    line.push({ from: next, size });
    sizes.push(size);
    next += size;
  };
  for (let i = 0; i < workers * 2; i++) submit();
  for (let chunk = line.shift(); chunk; chunk = line.shift()) {
    let run = 0;
    for (let i = 0; i < chunk.size; i++) run += itemMs(chunk.from + i);
    work += run;
    runs.push(run);
    const worker = freeAt.indexOf(Math.min(...freeAt));
    freeAt[worker]! += run + cost;
    sizer.took(chunk.size, run);
    submit();
  }
  return { sizes, runs, makespan: Math.max(...freeAt), work };
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

describe.each([1, 2, 16, 112])("with %i workers", (workers) => {
  test.each([0, 1, 7, 1000, 100_000])("%i items: each is in one chunk", (items) => {
    const { sizes } = simulate(items, workers, () => 0.01);
    expect(sum(sizes)).toBe(items);
    expect(sizes.every((size) => Number.isInteger(size) && size >= 1)).toBe(true);
  });

  test("short items travel in chunks of about 20 ms once they are measured", () => {
    const { sizes, runs } = simulate(20_000 * workers, workers, () => 0.1);
    expect(Math.max(...runs)).toBeLessThanOrEqual(20.1);
    expect(Math.max(...sizes)).toBe(200);
    // The first measurement comes after the first chunks, which are one item each.
    expect(sizes.slice(0, workers * 2)).toEqual(new Array(workers * 2).fill(1));
  });

  test("long items travel alone", () => {
    const { sizes } = simulate(50 * workers, workers, () => 25);
    expect(new Set(sizes)).toEqual(new Set([1]));
  });

  test("all workers are busy until the end: even items", () => {
    const { makespan, work } = simulate(5000 * workers, workers, () => 1);
    expect(makespan).toBeLessThan((work / workers) * 1.1);
  });

  test("all workers are busy until the end: items that get longer", () => {
    const items = 4000 * workers;
    const { makespan, work } = simulate(items, workers, (i) => 0.2 + (2 * i) / items);
    expect(makespan).toBeLessThan((work / workers) * 1.1);
  });

  test("all workers are busy until the end: one item in a hundred takes long", () => {
    const { makespan, work } = simulate(5000 * workers, workers, (i) => (i % 100 === 99 ? 20 : 0.1));
    expect(makespan).toBeLessThan((work / workers) * 1.25);
  });

  test("tasks cost less than a hundredth of the work for the shortest of items", () => {
    const cost = 0.02;
    const { sizes, work } = simulate(200_000 * workers, workers, () => 0.002, cost);
    expect(sizes.length * cost).toBeLessThan(work * 0.05);
  });
});

describe("after one measurement", () => {
  test("that was of a slow first call, the next chunks grow again", () => {
    const sizer = new ChunkSizer("auto", 2);
    sizer.took(1, 500);
    expect(sizer.size).toBe(1);
    for (let i = 0; i < 60; i++) sizer.took(sizer.size, sizer.size * 0.1);
    expect(sizer.size).toBeGreaterThan(190);
  });

  test("that was of a quick call, the next chunk grows 32-fold at most", () => {
    const sizer = new ChunkSizer("auto", 2);
    const sizes = [sizer.size];
    for (let i = 0; i < 4; i++) {
      sizer.took(sizer.size, 0);
      sizes.push(sizer.size);
    }
    expect(sizes).toEqual([1, 32, 1024, 32_768, 262_144]);
    sizer.took(sizer.size, 0);
    expect(sizer.size).toBe(262_144);
  });

  test("items that get slower all at once shrink the chunks to one within a few", () => {
    const sizer = new ChunkSizer("auto", 2);
    for (let i = 0; i < 10; i++) sizer.took(sizer.size, sizer.size * 0.01);
    expect(sizer.size).toBe(2000);
    sizer.took(2000, 2000 * 100);
    expect(sizer.size).toBe(1);
  });

  test("nothing was run: nothing changes", () => {
    const sizer = new ChunkSizer("auto", 2);
    sizer.took(1, 0.1);
    const { size } = sizer;
    sizer.took(0, 5);
    expect(sizer.size).toBe(size);
  });
});

describe("the last chunks", () => {
  test("are shared out, so that no worker has the rest alone", () => {
    const sizer = new ChunkSizer("auto", 4);
    for (let i = 0; i < 10; i++) sizer.took(sizer.size, sizer.size * 0.01);
    const sizes: number[] = [];
    for (let left = 1000; left > 0; left -= sizes.at(-1)!) sizes.push(sizer.next(left));
    expect(sizes[0]).toBe(125);
    expect(sizes.toSorted((a, b) => b - a)).toEqual(sizes);
    expect(sizes.at(-1)).toBe(1);
  });
});

describe("a chunk that is given", () => {
  test("stays, whatever it took, but for the last", () => {
    const sizer = new ChunkSizer(10, 2);
    sizer.took(10, 1e6);
    sizer.took(10, 0);
    expect([sizer.size, sizer.next(100), sizer.next(7)]).toEqual([10, 10, 7]);
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "10", null])("%s is refused", (given) => {
    expect(() => new ChunkSizer(given as number, 2)).toThrow(/^chunk: .* a whole number of at least 1/);
  });
});
