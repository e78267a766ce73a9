import { asCompleted, distribute, get, isGironaError } from "girona";
import { expect, test } from "vitest";
import { failure, gate, held, runProgram, sharedCluster } from "./support/index.ts";

sharedCluster(3);

const square = distribute((x: number) => x * x);

test("in the order of completion, with the index of the ref", async () => {
  const gates = [gate(), gate(), gate()];
  const refs = gates.map(({ path }, i) => held(path, i * 10));
  const order = [2, 0, 1];
  gates[order[0]!]!.open();
  const seen: (readonly [number, number])[] = [];
  for await (const { index, value } of asCompleted(refs)) {
    seen.push([index, value]);
    // The next one finishes only now.
    const next = order[seen.length];
    if (next !== undefined) gates[next]!.open();
  }
  expect(seen).toEqual([
    [2, 20],
    [0, 0],
    [1, 10],
  ]);
});

test("those that are there already, in their order", async () => {
  const refs = [square(1), square(2), square(3)];
  await get(refs);
  const seen: unknown[] = [];
  for await (const one of asCompleted(refs)) seen.push(one);
  expect(seen).toEqual([
    { index: 0, value: 1 },
    { index: 1, value: 4 },
    { index: 2, value: 9 },
  ]);
});

test("of what .map returns, a set, a generator, the same ref twice, and nothing", async () => {
  const collect = async (refs: Parameters<typeof asCompleted<number>>[0]) => {
    const values: number[] = [];
    for await (const { index, value } of asCompleted(refs)) values[index] = value;
    return values;
  };
  expect(await collect(square.map([1, 2, 3, 4]))).toEqual([1, 4, 9, 16]);
  expect(await collect(new Set([square(1), square(2)]))).toEqual([1, 4]);
  expect(
    await collect(
      (function* () {
        yield square(3);
      })(),
    ),
  ).toEqual([9]);
  const twice = square(5);
  expect(await collect([twice, twice])).toEqual([25, 25]);
  expect(await collect([])).toEqual([]);
});

test("the first failure rejects, after the values that came before it", async () => {
  const blocked = gate();
  const fails = distribute(
    (x: number): number => {
      throw new RangeError(`no ${x}`);
    },
    { name: "fails" },
  );
  const refs = [square(2), fails(await get(square(1)))];
  await get(refs[0]!);
  const later = fails(held(blocked.path, 9));
  const seen: number[] = [];
  const error = await failure(async () => {
    for await (const { value } of asCompleted([refs[0]!, later])) {
      seen.push(value);
      blocked.open();
    }
  });
  expect(seen).toEqual([4]);
  expect(isGironaError(error, "Task") && error.task).toBe("fails");
  expect(error.cause).toBeInstanceOf(RangeError);
  await failure(() => get(refs));
});

test("leaving the loop early leaves the tasks alone", async () => {
  const blocked = gate();
  const refs = [square(2), held(blocked.path, 5)];
  for await (const { value } of asCompleted(refs)) {
    expect(value).toBe(4);
    break;
  }
  blocked.open();
  expect(await get(refs)).toEqual([4, 5]);
});

test("the program ends by itself after a loop that was left early", async () => {
  const { exitCode, stdout } = await runProgram(`
    import { asCompleted, distribute } from "girona";
    const spin = distribute((x) => { while (x > 1); return x; });
    for await (const { value } of asCompleted([spin(1), spin(2)])) { console.log(value); break; }`);
  expect([exitCode, stdout]).toEqual([0, "1\n"]);
});
