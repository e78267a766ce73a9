/** Tasks that call tasks: whatever waits inside gives its place back, so that two workers suffice for any depth. */
import { cancel, distribute, get, getActor, put, type Ref } from "girona";
import { describe, expect, test } from "vitest";
import { type Open, rejection, shared } from "./open.ts";

const square = distribute((x: number) => x * x);
const fail = distribute((message: string): number => {
  throw new RangeError(message);
});

class Tally {
  #count: number;
  constructor(start: number) {
    this.#count = start;
  }
  add(by: number): number {
    this.#count += by;
    return this.#count;
  }
}
const RemoteTally = distribute(Tally);

export function nested(open: Open): void {
  describe("nested calls", () => {
    shared(open);

    test("fifty deep, each waiting for the next, end with two workers", async () => {
      const down: (depth: number) => Ref<number> = distribute(async (depth: number): Promise<number> => {
        return depth === 0 ? 0 : 1 + (await get(down(depth - 1)));
      });
      expect(await get(down(50))).toBe(50);
      expect(await get([down(20), down(20), down(20), down(20)])).toEqual([20, 20, 20, 20]);
    });

    test("that branch end", async () => {
      const fibonacci: (n: number) => Ref<number> = distribute(async (n: number): Promise<number> => {
        if (n < 2) return n;
        const [a, b] = await get([fibonacci(n - 1), fibonacci(n - 2)]);
        return a + b;
      });
      expect(await get(fibonacci(10))).toBe(55);
    });

    test("many at once that each call many end", async () => {
      const sum = distribute(async (n: number) => {
        const values = await get(Array.from({ length: n }, (_, i) => square(i)));
        return values.reduce((a, b) => a + b, 0);
      });
      expect(await get(Array.from({ length: 40 }, () => sum(20)))).toEqual(Array.from({ length: 40 }, () => 2470));
    });

    test("in quick tasks that travel in batches disturb nothing", async () => {
      const launch = distribute((x: number) => ({ ref: square(x) }));
      const launched = await get(Array.from({ length: 300 }, (_, i) => launch(i)));
      expect(await get(launched.map(({ ref }) => ref))).toEqual(Array.from({ length: 300 }, (_, i) => i * i));
    });

    test("map inside a task", async () => {
      const sum = distribute(async (n: number) => {
        const values = await get(square.map(Array.from({ length: n }, (_, i) => i)));
        return values.reduce((a, b) => a + b, 0);
      });
      expect(await get([sum(100), sum(1000)])).toEqual([328_350, 332_833_500]);
    });

    test("map over an async iterable inside a task", async () => {
      const sum = distribute(async (n: number) => {
        async function* items(): AsyncGenerator<number> {
          for (let i = 0; i < n; i++) yield i;
        }
        const values = await get(square.map(items()));
        return values.length;
      });
      expect(await get(sum(30))).toBe(30);
    });

    test("put inside a task, small and large", async () => {
      const store = distribute(async (n: number) => ({ ref: await put(new Float64Array(n).fill(2)) }));
      for (const length of [10, 100_000]) {
        const { ref } = await get(store(length));
        const data = await get(ref);
        expect([data.length, data[0], data.at(-1)]).toEqual([length, 2, 2]);
      }
      const sum = distribute((data: Float64Array) => data.reduce((a, b) => a + b, 0));
      const inside = distribute(async (n: number) => get(sum(await put(new Float64Array(n).fill(2)))));
      expect(await get([inside(10), inside(100_000)])).toEqual([20, 200_000]);
    });

    test("references made inside a task are fetched where they are handed to", async () => {
      const launch = distribute((n: number) => ({ refs: Array.from({ length: n }, (_, i) => square(i)) }));
      const { refs } = await get(launch(5));
      expect(await get(refs)).toEqual([0, 1, 4, 9, 16]);
      expect(await get(square(refs[3]!))).toBe(81);
    });

    test("references travel through several tasks before anybody fetches them", async () => {
      const wrap = distribute((given: { ref: Ref<number> }) => ({ ref: square(given.ref) }));
      let box = { ref: square(2) };
      for (let i = 0; i < 3; i++) box = await get(wrap(box));
      expect(await get(box.ref)).toBe(2 ** 16);
    });

    test("an error inside comes through as the outer task's cause", async () => {
      const outer = distribute(async () => get(fail("inner"))).options({ name: "outer" });
      const error = await rejection(get(outer()), "Task");
      expect(error.task).toBe("outer");
      const inner = error.cause as Error & { code: string; cause: Error };
      expect(inner.code).toBe("Task");
      expect(inner.cause).toBeInstanceOf(RangeError);
      expect(inner.cause.message).toBe("inner");
    });

    test("an error inside is caught there", async () => {
      const outer = distribute(async () => {
        try {
          await get(fail("inner"));
          return "nothing";
        } catch (error) {
          return (error as { cause: Error }).cause.message;
        }
      });
      expect(await get(outer())).toBe("inner");
    });

    test("cancel inside a task", async () => {
      const endless = distribute((): number => {
        for (;;);
      });
      const outer = distribute(async () => {
        const ref = endless();
        await cancel(ref);
        return get(ref).then(
          () => "value",
          (error: { code: string }) => error.code,
        );
      });
      expect(await get(outer())).toBe("Cancelled");
    });

    test("a time-out of get inside a task", async () => {
      const outer = distribute(async () => {
        const never = distribute(() => new Promise<number>(() => {}));
        const ref = never();
        const code = await get(ref, { timeout: "20ms" }).then(
          () => "value",
          (error: { code: string }) => error.code,
        );
        await cancel(ref);
        return code;
      });
      expect(await get(outer())).toBe("Timeout");
    });

    test("the time-out of an inner task costs the outer one nothing", async () => {
      const spin = distribute(
        (): number => {
          for (;;);
        },
        { timeout: "200ms" },
      );
      const outer = distribute(
        async () =>
          get(spin()).then(
            () => "value",
            (error: { code: string }) => error.code,
          ),
        { retries: 0 },
      );
      expect(await get([outer(), outer(), outer()])).toEqual(["Timeout", "Timeout", "Timeout"]);
    });

    test("an inner task that kills its process is told to the outer one", async () => {
      const die = distribute((): number => process.exit(9), { retries: 0 });
      const outer = distribute(async () =>
        get(die()).then(
          () => "value",
          (error: { code: string; exitCode: number }) => `${error.code} ${error.exitCode}`,
        ),
      );
      expect(await get(outer())).toBe("WorkerLost 9");
    });

    test("an actor is made, used and handed back inside tasks", async () => {
      const use = distribute(async (start: number) => {
        const tally = new RemoteTally(start);
        await get(tally.add(1));
        return { tally, now: await get(tally.add(1)) };
      });
      const { tally, now } = await get(use(10));
      expect(now).toBe(12);
      expect(await get(tally.add(5))).toBe(17);
    });

    test("a named actor is found inside a task", async () => {
      const Named = RemoteTally.options({ name: "nested tally" });
      const tally = new Named(0);
      const use = distribute(async (by: number) => {
        const found = await getActor<Tally>("nested tally");
        await get(found.add(by));
      });
      await get([use(1), use(2), use(3)]);
      expect(await get(tally.add(0))).toBe(6);
    });

    test("a function distributed inside a task runs", async () => {
      const outer = distribute(async (factor: number) => {
        const scaled = distribute((x: number) => x * factor);
        return get([scaled(1), scaled(2)]);
      });
      expect(await get(outer(3))).toEqual([3, 6]);
    });

    test("an actor's method calls tasks and waits for them", async () => {
      class Boss {
        async work(n: number): Promise<number> {
          const values = await get(Array.from({ length: n }, (_, i) => square(i)));
          return values.reduce((a, b) => a + b, 0);
        }
      }
      const RemoteBoss = distribute(Boss);
      const boss = new RemoteBoss();
      expect(await get([boss.work(3), boss.work(4)])).toEqual([5, 14]);
    });
  });
}
