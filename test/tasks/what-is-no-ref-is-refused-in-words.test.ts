import { asCompleted, cancel, distribute, get, progress, put, type Ref, UsageError, wait } from "girona";
import { describe, expect, test } from "vitest";
import { failure, sharedCluster } from "./support/index.ts";

sharedCluster(1);

const square = distribute((x: number) => x * x, { name: "square" });

/** Each of the calls that take refs; the compiler refuses most of what these tests give. */
const calls: Readonly<Record<string, (refs: never) => Promise<unknown>>> = {
  get,
  wait: (refs) => wait(refs),
  cancel,
  progress,
  asCompleted: async (refs) => {
    for await (const _ of asCompleted(refs));
  },
};

async function refused(what: string, refs: unknown): Promise<string> {
  const error = await failure(() => calls[what]!(refs as never));
  expect(error, `${what}: ${error.stack}`).toBeInstanceOf(UsageError);
  expect((error as UsageError).parameter).toBe("refs");
  return error.message;
}

describe.each(Object.keys(calls))("%s", (what) => {
  test.each<[string, () => unknown, RegExp]>([
    ["a number", () => 42, /number was given/],
    ["null", () => null, /null was given/],
    ["undefined", () => undefined, /undefined was given/],
    ["a function", () => square, /function was given/],
    ["a promise", () => Promise.resolve(1), /a promise \(of put\(\)\? await it first\) was given/],
    ["a promise in an array", () => [put(1)], /a promise \(of put\(\)\? await it first\) was given/],
    ["numbers among refs", () => [square(1), 4], /number was given/],
    ["a hole among refs", () => [square(1), undefined], /undefined was given/],
    ["an array of arrays", () => [[square(1)]], /an? (?:nested )?array was given/],
    ["a date", () => new Date(), /object was given/],
  ])("%s", async (_, refs, words) => {
    const message = await refused(what, refs());
    expect(message).toMatch(words);
    expect(message).toMatch(new RegExp(`^${what} takes (?:a list of )?refs`));
  });
});

test.each(["get", "cancel", "progress"])("%s names the entry of a record that is no ref", async (what) => {
  expect(await refused(what, { area: square(1), name: "a" })).toMatch(
    new RegExp(`^${what} \\(name\\) takes refs, and string was given`),
  );
});

test.each(["wait", "asCompleted"])("%s of one ref alone is told to take a list", async (what) => {
  expect(await refused(what, square(1))).toMatch(/\[ref\]|array|list/);
  expect(await refused(what, { record: square(1) })).toMatch(/array|list/);
});

test("wait of a stream is refused, and get named", async () => {
  async function* source() {
    yield 1;
  }
  expect(await refused("wait", square.map(source()))).toMatch(/get|asCompleted/);
});

describe("put refuses", () => {
  test.each<[string, (() => unknown) | unknown, RegExp]>([
    ["a ref", () => square(1), /a Ref was given, which is stored already/],
    ["a function", () => () => 1, /function/],
    ["a promise", () => Promise.resolve(1), /promise/i],
    ["a class", () => class Point {}, /class|function/],
    ["a symbol", () => Symbol("a"), /symbol/i],
    ["a WeakMap", () => new WeakMap(), /WeakMap|weak collection/],
    ["a function deep inside", () => ({ rows: [{ call: () => 1 }] }), /rows.*call|call.*rows/],
  ])("%s", async (_, make, words) => {
    const error = await failure(() => (put as (value: unknown) => Promise<Ref<unknown>>)((make as () => unknown)()));
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toMatch(words);
    expect(error.message).toMatch(/put/);
  });
});
