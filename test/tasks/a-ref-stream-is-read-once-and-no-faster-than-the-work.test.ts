import { inspect } from "node:util";
import { asCompleted, distribute, get, isGironaError, type Ref, type RefStream, UsageError } from "girona";
import { describe, expect, test } from "vitest";
import { waitFor } from "../support/index.ts";
import { failure, gate, held, runProgram, sharedCluster } from "./support/index.ts";

sharedCluster(2);

const square = distribute((x: number) => x * x, { name: "square" });

/** Numbers from 0 on, with what happened to them. */
function numbers(count: number, end: "ends" | "fails" | "hangs" = "ends") {
  const source = {
    read: 0,
    closed: false,
    async *[Symbol.asyncIterator]() {
      try {
        for (; source.read < count; ) yield source.read++;
        if (end === "fails") throw new RangeError("the disk is gone");
        if (end === "hangs") await new Promise<never>(() => {});
      } finally {
        source.closed = true;
      }
    },
  };
  return source;
}

/** The same by hand: `return` is answered while `next` still waits, as streams of Node.js do. */
function lines(count: number) {
  const source = {
    read: 0,
    closed: false,
    [Symbol.asyncIterator]: () => ({
      next: (): Promise<IteratorResult<number>> =>
        source.read < count ? Promise.resolve({ value: source.read++, done: false }) : new Promise<never>(() => {}),
      return: async (): Promise<IteratorResult<number>> => {
        source.closed = true;
        return { value: undefined, done: true };
      },
    }),
  };
  return source;
}

const squares = (count: number) => Array.from({ length: count }, (_, i) => i * i);

describe("its values", () => {
  test("come in the order of the items", async () => {
    expect(await get(square.map(numbers(100)))).toEqual(squares(100));
    expect(await get(square.map(numbers(10), { chunk: 3 }))).toEqual(squares(10));
    expect(await get(square.map(numbers(0)))).toEqual([]);
  });

  test("come one ref at a time in a loop", async () => {
    const values: number[] = [];
    for await (const ref of square.map(numbers(20))) values.push(await get(ref));
    expect(values).toEqual(squares(20));
  });

  test("come as they are there from asCompleted, with their index", async () => {
    const found: number[] = [];
    for await (const { index, value } of asCompleted(square.map(numbers(50)))) found[index] = value;
    expect(found).toEqual(squares(50));
  });

  test("may be asked for by refs in the source", async () => {
    async function* refs() {
      for (let i = 0; i < 5; i++) yield i % 2 === 0 ? i : square(i);
    }
    expect(await get(square.map(refs()))).toEqual([0, 1, 4, 81, 16]);
  });
});

describe("it is used once:", () => {
  const uses: readonly (readonly [string, (stream: RefStream<number>) => Promise<unknown>])[] = [
    ["get", (stream) => get(stream)],
    [
      "a loop",
      async (stream) => {
        for await (const _ of stream);
      },
    ],
    [
      "asCompleted",
      async (stream) => {
        for await (const _ of asCompleted(stream));
      },
    ],
  ];
  test.each(uses.flatMap(([a, one]) => uses.map(([b, two]) => [a, b, one, two] as const)))(
    "%s and then %s is refused",
    async (_a, _b, one, two) => {
      const stream = square.map(numbers(3));
      await one(stream);
      const error = await failure(() => two(stream));
      expect(error).toBeInstanceOf(UsageError);
      expect(error.message).toMatch(/can be read once/);
    },
  );
});

test("it reads nothing before it is used", async () => {
  const source = numbers(10);
  const stream = square.map(source);
  await get(square(1));
  expect(source.read).toBe(0);
  await get(stream);
  expect(source.read).toBe(10);
});

test("it reads no further ahead than inFlight tasks", async () => {
  const blocked = gate();
  const blockedTasks = distribute((path: { of: Ref<number> } | number) => path, { name: "blocked" });
  const source = numbers(1000);
  const slow = held(blocked.path, 5);
  async function* items(): AsyncGenerator<never> {
    for await (const _ of source) yield slow as never;
  }
  const stream = blockedTasks.map(items(), { chunk: 1, inFlight: 3 });
  expect(stream.inFlight).toBe(3);
  expect(stream.chunk).toBe(1);
  const values = get(stream);
  await waitFor("three tasks to be under way", () => source.read >= 3);
  await get(square(1)).catch(() => {});
  expect(source.read).toBeLessThanOrEqual(4);
  blocked.open();
  expect((await values).length).toBe(1000);
});

test("it reads on by itself while its consumer is busy, but not for ever", async () => {
  const source = numbers(10_000);
  const stream = square.map(source, { chunk: 1, inFlight: 2 });
  for await (const _ of stream) {
    await waitFor("some items to be read ahead", () => source.read >= 3);
    expect(source.read).toBeLessThan(50);
    break;
  }
  expect(source.closed).toBe(true);
});

describe("an error of the source", () => {
  const uses: readonly (readonly [string, (stream: RefStream<number>) => Promise<unknown>])[] = [
    ["get", (stream) => get(stream)],
    [
      "a loop",
      async (stream) => {
        for await (const ref of stream) await get(ref);
      },
    ],
    [
      "asCompleted",
      async (stream) => {
        for await (const _ of asCompleted(stream));
      },
    ],
  ];
  test.each(uses)("comes as it is: %s", async (_, use) => {
    const error = await failure(() => use(square.map(numbers(5, "fails"))));
    expect(error).toBeInstanceOf(RangeError);
    expect(error.message).toBe("the disk is gone");
  });
});

describe("a failing item", () => {
  const picky = distribute(
    (x: number) => {
      if (x === 1) throw new RangeError("one");
      return x;
    },
    { name: "picky" },
  );

  test("rejects get, and the source is closed", async () => {
    const source = numbers(1_000_000);
    const error = await failure(() => get(picky.map(source)));
    expect(isGironaError(error, "Task") && error.task).toBe("picky");
    expect(source.read).toBeLessThan(1_000_000);
    await waitFor("the source to be closed", () => source.closed);
  });

  test("rejects get even while the source has nothing more to say", async () => {
    const error = await failure(() => get(picky.map(lines(3), { chunk: 1 }), { timeout: "5s" }));
    expect(isGironaError(error, "Task")).toBe(true);
  });

  test("is the failure of its own ref alone", async () => {
    const values: unknown[] = [];
    for await (const ref of picky.map(numbers(4))) values.push(await get(ref).catch((error: Error) => error.name));
    expect(values).toEqual([0, "TaskError", 2, 3]);
  });
});

describe("leaving it early closes the source:", () => {
  test("a loop", async () => {
    const source = numbers(1000);
    for await (const _ of square.map(source, { inFlight: 2 })) break;
    expect(source.closed).toBe(true);
  });

  test("a loop, while the source waits for its next item", async () => {
    const source = lines(3);
    for await (const _ of square.map(source)) break;
    expect(source.closed).toBe(true);
  });

  test("asCompleted", async () => {
    const source = numbers(1000);
    for await (const _ of asCompleted(square.map(source, { chunk: 1, inFlight: 2 }))) break;
    await waitFor("the source to be closed", () => source.closed);
    expect(source.read).toBeLessThan(1000);
  });

  test("asCompleted, because an item failed", async () => {
    const fails = distribute((x: number): number => {
      throw new Error(`no ${x}`);
    });
    const source = numbers(1000);
    await failure(async () => {
      for await (const _ of asCompleted(fails.map(source, { chunk: 1, inFlight: 2 })));
    });
    await waitFor("the source to be closed", () => source.closed);
    expect(source.read).toBeLessThan(1000);
  });

  test.each([
    ["a loop", "for await (const ref of stream) break;"],
    ["asCompleted", "for await (const one of asCompleted(stream)) break;"],
    ["get with a time-out", 'await get(stream, { timeout: "100ms" }).catch((error) => console.log(error.code));'],
  ])("the program ends by itself after %s", async (_, use) => {
    const { exitCode, stdout } = await runProgram(
      `import { asCompleted, distribute, get } from "girona";
      async function* source() { yield 1; yield 2; await new Promise(() => {}); }
      const stream = distribute((x) => x).map(source());
      ${use}
      console.log("left");`,
      { timeoutMs: 5000 },
    );
    expect(stdout).toMatch(/left\n$/);
    expect(exitCode).toBe(0);
  });
});

test.each<[string, (stream: RefStream<number>) => string]>([
  ["console.log", (stream) => inspect(stream)],
  ["a template", (stream) => `${stream as unknown as string}`],
])("printed by %s, it is short and names get", (_, print) => {
  const printed = print(square.map(numbers(3)));
  expect(printed).toMatch(/refs of square .*await get\(/);
  expect(printed.length).toBeLessThan(200);
});
