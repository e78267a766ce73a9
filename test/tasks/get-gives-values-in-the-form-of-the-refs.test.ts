import { distribute, get, put, type Ref } from "girona";
import { describe, expect, test } from "vitest";
import { sharedCluster } from "./support/index.ts";

sharedCluster(2);

const square = distribute((x: number) => x * x);
const label = distribute((text: string) => text.toUpperCase());
async function* stream() {
  yield* [1, 2, 3];
}

test.each<[string, () => unknown, unknown]>([
  ["a ref", () => square(3), 9],
  ["an array", () => [square(1), square(2)], [1, 4]],
  ["a tuple of different types", () => [square(3), label("a")], [9, "A"]],
  ["a record", () => ({ area: square(3), name: label("a") }), { area: 9, name: "A" }],
  [
    "a record without a prototype",
    () => Object.assign(Object.create(null), { area: square(3) }) as object,
    { area: 9 },
  ],
  ["a set", () => new Set([square(1), square(2)]), [1, 4]],
  ["the values of a map", () => new Map([["a", square(1)]]).values(), [1]],
  [
    "a generator",
    () =>
      (function* () {
        for (let i = 1; i <= 3; i++) yield square(i);
      })(),
    [1, 4, 9],
  ],
  ["what .map returns", () => square.map([1, 2, 3]), [1, 4, 9]],
  ["a part of it", () => square.map([1, 2, 3]).slice(1), [4, 9]],
  ["what .map returns for a stream", () => square.map(stream()), [1, 4, 9]],
  ["the same ref twice", () => ((ref) => [ref, ref])(square(3)), [9, 9]],
  ["no refs: an array", () => [], []],
  ["no refs: a record", () => ({}), {}],
  ["no refs: a set", () => new Set(), []],
])("%s", async (_, refs, values) => {
  expect(await get(refs() as Ref<unknown>)).toEqual(values);
});

test("what put stored comes back as a copy, each time", async () => {
  const given = { list: [1, 2], when: new Date(0), array: Float64Array.of(1, 2) };
  const ref = await put(given);
  const [a, b] = await get([ref, ref]);
  expect(a).toEqual(given);
  expect(a).not.toBe(given);
  a.list.push(3);
  expect(b.list).toEqual([1, 2]);
  expect((await get(ref)).list).toEqual([1, 2]);
});

describe("undefined, null and false are values:", () => {
  const echo = distribute((x: unknown) => x);
  test.each([undefined, null, false, 0, "", Number.NaN, -0, 2n ** 70n])("%s", async (value) => {
    expect(await get(echo(value))).toBe(value);
    expect(await get({ value: echo(value) })).toEqual({ value });
    expect(await get(echo.map([value]))).toEqual([value]);
  });
});

test("a record keeps the order of its names", async () => {
  expect(Object.keys(await get({ z: square(1), a: square(2), m: square(3) }))).toEqual(["z", "a", "m"]);
});
