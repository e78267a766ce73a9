import { inspect } from "node:util";
import { type Cluster, cluster, distribute, get, type Ref, type RefArray, UsageError } from "girona";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failure } from "./support/index.ts";

let session: Cluster;
const square = distribute((x: number) => x * x, { name: "square" });
let refs: RefArray<number>;
beforeAll(async () => {
  session = await cluster({ workers: 2, dashboard: false });
  refs = square.map([0, 1, 2, 3, 4]);
});
afterAll(() => session.close());

describe("it works as an array", () => {
  test("of its length, by index", async () => {
    expect(Array.isArray(refs)).toBe(true);
    expect(refs).toHaveLength(5);
    expect(await get(refs[3]!)).toBe(9);
    expect(await get(refs.at(-1)!)).toBe(16);
    expect([refs[5], refs[-1], refs[0.5 as never], refs["01" as never]]).toEqual(Array(4).fill(undefined));
  });

  test("with the same ref each time it is asked", () => {
    expect(refs[3]).toBe(refs[3]);
    expect(refs.at(3)).toBe(refs[3]);
    expect(refs[2]).not.toBe(refs[3]);
    expect([...refs][3]).toBe(refs[3]);
    expect(refs.indexOf(refs[3]!)).toBe(3);
    expect(refs.includes(refs[4]!)).toBe(true);
    expect(refs.find((_, index) => index === 1)).toBe(refs[1]);
  });

  test.each<[string, () => readonly Ref<number>[], number[]]>([
    ["spread", () => [...refs], [0, 1, 4, 9, 16]],
    ["destructuring", () => (([first, , third, ...rest]) => [first!, third!, ...rest])(refs), [0, 4, 9, 16]],
    ["slice", () => refs.slice(1, 3), [1, 4]],
    ["slice from the end", () => refs.slice(-2), [9, 16]],
    ["filter", () => refs.filter((_, index) => index % 2 === 0), [0, 4, 16]],
    ["map", () => refs.map((ref) => ref), [0, 1, 4, 9, 16]],
    ["concat", () => refs.slice(4).concat(refs), [16, 0, 1, 4, 9, 16]],
    ["flatMap", () => refs.flatMap((ref) => [ref, ref]).slice(0, 3), [0, 0, 1]],
    ["toReversed", () => refs.toReversed(), [16, 9, 4, 1, 0]],
    ["with", () => refs.with(0, refs[4]!), [16, 1, 4, 9, 16]],
    ["Array.from", () => Array.from(refs), [0, 1, 4, 9, 16]],
    ["Object.values", () => Object.values(refs), [0, 1, 4, 9, 16]],
    [
      "for..of",
      () => {
        const list: Ref<number>[] = [];
        for (const ref of refs) list.push(ref);
        return list;
      },
      [0, 1, 4, 9, 16],
    ],
  ])("%s", async (_, part, values) => {
    expect(await get(part())).toEqual(values);
  });

  test("with keys, entries and for..in", () => {
    expect(Object.keys(refs)).toEqual(["0", "1", "2", "3", "4"]);
    expect([...refs.keys()]).toEqual([0, 1, 2, 3, 4]);
    expect([...refs.entries()].map(([index]) => index)).toEqual([0, 1, 2, 3, 4]);
    expect("4" in refs && !("5" in refs)).toBe(true);
    const names: string[] = [];
    for (const name in refs) names.push(name);
    expect(names).toEqual(["0", "1", "2", "3", "4"]);
    expect(refs.reduce((count) => count + 1, 0)).toBe(5);
  });

  test("whose parts go into other calls", async () => {
    expect(await get(refs.map((ref) => square(ref)))).toEqual([0, 1, 16, 81, 256]);
    expect(await get(square.map(refs))).toEqual([0, 1, 16, 81, 256]);
  });
});

describe("it is read-only", () => {
  type Changing = Ref<number>[] & { other?: number };
  test.each<[string, (refs: Changing) => unknown]>([
    ["an assignment", (list) => (list[0] = list[1]!)],
    ["push", (list) => list.push(list[0]!)],
    ["pop", (list) => list.pop()],
    ["shift", (list) => list.shift()],
    ["splice", (list) => list.splice(0, 1)],
    ["sort", (list) => list.sort(() => 1)],
    ["reverse", (list) => list.reverse()],
    ["fill", (list) => list.fill(list[0]!)],
    ["a shorter length", (list) => (list.length = 1)],
    ["delete", (list) => delete list[0]],
    ["a property", (list) => (list.other = 1)],
    ["defineProperty", (list) => Object.defineProperty(list, 0, { value: 1 })],
  ])("%s is refused", async (_, change) => {
    const error = await failure(() => change(refs as unknown as Changing));
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toBe("What .map returns is read-only; copy it first: [...refs].");
    expect(await get(refs)).toEqual([0, 1, 4, 9, 16]);
  });
});

describe("printed, it", () => {
  test("names get and tells how much is there", async () => {
    await get(refs);
    expect(inspect(refs)).toBe("<5 refs of square (5 ready; their values: await get(refs))>");
    expect(inspect({ nested: { refs } })).toContain("await get(refs)");
  });

  test("stays short with a million items", () => {
    const many = square.map(Array.from({ length: 1_000_000 }, (_, i) => i % 10));
    const printed = inspect(many);
    expect(printed.length).toBeLessThan(200);
    expect(printed).toMatch(/^<1000000 refs of square \(\d+ ready; their values: await get\(refs\)\)>$/);
    expect(many).toHaveLength(1_000_000);
  });

  test("is no JSON, in words", async () => {
    for (const list of [refs, { rows: [refs] }, square.map([])]) {
      const error = await failure(() => JSON.stringify(list));
      expect(error).toBeInstanceOf(UsageError);
      expect(error.message).toContain("await get(");
    }
  });
});

test("awaiting it gives itself", async () => {
  expect(await refs).toBe(refs);
});

test("it tells its chunk: as given, or as measured so far", async () => {
  expect(square.map([1, 2, 3], { chunk: 2 }).chunk).toBe(2);
  expect(refs.chunk).toBeGreaterThanOrEqual(1);
  expect(Number.isInteger(refs.chunk)).toBe(true);
});

test("of no items, it is empty and ready", async () => {
  const none = square.map([]);
  expect(none).toHaveLength(0);
  expect([...none]).toEqual([]);
  expect(await get(none)).toEqual([]);
});
