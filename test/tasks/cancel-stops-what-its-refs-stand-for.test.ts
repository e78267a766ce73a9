import { cancel, distribute, get, isGironaError, put, type Ref, wait } from "girona";
import { describe, expect, test } from "vitest";
import { waitFor } from "../support/index.ts";
import { failure, gate, hasStarted, held, sharedCluster } from "./support/index.ts";

sharedCluster(2);

const square = distribute((x: number) => x * x);
const endless = distribute(
  (x: number) => {
    while (x < Number.POSITIVE_INFINITY);
    return x;
  },
  { name: "endless" },
);

async function cancelled(refs: Ref<unknown> | readonly Ref<unknown>[]): Promise<void> {
  const error = await failure(() => get(refs, { timeout: "5s" }));
  expect(isGironaError(error, "Cancelled"), error.stack).toBe(true);
  expect(error.message).toMatch(/was cancelled/);
}

/** The workers are free again. */
const free = async () => expect(await get([square(3), square(4)])).toEqual([9, 16]);

describe("of", () => {
  test("a ref, which runs or waits in the queue", async () => {
    const refs = [endless(1), endless(2), endless(3)];
    for (const ref of refs) await cancel(ref);
    for (const ref of refs) await cancelled(ref);
    const error = await failure(() => get(refs[0]!));
    expect(isGironaError(error, "Cancelled") && error.task).toBe("endless");
    await free();
  });

  test.each<[string, (refs: Ref<number>[]) => Parameters<typeof cancel>[0]]>([
    ["an array", (refs) => refs],
    ["a set", (refs) => new Set(refs)],
    ["a record", ([a, b]) => ({ a: a!, b: b! })],
    [
      "a generator",
      function* (refs) {
        yield* refs;
      },
    ],
  ])("%s", async (_, form) => {
    const refs = [endless(1), endless(2)];
    await cancel(form(refs));
    for (const ref of refs) await cancelled(ref);
    await free();
  });

  test("what .map returns, all of it", async () => {
    const refs = endless.map(
      Array.from({ length: 100 }, (_, i) => i),
      { chunk: 1 },
    );
    const asked = refs[99]!;
    await cancel(refs);
    await cancelled(refs);
    await cancelled(asked);
    // Asked for after it.
    await cancelled(refs[50]!);
    expect((await wait(refs, { count: 100, timeout: "5s" })).pending).toEqual([]);
    await free();
  });

  test("what .map returns, where some are there", async () => {
    const blocked = gate();
    const refs = square.map([2, held(blocked.path, 3)]);
    expect(await get(refs[0]!)).toBe(4);
    await cancel(refs);
    blocked.open();
    expect(await get(refs[0]!)).toBe(4);
    await cancelled(refs[1]!);
    await free();
  });

  test("one item of what .map returns", async () => {
    const blocked = gate();
    const refs = square.map([held(blocked.path, 3), 2]);
    await cancel(refs[0]!);
    await cancelled(refs[0]!);
    expect(await get(refs[1]!)).toBe(4);
    blocked.open();
  });

  test("a stream that is being read", async () => {
    const source = {
      closed: false,
      async *[Symbol.asyncIterator]() {
        try {
          for (let i = 0; ; i++) yield i;
        } finally {
          source.closed = true;
        }
      },
    };
    const stream = endless.map(source, { chunk: 1, inFlight: 2 });
    const using = failure(() => get(stream, { timeout: "5s" }));
    await cancel(stream);
    expect(isGironaError(await using, "Cancelled")).toBe(true);
    await waitFor("the source to be closed", () => source.closed);
    await free();
  });

  test("a stream whose source has nothing to say", async () => {
    const stream = square.map(
      (async function* () {
        yield 1;
        await new Promise<never>(() => {});
      })(),
    );
    const using = failure(() => get(stream, { timeout: "5s" }));
    await cancel(stream);
    expect(isGironaError(await using, "Cancelled")).toBe(true);
    await free();
  });

  test("nothing", async () => {
    expect(await cancel([])).toBeUndefined();
    expect(await cancel({})).toBeUndefined();
    expect(await cancel(square.map([]))).toBeUndefined();
  });
});

test("what has finished keeps its value", async () => {
  const refs = [square(2), await put(5)];
  await get(refs);
  await cancel(refs);
  expect(await get(refs)).toEqual([4, 5]);
  const list = square.map([1, 2]);
  await get(list);
  await cancel(list);
  expect(await get(list)).toEqual([1, 4]);
});

test("what depends on it is cancelled with it", async () => {
  const first = endless(1);
  const second = square(first);
  await cancel(first);
  await cancelled(second);
  await free();
});

test("cancelling twice is as once", async () => {
  const ref = endless(1);
  await Promise.all([cancel(ref), cancel(ref)]);
  await cancel(ref);
  await cancelled(ref);
  await free();
});

test("the signal of a function cancels its calls", async () => {
  const blocked = gate();
  const controller = new AbortController();
  const ref = held.options({ signal: controller.signal })(blocked.path, 1);
  await waitFor("the task to run", () => hasStarted(blocked));
  const reason = new Error("enough");
  controller.abort(reason);
  const error = await failure(() => get(ref));
  expect(isGironaError(error, "Cancelled")).toBe(true);
  expect(error.cause).toBe(reason);
  blocked.open();
});
