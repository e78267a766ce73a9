/** Arguments and results are copies: nobody sees what another one does to them. */
import { distribute, get, put } from "girona";
import { describe, expect, test } from "vitest";
import { type Open, shared } from "./open.ts";

const sizes = [10, 100_000];

export function copies(open: Open): void {
  describe("copies", () => {
    shared(open);

    const spoil = distribute((data: Float64Array, facts: { tags: string[] }) => {
      const before = [data[0], data.at(-1), facts.tags.length];
      data.fill(-1);
      facts.tags.push("spoilt");
      return before;
    });

    test.each(sizes)("a task that changes its argument of %d numbers changes nothing elsewhere", async (length) => {
      const data = new Float64Array(length).fill(3);
      const facts = { tags: ["a"] };
      const refs = Array.from({ length: 6 }, () => spoil(data, facts));
      for (const before of await get(refs)) expect(before).toEqual([3, 3, 1]);
      expect(data.every((value) => value === 3)).toBe(true);
      expect(facts.tags).toEqual(["a"]);
    });

    test.each(sizes)("a stored array of %d numbers is not changed by the tasks that read it", async (length) => {
      const data = await put(new Float64Array(length).fill(3));
      const facts = await put({ tags: ["a"] });
      const refs = Array.from({ length: 6 }, () => spoil(data, facts));
      for (const before of await get(refs)) expect(before).toEqual([3, 3, 1]);
      expect((await get(data)).every((value) => value === 3)).toBe(true);
    });

    test.each(sizes)("an argument of %d numbers is copied at the call, not when the task starts", async (length) => {
      const first = distribute((data: Float64Array) => data[0]!);
      const data = new Float64Array(length).fill(1);
      const refs = Array.from({ length: 20 }, (_, i) => {
        data[0] = i;
        return first(data);
      });
      data.fill(-1);
      expect(await get(refs)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    });

    test.each(sizes)("put copies %d numbers at the call", async (length) => {
      const data = new Float64Array(length).fill(1);
      const stored = put(data);
      data.fill(2);
      expect((await get(await stored)).every((value) => value === 1)).toBe(true);
    });

    test.each(sizes)("get twice gives two copies of %d numbers", async (length) => {
      const make = distribute((n: number) => ({ data: new Float64Array(n).fill(5) }));
      const ref = make(length);
      const one = await get(ref);
      const two = await get(ref);
      one.data.fill(0);
      expect(two.data.every((value) => value === 5)).toBe(true);
      expect((await get(ref)).data.every((value) => value === 5)).toBe(true);
      const [three, four] = await get([ref, ref]);
      three!.data.fill(0);
      expect(four!.data.every((value) => value === 5)).toBe(true);
    });

    test.each(sizes)("a result of %d numbers handed to two tasks is a copy in each", async (length) => {
      const make = distribute((n: number) => new Float64Array(n).fill(3));
      const ref = make(length);
      const facts = { tags: ["a"] };
      expect(await get([spoil(ref, facts), spoil(ref, facts), spoil(ref, facts)])).toEqual(
        Array.from({ length: 3 }, () => [3, 3, 1]),
      );
      expect((await get(ref))[0]).toBe(3);
    });

    test("a task that keeps its argument keeps it unchanged", async () => {
      class Keeper {
        #data: Float64Array = new Float64Array();
        keep(data: Float64Array): void {
          this.#data = data;
        }
        sum(): number {
          return this.#data.reduce((a, b) => a + b, 0);
        }
      }
      const Kept = distribute(Keeper);
      const keeper = new Kept();
      const data = new Float64Array(100_000).fill(1);
      await get(keeper.keep(data));
      data.fill(9);
      expect(await get(keeper.sum())).toBe(100_000);
    });
  });
}
