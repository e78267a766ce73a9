import { inspect } from "node:util";
import { distribute, get, put, type Ref, UsageError } from "girona";
import { describe, expect, test } from "vitest";
import { failure, gate, held, sharedCluster } from "./support/index.ts";

sharedCluster(1);

const square = distribute((x: number) => x * x, { name: "square" });
// biome-ignore lint/suspicious/noExplicitAny: the compiler refuses what these tests do
const untyped = (ref: Ref<number>) => ref as any;

describe("printing a ref names get, its function and how far it is:", () => {
  const named = (state: string) => new RegExp(`^<?Ref square#\\d+ \\(${state}; its value: await get\\(ref\\)\\)>?$`);

  test("console.log", () => {
    expect(inspect(square(3))).toMatch(named("pending"));
    expect(inspect({ deep: { deeper: { ref: square(3) } } })).toContain("await get(ref)");
  });

  test("a template", () => {
    expect(`${square(3)}`).toMatch(named("pending"));
    expect(String(square(3))).toMatch(named("pending"));
  });

  test("ready and failed ones", async () => {
    const ref = square(3);
    await get(ref);
    expect(String(ref)).toMatch(named("ready"));
    const fails = distribute(
      () => {
        throw new Error("no");
      },
      { name: "square" },
    )();
    await failure(() => get(fails));
    expect(String(fails)).toMatch(named("failed"));
    expect(inspect(await put([1]))).toMatch(/^<Ref put#\d+ \(ready; its value: await get\(ref\)\)>$/);
  });
});

describe("computing with a ref is an error that names get:", () => {
  test.each<[string, (ref: Ref<number>) => unknown]>([
    ["ref + 1", (ref) => untyped(ref) + 1],
    ["1 + ref", (ref) => 1 + untyped(ref)],
    ["ref * 2", (ref) => untyped(ref) * 2],
    ["-ref", (ref) => -untyped(ref)],
    ["ref < 3", (ref) => untyped(ref) < 3],
    ["Number(ref)", (ref) => Number(ref)],
    ["Math.max(ref, 1)", (ref) => Math.max(untyped(ref), 1)],
    ["sum", (ref) => [ref, ref].reduce((sum, one) => sum + untyped(one), 0)],
    ["JSON.stringify(ref)", (ref) => JSON.stringify(ref)],
    ["JSON.stringify({ ref })", (ref) => JSON.stringify({ rows: [{ ref }] })],
  ])("%s", async (_, compute) => {
    const error = await failure(() => compute(square(3)));
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toMatch(/square#\d+ is held in the cluster.*await get\(ref\)/);
  });
});

test("awaiting a ref gives the ref, and waits for nothing", async () => {
  const blocked = gate();
  const ref = held(blocked.path, 1);
  expect(await ref).toBe(ref);
  expect(String(ref)).toContain("pending");
  const returned = await (async () => ref)();
  expect(returned).toBe(ref);
  blocked.open();
  expect(await get(ref)).toBe(1);
});

test("each ref has an id of its own, for good", async () => {
  const refs = [square(1), square(2), await put(3)];
  const ids = refs.map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
  await get(refs);
  expect(refs.map(({ id }) => id)).toEqual(ids);
});

test("an actor prints as an actor, and is no promise", async () => {
  class Counter {
    add(n: number) {
      return n;
    }
  }
  const Remote = distribute(Counter);
  const counter = new Remote();
  expect(await counter).toBe(counter);
  expect(inspect(counter)).toBe("<Actor Counter (methods: add)>");
  expect(`${counter as unknown as string}`).toBe("<Actor Counter (methods: add)>");
});
