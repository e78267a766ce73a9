import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { distribute, get, isGironaError } from "girona";
import { describe, expect, test } from "vitest";
import type * as exported from "./support/exported.mjs";
import { failure, sharedCluster } from "./support/index.ts";

sharedCluster(2);

const module = pathToFileURL(join(import.meta.dirname, "support/exported.mjs"));

describe("a function", () => {
  test.each([
    ["triple", module, 42],
    ["triple", module.href, 42],
    ["default", module, 28],
  ])("%s of %s is called and mapped", async (name, from, expected) => {
    const remote = distribute<typeof exported.triple>({ module: from, name });
    expect(await get(remote(14))).toBe(expected);
    expect(await get(remote.map([14, 14]))).toEqual([expected, expected]);
  });

  test("takes options, and is called by the name of its export", async () => {
    const remote = distribute<typeof exported.triple>({ module, name: "triple" }, { retries: 0 });
    expect(remote.name).toBe("triple");
    expect(String(remote(1))).toContain("Ref triple#");
    expect(String(remote.options({ name: "other" })(1))).toContain("Ref other#");
  });

  test("may be called from within a task", async () => {
    const remote = distribute<typeof exported.triple>({ module, name: "triple" });
    const outer = distribute(async (x: number) => (await get(remote(x))) + 1);
    expect(await get(outer(2))).toBe(7);
  });
});

describe("a class", () => {
  test("is started with new", async () => {
    const Counter = distribute<typeof exported.Counter>({ module, name: "Counter" });
    const counter = new Counter(10);
    expect(await get([counter.add(1), counter.add(2)])).toEqual([11, 13]);
  });

  test("takes the options of a class", async () => {
    const Counter = distribute<typeof exported.Counter>(
      { module, name: "Counter" },
      { maxRestarts: 1, concurrency: 2 },
    );
    expect(await get(new Counter(1).add(1))).toBe(2);
    const Named = distribute<typeof exported.Counter>({ module, name: "Counter" }).options({ maxRestarts: 1 });
    expect(await get(new Named(2).add(1))).toBe(3);
  });

  test("may be started from within a task", async () => {
    const Counter = distribute<typeof exported.Counter>({ module, name: "Counter" });
    const outer = distribute(async (start: number) => get(new Counter(start).add(1)));
    expect(await get(outer(5))).toBe(6);
  });
});

describe("an export that is not there is named, with its module:", () => {
  test.each([
    ["missing", "no such export"],
    ["notAFunction", "a number"],
  ])("%s (%s)", async (name) => {
    const error = await failure(async () => get(distribute<typeof exported.triple>({ module, name })(1)));
    expect(isGironaError(error)).toBe(true);
    expect(error.message).toContain(name);
    expect(error.message).toContain("exported.mjs");
  });

  test("a missing class", async () => {
    const error = await failure(async () =>
      get(new (distribute<typeof exported.Counter>({ module, name: "Missing" }))(1).add(1)),
    );
    expect(isGironaError(error)).toBe(true);
    expect(`${error.message} ${String(error.cause)}`).toMatch(/Missing.*exported\.mjs|exported\.mjs.*Missing/s);
  });

  test("a missing module", async () => {
    const error = await failure(async () =>
      get(distribute<typeof exported.triple>({ module: "file:///nowhere/gone.mjs", name: "triple" })(1)),
    );
    expect(isGironaError(error)).toBe(true);
    expect(error.message).toContain("/nowhere/gone.mjs");
  });
});
