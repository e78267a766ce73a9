import {
  asCompleted,
  type Duration,
  distribute,
  type GetOptions,
  get,
  isGironaError,
  type Ref,
  UsageError,
  wait,
} from "girona";
import { describe, expect, test } from "vitest";
import { waitFor } from "../support/index.ts";
import { failure, gate, hasStarted, held, sharedCluster } from "./support/index.ts";

sharedCluster(2);

const passed = distribute((x: number) => x, { name: "passed" });
async function* twice(ref: Ref<number>): AsyncGenerator<number> {
  yield ref as never;
  yield ref as never;
}

/** Ways to wait for a ref that is not there. */
const ways: readonly (readonly [string, string, (ref: Ref<number>, options: GetOptions) => Promise<unknown>])[] = [
  ["get of a ref", "get", (ref, options) => get(ref, options)],
  ["get of an array", "get", (ref, options) => get([passed(1), ref], options)],
  ["get of what .map returns", "get", (ref, options) => get(passed.map([1, ref, 2]), options)],
  ["get of a stream", "get", (ref, options) => get(passed.map(twice(ref)), options)],
  [
    "asCompleted of an array",
    "asCompleted",
    async (ref, options) => {
      for await (const _ of asCompleted([ref], options));
    },
  ],
  [
    "asCompleted of a stream",
    "asCompleted",
    async (ref, options) => {
      for await (const _ of asCompleted(passed.map(twice(ref)), options));
    },
  ],
];

describe.each(ways)("%s", (_, call, use) => {
  test("rejects at the time-out, and the task goes on", async () => {
    const blocked = gate();
    const ref = held(blocked.path, 7);
    const error = await failure(() => Promise.race([use(ref, { timeout: "30ms" }), tooLate()]));
    expect(isGironaError(error, "Timeout") && [error.task, error.seconds]).toEqual([call, 0.03]);
    expect(error.message).toMatch(new RegExp(`^${call} waited 0\\.03 s: .*The tasks go on\\.$`));
    blocked.open();
    expect(await get(ref)).toBe(7);
  });

  test("rejects when its signal aborts, with the reason as the cause", async () => {
    const blocked = gate();
    const ref = held(blocked.path, 7);
    const controller = new AbortController();
    const using = failure(() => Promise.race([use(ref, { signal: controller.signal }), tooLate()]));
    await waitFor("the task to run", () => hasStarted(blocked));
    const reason = new Error("enough");
    controller.abort(reason);
    const error = await using;
    expect(isGironaError(error, "Cancelled") && error.task).toBe(call);
    expect(error.cause).toBe(reason);
    blocked.open();
    expect(await get(ref)).toBe(7);
  });

  test("rejects at once when the signal was aborted before", async () => {
    const blocked = gate();
    const ref = held(blocked.path, 7);
    const error = await failure(() => Promise.race([use(ref, { signal: AbortSignal.abort() }), tooLate()]));
    expect(isGironaError(error, "Cancelled")).toBe(true);
    blocked.open();
    expect(await get(ref)).toBe(7);
  });

  test.each<[string, unknown]>([
    ["timeout", 5],
    ["timeout", "5"],
    ["signal", 5],
    ["signal", new AbortController()],
  ])("refuses a wrong %s: %s", async (parameter, given) => {
    const blocked = gate();
    const ref = held(blocked.path, 7);
    const error = await failure(() => Promise.race([use(ref, { [parameter]: given } as GetOptions), tooLate()]));
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).parameter).toBe(parameter);
    blocked.open();
    expect(await get(ref)).toBe(7);
  });
});

/** So that a wait without an end is a failure of its own and not of the whole file. */
function tooLate(): Promise<never> {
  return new Promise((_, reject) => {
    AbortSignal.timeout(3000).addEventListener("abort", () => reject(new Error("it still waited after 3 s")));
  });
}

test.each<Duration>(["25d", "100d"])(
  "a time-out of %s, more than a timer of JavaScript holds, is not over at once",
  async (timeout) => {
    const blocked = gate();
    const ref = held(blocked.path, 7);
    const values = Promise.all([get(ref, { timeout }), get(passed.map([1]), { timeout }), wait([ref], { timeout })]);
    await waitFor("the task to run", () => hasStarted(blocked));
    await get(passed(1));
    blocked.open();
    expect((await values).slice(0, 2)).toEqual([7, [1]]);
  },
);

test("a function with such a time-out is not stopped", async () => {
  expect(await get(passed.options({ timeout: "100d" })(3))).toBe(3);
});

test("limits that are not reached change nothing", async () => {
  const { signal } = new AbortController();
  expect(await get(passed(1), { timeout: "1h", signal })).toBe(1);
  expect(await get(passed.map([1, 2]), { timeout: undefined, signal: undefined })).toEqual([1, 2]);
});
