/** `.map`: one call per item, however the items come, and never more under way than asked for. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asCompleted, cancel, distribute, get, type Ref } from "girona";
import { beforeEach, describe, expect, test } from "vitest";
import { tempDir, waitFor } from "../../support/index.ts";
import { blockUntil, sign } from "./gate.ts";
import { type Open, rejection, shared, thrown } from "./open.ts";

const square = distribute((x: number) => x * x);
const picky = distribute((x: number) => {
  if (x % 10 === 3) throw new RangeError(`not ${x}`);
  return x;
});
const numbers = (length: number): number[] => Array.from({ length }, (_, i) => i);

async function* slowly(length: number, log?: { read: number; closed: boolean }): AsyncGenerator<number> {
  try {
    for (let i = 0; i < length; i++) {
      await Promise.resolve();
      if (log) log.read++;
      yield i;
    }
  } finally {
    if (log) log.closed = true;
  }
}

export function maps(open: Open): void {
  describe("map", () => {
    shared(open);
    let directory = "";
    beforeEach(() => {
      directory = tempDir();
    });
    const file = (name: string | number): string => join(directory, String(name));

    describe("over a list", () => {
      test.each([1, 2, 7, 1000, 30_000])("of %d items gives the results in order", async (length) => {
        const values = await get(square.map(numbers(length)));
        expect(values.length).toBe(length);
        expect(values.every((value, i) => value === i * i)).toBe(true);
      });

      test.each([1, 3, 100, "auto" as const])("in chunks of %s gives the same", async (chunk) => {
        expect(await get(square.map(numbers(50), { chunk }))).toEqual(numbers(50).map((x) => x * x));
      });

      test("that is empty gives nothing", async () => {
        const refs = square.map([]);
        expect(refs.length).toBe(0);
        expect(await get(refs)).toEqual([]);
      });

      test("with holes calls the function for each place, as with undefined", async () => {
        const kind = distribute((x: unknown) => String(x));
        // biome-ignore lint/suspicious/noSparseArray: holes are what is tested
        expect(await get(kind.map([1, , 3]))).toEqual(["1", "undefined", "3"]);
      });

      test("gives one ref per item, which works like any other", async () => {
        const refs = square.map(numbers(100), { chunk: 7 });
        expect(refs.length).toBe(100);
        expect(await get(refs[10]!)).toBe(100);
        expect(await get([refs[99]!, refs[0]!])).toEqual([9801, 0]);
        const add = distribute((a: number, b: number) => a + b);
        expect(await get(add(refs[3]!, refs[4]!))).toBe(25);
        expect(await get(refs.slice(2, 4))).toEqual([4, 9]);
        expect(await get([...refs].reverse().slice(0, 2))).toEqual([9801, 9604]);
      });

      test("takes refs among the items, each resolved", async () => {
        const refs = square.map([1, square(2), 3, square(square(2)), square(3)]);
        expect(await get(refs)).toEqual([1, 16, 9, 256, 81]);
        expect(await get(square.map(square.map([1, 2, 3])))).toEqual([1, 16, 81]);
      });

      test("a ref among the items that failed costs only its item", async () => {
        const refs = square.map([1, picky(3), 2]);
        expect(await get([refs[0]!, refs[2]!])).toEqual([1, 4]);
        const error = await rejection(get(refs[1]!), "Task");
        expect((error.cause as Error).message).toBe("not 3");
      });

      test("an item that fails costs only itself", async () => {
        const refs = picky.map(numbers(30), { chunk: 10 });
        const error = await rejection(get(refs), "Task");
        // The first in time, not in the list.
        expect((error.cause as Error).message).toMatch(/^not (?:3|13|23)$/);
        expect(error.cause).toBeInstanceOf(RangeError);
        for (const i of [0, 2, 4, 12, 14, 29]) expect(await get(refs[i]!)).toBe(i);
        for (const i of [3, 13, 23]) {
          const own = await rejection(get(refs[i]!), "Task");
          expect((own.cause as Error).message).toBe(`not ${i}`);
          expect(own.attempts).toBe(1);
        }
      });

      test("from a generator, a Set and a Map's keys gives the same", async () => {
        function* some(): Generator<number> {
          yield 1;
          yield 2;
        }
        expect(await get(square.map(some()))).toEqual([1, 4]);
        expect(await get(square.map(new Set([3, 4])))).toEqual([9, 16]);
        expect(await get(square.map(new Map([[5, "x"]]).keys()))).toEqual([25]);
      });

      test("a generator that throws, throws at the call", () => {
        function* failing(): Generator<number> {
          yield 1;
          throw new TypeError("source");
        }
        expect(() => square.map(failing())).toThrow(TypeError);
      });

      test("of large arrays gives large arrays", async () => {
        const double = distribute((data: Float64Array) => data.map((x) => x * 2));
        const items = numbers(6).map((i) => new Float64Array(20_000).fill(i));
        const values = await get(double.map(items, { chunk: 2 }));
        expect(values.map((data) => [data.length, data[0], data.at(-1)])).toEqual(
          numbers(6).map((i) => [20_000, i * 2, i * 2]),
        );
      });

      test("of an async function awaits each", async () => {
        const later = distribute(async (x: number) => {
          await Promise.resolve();
          if (x === 5) throw new Error("five");
          return x + 1;
        });
        const refs = later.map(numbers(8), { chunk: 4 });
        expect(await get(refs[7]!)).toBe(8);
        expect(await get(refs[6]!)).toBe(7);
        expect(((await rejection(get(refs[5]!), "Task")).cause as Error).message).toBe("five");
      });

      test("something else than items is a UsageError", () => {
        expect(thrown(() => square.map(5 as never), "Usage").parameter).toBe("items");
        expect(thrown(() => square.map([1], { chunk: 0 }), "Usage").parameter).toBe("chunk");
        expect(thrown(() => square.map([1], { inFlight: 0 }), "Usage").parameter).toBe("inFlight");
      });

      test("an item that cannot travel costs only itself and is named", async () => {
        const refs = distribute((x: unknown) => x as number).map([1, { f: () => 1 }, 3], { chunk: 1 });
        expect(await get([refs[0]!, refs[2]!], { timeout: "10s" })).toEqual([1, 3]);
        const error = await rejection(get(refs[1]!), "Usage");
        expect(error.message).toMatch(/\.f is a function/);
      });

      test("submits no more than inFlight at a time", async () => {
        const began = distribute((place: string) => {
          sign(place);
          blockUntil(`${place}.go`);
        });
        const refs = began.map(
          numbers(6).map((i) => file(i)),
          { chunk: 1, inFlight: 1 },
        );
        for (let i = 0; i < 6; i++) {
          const begun = await waitFor(`task ${i} to begin`, () => started().length > i && started());
          expect(begun).toEqual(numbers(i + 1).map(String));
          writeFileSync(file(`${i}.go`), "");
        }
        expect((await get(refs)).length).toBe(6);
        function started(): string[] {
          return readdirSync(directory)
            .filter((name) => /^\d+$/.test(name))
            .sort();
        }
      });

      test("cancelled ends what runs and never starts the rest", async () => {
        const began = distribute((place: string) => {
          sign(place);
          blockUntil(`${place}.never`);
        });
        const refs = began.map(
          numbers(40).map((i) => file(i)),
          { chunk: 1 },
        );
        const failure = rejection(get(refs), "Cancelled");
        await waitFor("two tasks to begin", () => readdirSync(directory).length >= 2);
        await cancel(refs);
        expect((await failure).message).toMatch(/cancelled/);
        await rejection(get(refs[39]!), "Cancelled");
        expect(await get(square(3))).toBe(9);
        expect(readdirSync(directory).length).toBeLessThan(10);
      });
    });

    describe("over an async iterable", () => {
      test.each([0, 1, 2, 500])("of %d items gives the results in order", async (length) => {
        expect(await get(square.map(slowly(length)))).toEqual(numbers(length).map((x) => x * x));
      });

      test("gives refs in the order of the items", async () => {
        const values: number[] = [];
        for await (const ref of square.map(slowly(20))) values.push(await get(ref));
        expect(values).toEqual(numbers(20).map((x) => x * x));
      });

      test("gives values as they come with asCompleted", async () => {
        const seen = new Map<number, number>();
        for await (const { index, value } of asCompleted(square.map(slowly(40)))) seen.set(index, value);
        expect(seen.size).toBe(40);
        for (const [index, value] of seen) expect(value).toBe(index * index);
      });

      test("that is a list of refs resolves each", async () => {
        async function* refs(): AsyncGenerator<Ref<number> | number> {
          yield 2;
          yield square(2);
          yield 3;
        }
        expect(await get(square.map(refs() as AsyncGenerator<number>))).toEqual([4, 16, 9]);
      });

      test("is read no faster than the work gets done", async () => {
        const log = { read: 0, closed: false };
        const held = distribute((gate: string) => blockUntil(gate));
        async function* gates(): AsyncGenerator<string> {
          for await (const _ of slowly(1000, log)) yield file("go");
        }
        const all = get(held.map(gates(), { chunk: 1, inFlight: 3 }));
        await waitFor("three items to be read", () => log.read >= 3);
        // A reader without a limit would have read everything by the time another task has come back.
        await rejection(get(square.map(slowly(1)), { timeout: "50ms" }), "Timeout");
        expect(log.read).toBeLessThanOrEqual(8);
        writeFileSync(file("go"), "");
        expect((await all).length).toBe(1000);
        expect(log.closed).toBe(true);
      });

      test("that throws rejects with its own error after the items before it", async () => {
        async function* failing(): AsyncGenerator<number> {
          yield 1;
          yield 2;
          throw new TypeError("source broke");
        }
        await expect(get(square.map(failing()))).rejects.toThrow(new TypeError("source broke"));
        const values: number[] = [];
        await expect(async () => {
          for await (const ref of square.map(failing())) values.push(await get(ref));
        }).rejects.toThrow("source broke");
        expect(values).toEqual([1, 4]);
      });

      test("that throws undefined rejects", async () => {
        async function* failing(): AsyncGenerator<number> {
          yield 1;
          throw undefined;
        }
        const outcome = await get(square.map(failing())).then(
          (values) => values,
          (error: unknown) => ({ error }),
        );
        expect(outcome).toEqual({ error: undefined });
      });

      test("left early closes the source", async () => {
        const log = { read: 0, closed: false };
        for await (const ref of square.map(slowly(1_000_000, log), { chunk: 1 })) {
          expect(await get(ref)).toBe(0);
          break;
        }
        await waitFor("the source to be closed", () => log.closed);
        expect(log.read).toBeLessThan(1000);
      });

      test("that never ends is cancelled, and its source closed", async () => {
        const log = { read: 0, closed: false };
        const stream = square.map(slowly(Number.POSITIVE_INFINITY, log));
        const failure = rejection(get(stream), "Cancelled");
        await waitFor("some items to be read", () => log.read > 10);
        await cancel(stream);
        await failure;
        await waitFor("the source to be closed", () => log.closed);
        expect(log.closed).toBe(true);
      });

      test("that is stuck between two items is cancelled at once", async () => {
        async function* stuck(): AsyncGenerator<number> {
          yield 1;
          await new Promise(() => {});
        }
        const stream = square.map(stuck());
        const failure = rejection(get(stream), "Cancelled");
        await get(square(1));
        await cancel(stream);
        const late = waitFor("never", () => false, { timeoutMs: 5000 }).catch(() => undefined);
        const code = await Promise.race([failure.then((error) => error.code), late]);
        expect(code).toBe("Cancelled");
      });

      test("an item that fails rejects get, and the others are there", async () => {
        const error = await rejection(get(picky.map(slowly(20))), "Task");
        expect((error.cause as Error).message).toMatch(/^not (?:3|13)$/);
        const outcomes: unknown[] = [];
        for await (const ref of picky.map(slowly(6))) outcomes.push(await get(ref).catch(() => "failed"));
        expect(outcomes).toEqual([0, 1, 2, "failed", 4, 5]);
      });

      test("can be read once", async () => {
        const stream = square.map(slowly(3));
        expect(await get(stream)).toEqual([0, 1, 4]);
        await rejection(get(stream), "Usage");
      });
    });
  });
}
