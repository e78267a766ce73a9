import { describe, expect, test } from "vitest";
import { decodeFrom } from "../../src/mpi/decode.ts";
import { beside, bytes, encode } from "../../src/mpi/encode.ts";
import { aligned } from "../../src/mpi/wire.ts";

/** What a rank that receives it gets. */
function arrives(value: unknown): unknown {
  const length = encode("send", value, true);
  const parts: Uint8Array[] = [Uint8Array.from(bytes.subarray(0, length))];
  let total = length;
  for (const array of beside ?? []) {
    parts.push(new Uint8Array(aligned(total) - total), array);
    total = aligned(total) + array.length;
  }
  return decodeFrom(Buffer.from(Buffer.concat(parts)), 0, total, false);
}

const cycle: { self?: unknown } = {};
cycle.self = cycle;
const twice = { shared: true };
const deep = Array.from({ length: 500 }).reduce<unknown>((inside) => [inside], "core");

describe("what arrives is what structuredClone gives", () => {
  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["null and booleans", [null, true, false]],
    ["whole numbers", [0, -1, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 2 ** 53]],
    ["other numbers", [-0, 0.1, Number.NaN, Number.POSITIVE_INFINITY, 5e-324]],
    ["a lone -0", -0],
    ["bigints", [0n, -(2n ** 63n), 2n ** 63n - 1n, 2n ** 200n]],
    ["texts", ["", "plain", "éÿ", "日本", "😀", "\ud800 alone", "x".repeat(100_000), "é".repeat(47), "é".repeat(48)]],
    ["a text that looks like a key", { toString: 1, constructor: 2 }],
    ["objects", { a: 1, b: { c: [] }, "": 0, 7: "seven" }],
    ["an object with the key __proto__", JSON.parse('{"__proto__": {"x": 1}, "y": 2}')],
    ["arrays", [[], [1], [1, "a"], [1, 2, 3, 4, 5, 6, 7.5]]],
    ["an array with holes", Object.assign([1], { 2: 3 })],
    ["what a regular expression matched", /(?<year>\d+)/.exec("in 2026")],
    ["maps, sets, dates", [new Map([[{ a: 1 }, new Set([1])]]), new Date(0)]],
    ["an error", new RangeError("too far")],
    ["a cycle", cycle],
    ["the same object twice", [twice, twice]],
    ["many objects", Array.from({ length: 100 }, (_, i) => ({ i, text: `n${i}` }))],
    ["deep nesting", deep],
    [
      "small typed arrays",
      [Int8Array.of(-1), new Uint8ClampedArray(3), BigUint64Array.of(2n ** 63n), Float32Array.of(0.5)],
    ],
    ["a part of a typed array", new Float64Array([1, 2, 3, 4]).subarray(1, 3)],
    ["large typed arrays", { a: new Float64Array(10_000).fill(0.1), b: [1], c: new Uint8Array(40_001).fill(7) }],
    ["a large typed array alone", new Int32Array(20_000).fill(-3)],
    ["a large one deep inside", { a: { b: { c: new Float64Array(10_000).fill(2) } } }],
    ["an ArrayBuffer", new Uint8Array([1, 2, 3]).buffer],
    ["boxed and other objects", [Object(1), /x/g]],
  ])("%s", (_, value) => {
    expect(arrives(value)).toStrictEqual(structuredClone(value));
  });

  test("one object met twice stays one", () => {
    const [one, other] = arrives([twice, twice]) as [unknown, unknown];
    expect(one).toBe(other);
    const round = arrives(cycle) as { self: unknown };
    expect(round.self).toBe(round);
  });

  test("-0 keeps its sign and an array its own memory", () => {
    expect(Object.is(arrives(-0), -0)).toBe(true);
    const array = arrives(new Float64Array([1, 2, 3, 4]).subarray(1, 3)) as Float64Array;
    expect([array.byteOffset, array.buffer.byteLength]).toEqual([0, 16]);
  });

  test.each([() => 1, { f: () => 1 }, [Symbol("s")], new WeakMap()])("%o cannot travel", (value) => {
    expect(() => encode("send", value, true)).toThrow(/^send: value cannot travel: .* could not be cloned/);
  });
});
