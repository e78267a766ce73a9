import { distribute, get, isGironaError } from "girona";
import { expect, test } from "vitest";
import { failure, sharedCluster } from "./support/index.ts";

const session = sharedCluster(1);

const calledOf = (name: string) =>
  session()
    .profile()
    .find((row) => row.name === name)?.calls ?? 0;

test("a function with other options is another function", async () => {
  const endless = distribute(
    function endless(n: number): number {
      if (n === 0) for (;;);
      return n;
    },
    { retries: 0 },
  );
  const hasty = endless.options({ timeout: "50ms", name: "hasty" });
  expect(hasty).not.toBe(endless);
  expect([endless.name, hasty.name]).toEqual(["endless", "hasty"]);

  const late = await failure(() => get(hasty(0)));
  expect(isGironaError(late, "Timeout") && late.task).toBe("hasty");
  expect(await get([endless(1), hasty(2)])).toEqual([1, 2]);
});

test("options add up, and the last one wins", async () => {
  const fails = distribute(
    function fails(text: string): string {
      throw new Error(text);
    },
    { name: "first" },
  );
  const more = fails.options({ retries: 1, retryErrors: true });
  const renamed = more.options({ name: "second" });
  const back = renamed.options({ retryErrors: false });
  expect(await failure(() => get(fails("a")))).toMatchObject({ task: "first", attempts: 1 });
  expect(await failure(() => get(more("a")))).toMatchObject({ task: "first", attempts: 2 });
  expect(await failure(() => get(renamed("a")))).toMatchObject({ task: "second", attempts: 2 });
  expect(await failure(() => get(back("a")))).toMatchObject({ task: "second", attempts: 1 });
});

test("the object that was given may be changed afterwards", async () => {
  const options = { name: "kept" };
  const kept = distribute((x: number) => x, options);
  options.name = "changed";
  expect(kept.name).toBe("kept");
  expect(String(kept(1))).toContain("kept#");
});

test("a class with other options is another class", async () => {
  class Counter {
    value = 0;
    add(n: number): number {
      this.value += n;
      return this.value;
    }
  }
  const Plain = distribute(Counter);
  const Named = Plain.options({ name: "shared" });
  expect(Named).not.toBe(Plain);
  const [plain, named] = [new Plain(), new Named()];
  expect(await get([plain.add(1), plain.add(2), named.add(10)])).toEqual([1, 3, 10]);
});

test("both are the same function to a worker, which receives it once", async () => {
  const one = distribute(function one(x: number) {
    return x;
  });
  await get([one(1), one.options({ retries: 0 })(2)]);
  expect(calledOf("one")).toBe(2);
});
