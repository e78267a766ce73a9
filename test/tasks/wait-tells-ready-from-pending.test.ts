import { distribute, get, isGironaError, UsageError, wait } from "girona";
import { describe, expect, test } from "vitest";
import { failure, gate, held, sharedCluster } from "./support/index.ts";

sharedCluster(3);

const square = distribute((x: number) => x * x);

test("without options it settles at the first, wherever it stands, and keeps the order", async () => {
  const [a, b] = [gate(), gate()];
  const refs = [held(a.path, 1), square(2), held(b.path, 3)];
  const { ready, pending } = await wait(refs);
  expect(ready).toEqual([refs[1]]);
  expect(pending).toEqual([refs[0], refs[2]]);
  expect(pending[0]).toBe(refs[0]);
  for (const one of [a, b]) one.open();
  expect(await get(refs)).toEqual([1, 4, 3]);
});

test.each([1, 2, 3])("with count %i it settles when that many are ready", async (count) => {
  const gates = [gate(), gate(), gate()];
  const refs = gates.map(({ path }, i) => held(path, i));
  const waiting = wait(refs, { count });
  for (let i = 0; i < count; i++) gates[2 - i]!.open();
  const { ready, pending } = await waiting;
  expect(ready).toEqual(refs.slice(3 - count));
  expect(pending).toEqual(refs.slice(0, 3 - count));
  for (const one of gates) one.open();
  await get(refs);
});

test("a count beyond the number of refs waits for all", async () => {
  const refs = [square(1), square(2)];
  expect(await wait(refs, { count: 100 })).toEqual({ ready: refs, pending: [] });
});

test("count 0 looks without waiting", async () => {
  const blocked = gate();
  const ref = held(blocked.path, 1);
  expect(await wait([ref], { count: 0 })).toEqual({ ready: [], pending: [ref] });
  blocked.open();
  await get(ref);
  expect(await wait([ref], { count: 0 })).toEqual({ ready: [ref], pending: [] });
});

test("a failed one is ready, and its error waits for get", async () => {
  const fails = distribute((): number => {
    throw new RangeError("no");
  });
  const ref = fails();
  expect(await wait([ref])).toEqual({ ready: [ref], pending: [] });
  expect((await failure(() => get(ref))).cause).toBeInstanceOf(RangeError);
});

test("the time-out is no error: it tells what is there by then", async () => {
  const blocked = gate();
  const [slow, quick] = [held(blocked.path, 1), square(2)];
  await get(quick);
  expect(await wait([slow, quick], { count: 2, timeout: "20ms" })).toEqual({ ready: [quick], pending: [slow] });
  expect(await wait([slow], { timeout: "0s" })).toEqual({ ready: [], pending: [slow] });
  blocked.open();
  expect(await get(slow)).toBe(1);
});

test("an aborted signal rejects", async () => {
  const blocked = gate();
  const ref = held(blocked.path, 1);
  const controller = new AbortController();
  const waiting = failure(() => wait([ref], { signal: controller.signal }));
  controller.abort();
  const error = await waiting;
  expect(isGironaError(error, "Cancelled") && error.task).toBe("wait");
  blocked.open();
  await get(ref);
});

describe("it takes", () => {
  test("what .map returns, and gives its own refs", async () => {
    const refs = square.map([1, 2, 3]);
    const { ready, pending } = await wait(refs, { count: 3 });
    expect(pending).toEqual([]);
    expect(ready.map((ref, i) => ref === refs[i])).toEqual([true, true, true]);
  });

  test("a set, a generator, and nothing", async () => {
    const ref = square(1);
    expect((await wait(new Set([ref]))).ready).toEqual([ref]);
    expect(
      (
        await wait(
          (function* () {
            yield ref;
          })(),
        )
      ).ready,
    ).toEqual([ref]);
    expect(await wait([])).toEqual({ ready: [], pending: [] });
  });

  test("refs that are ready already, at once", async () => {
    const refs = [square(1), square(2)];
    await get(refs);
    expect(await wait(refs, { count: 1 })).toEqual({ ready: refs, pending: [] });
  });
});

test.each([-1, 1.5, "2", Number.NaN, null])("count %s is refused", async (count) => {
  const error = await failure(() => wait([square(1)], { count: count as number }));
  expect(error).toBeInstanceOf(UsageError);
  expect((error as UsageError).parameter).toBe("count");
});
