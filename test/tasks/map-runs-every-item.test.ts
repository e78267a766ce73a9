import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { distribute, get, isGironaError, put, type Ref, wait } from "girona";
import { describe, expect, test } from "vitest";
import { tempDir } from "../support/index.ts";
import { failure, gate, held, sharedCluster } from "./support/index.ts";

sharedCluster(2);

const square = distribute((x: number) => x * x);

describe("of", () => {
  test.each<[string, () => Iterable<number | Ref<number>>]>([
    ["an array", () => [1, 2, 3]],
    ["a set", () => new Set([1, 2, 3])],
    [
      "a generator",
      () =>
        (function* () {
          yield* [1, 2, 3];
        })(),
    ],
    ["a typed array", () => Float64Array.of(1, 2, 3)],
    ["refs", () => [square(1), square(2), square(3)].map((ref) => root(ref))],
    ["refs among values", () => [1, root(square(2)), 3]],
    [
      "a map's values",
      () =>
        new Map([
          ["a", 1],
          ["b", 2],
          ["c", 3],
        ]).values(),
    ],
  ])("%s", async (_, items) => {
    expect(await get(square.map(items()))).toEqual([1, 4, 9]);
  });

  const root = distribute((x: number) => Math.sqrt(x));
  test("refs of put", async () => {
    const two = await put(2);
    expect(await get(square.map([two, two]))).toEqual([4, 4]);
  });

  test("items that are arrays or undefined, with results that are", async () => {
    const echo = distribute((x: number[] | undefined) => x);
    expect(await get(echo.map([[1, 2], undefined, []], { chunk: 2 }))).toEqual([[1, 2], undefined, []]);
  });
});

test.each([1, 7, 1000, "auto"] as const)("in order, each once: chunk %s", async (chunk) => {
  const file = join(tempDir(), "seen");
  const seen = distribute((x: number) => {
    appendFileSync(file, `${x}\n`);
    return -x;
  });
  const items = Array.from({ length: 100 }, (_, i) => i);
  expect(await get(seen.map(items, { chunk }))).toEqual(items.map((x) => -x));
  const ran = readFileSync(file, "utf8").trim().split("\n").map(Number);
  expect(ran.toSorted((a, b) => a - b)).toEqual(items);
});

test("no more than inFlight tasks are under way", async () => {
  const file = join(tempDir(), "log");
  const blocked = gate();
  const logged = distribute((x: number) => {
    appendFileSync(file, `${x}\n`);
    return x;
  });
  const first = held(blocked.path, 0);
  const refs = logged.map([first, 1, 2, 3, 4, 5], { chunk: 1, inFlight: 1 });
  const other = logged(9);
  await get(other);
  // Item 0 waits for its ref, and the others for item 0.
  expect(readFileSync(file, "utf8")).toBe("9\n");
  blocked.open();
  expect(await get(refs)).toEqual([0, 1, 2, 3, 4, 5]);
});

describe("when an item fails,", () => {
  const picky = distribute(
    (x: number) => {
      if (x === 0) throw new RangeError("zero");
      return x;
    },
    { name: "picky" },
  );
  const items = Array.from({ length: 50 }, (_, i) => i);

  test("get rejects with its error, which names the function", async () => {
    const error = await failure(() => get(picky.map(items, { chunk: 1 })));
    expect(isGironaError(error, "Task") && error.task).toBe("picky");
    expect(error.cause).toBeInstanceOf(RangeError);
    expect(error.message).toContain("zero");
  });

  test.each([1, 10])("the refs of all others have their values: chunk %i", async (chunk) => {
    const refs = picky.map(items, { chunk });
    await failure(() => get(refs));
    expect(await get(refs.slice(1), { timeout: "5s" })).toEqual(items.slice(1));
    expect(await failure(() => get(refs[0]!))).toMatchObject({ name: "TaskError" });
  });

  test("because it cannot travel, its error has its number, and the others of its chunk run", async () => {
    const refs = distribute((x: unknown) => x).map([1, 2, 3, 4, () => 1, 6], { chunk: 3 });
    const error = await failure(() => get(refs[4]!));
    expect(error).toMatchObject({ name: "UsageError", item: 4, message: expect.stringMatching(/^item 4: .*function/) });
    expect(await get([0, 1, 2, 3, 5].map((i) => refs[i]!))).toEqual([1, 2, 3, 4, 6]);
  });

  test.each([1, 4, "auto" as const])("because its time is over, its error has its number: chunk %s", async (chunk) => {
    const slow = distribute(
      (x: number) => {
        if (x === 3) for (;;);
        return x;
      },
      { timeout: "500ms" },
    );
    const error = await failure(() => get(slow.map([0, 1, 2, 3, 4], { chunk })));
    expect(error).toMatchObject({ name: "TimeoutError", item: 3 });
  });

  test("wait for all of them ends", async () => {
    const refs = picky.map(items, { chunk: 1 });
    const { ready, pending } = await wait(refs, { count: items.length, timeout: "5s" });
    expect([ready.length, pending.length]).toEqual([items.length, 0]);
  });
});

test("an item that cannot travel fails alone, in words", async () => {
  const echo = distribute((x: unknown) => x, { name: "echo" });
  const error = await failure(() => get((echo.map as (items: unknown[]) => never)([1, () => 2])));
  expect(isGironaError(error)).toBe(true);
  expect(error.message).toMatch(/echo/);
  expect(error.message).toMatch(/function/);
});
