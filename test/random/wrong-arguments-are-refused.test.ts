import { describe, expect, test } from "vitest";
import { isGironaError } from "../../src/common/index.ts";
import { fillIntegers, fillNormal, fillUniform, keyOf, rng } from "../../src/random/index.ts";

function refusal(call: () => unknown): { parameter: string; message: string } {
  try {
    call();
  } catch (error) {
    if (isGironaError(error, "Usage")) return { parameter: error.parameter, message: error.message };
    throw error;
  }
  throw new Error("nothing was thrown");
}

const g = rng(42);
// What a program without types may give.
const any = (value: unknown) => value as never;

describe("the message names the parameter, what was given and what is accepted", () => {
  test.each([
    [() => rng(-1), "seed: -1 was given; it takes a whole number from 0 to 2**53 - 1, or a bigint from 0n to"],
    [() => g.stream(1.5), "index: 1.5 was given; it takes a whole number from 0 to 2**53 - 1."],
    [() => g.normal(-1), "length: -1 was given; it takes a whole number, 0 or more."],
    [() => g.normal(any("3")), 'length: "3" was given; it takes a whole number, 0 or more.'],
    [() => g.uniform(1, { low: 2 }), "high: 1 was given; it takes a number above low, which is 2."],
    [() => g.integers(1, any(undefined)), "options: undefined was given; it takes an object with high, and maybe low."],
  ])("%s", (call, message) => {
    expect(refusal(call).message).toContain(message);
  });
});

describe("the seed", () => {
  test.each([-1, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, -1n, 2n ** 128n, any("42"), any(null), any({})])(
    "%s",
    (seed) => {
      expect(refusal(() => rng(seed)).parameter).toBe("seed");
    },
  );
});

describe("the index of a stream", () => {
  test.each([-1, 0.5, 2 ** 53, Number.NaN, any("0"), any(1n), any(undefined)])("%s", (index) => {
    expect(refusal(() => g.stream(index)).parameter).toBe("index");
  });
});

describe.each(["normal", "uniform", "integers"] as const)("the length of %s", (name) => {
  test.each([-1, 0.5, Number.NaN, 2 ** 53, any("3"), any(undefined), any(3n)])("%s", (length) => {
    expect(refusal(() => g[name](length, { high: 5 })).parameter).toBe("length");
  });

  test("more than an array can hold", () => {
    const { parameter, message } = refusal(() => g[name](2 ** 50, { high: 5 }));
    expect(parameter).toBe("length");
    expect(message).toMatch(/^length: 1125899906842624 numbers \([\d.]+ PB\) do not fit in one array here/);
  });
});

describe("options", () => {
  test.each<[string, () => unknown]>([
    ["mean", () => g.normal(1, { mean: Number.NaN })],
    ["mean", () => g.normal(1, { mean: any("1") })],
    ["deviation", () => g.normal(1, { deviation: -1 })],
    ["deviation", () => g.normal(1, { deviation: Number.POSITIVE_INFINITY })],
    ["deviation", () => g.normal(1, { deviation: 1e308 })],
    ["low", () => g.uniform(1, { low: Number.NEGATIVE_INFINITY })],
    ["high", () => g.uniform(1, { high: Number.NaN })],
    ["high", () => g.uniform(1, { low: 1, high: 1 })],
    ["high", () => g.uniform(1, { low: -1e308, high: 1e308 })],
    ["low", () => g.integers(1, { low: 0.5, high: 2 })],
    ["low", () => g.integers(1, { low: -(2 ** 31) - 1, high: 2 })],
    ["high", () => g.integers(1, { high: 2 ** 31 + 1 })],
    ["high", () => g.integers(1, { high: 0 })],
    ["high", () => g.integers(1, any({}))],
    ["high", () => g.integers(1, { high: any(5n) })],
    ["options", () => g.integers(1, any(5))],
  ])("%s: %s", (parameter, call) => {
    expect(refusal(call).parameter).toBe(parameter);
  });

  test("are read as absent when undefined", () => {
    expect(g.normal(0, { mean: undefined, deviation: undefined })).toHaveLength(0);
    expect(g.uniform(0, { low: undefined, high: undefined })).toHaveLength(0);
    expect(g.integers(0, { low: undefined, high: 1 })).toHaveLength(0);
  });
});

describe("the start of a range", () => {
  test.each([-1, 0.5, Number.NaN, 2 ** 53 - 1])("%s", (start) => {
    const key = keyOf(0);
    expect(refusal(() => fillUniform(new Float64Array(1), key, start)).parameter).toBe("start");
    expect(refusal(() => fillNormal(new Float64Array(1), key, start)).parameter).toBe("start");
    expect(refusal(() => fillIntegers(new Int32Array(1), key, start, { high: 2 })).parameter).toBe("start");
  });
});
