import { describe, expect, test } from "vitest";
import { fillIntegers, fillNormal, fillUniform, keyOf, streamKey } from "../../src/random/index.ts";
import { bitsOf, expected, ulpsFrom } from "./support.ts";

// The expected elements were computed in Python from docs/random.md alone: reference/make.py.
describe.each(expected.elements)("seed $seed, streams $streams, from element $start", (elements) => {
  const key = elements.streams.reduce(streamKey, keyOf(BigInt(elements.seed)));

  test("uniform, to the bit", () => {
    const out = new Float64Array(elements.uniform.length);
    fillUniform(out, key, elements.start);
    expect(Array.from(out, bitsOf)).toEqual(elements.uniform);
  });

  test("normal, within 3 units of the last place", () => {
    const out = new Float64Array(elements.normal.length);
    fillNormal(out, key, elements.start);
    for (const [i, exact] of elements.normal.entries()) expect(ulpsFrom(exact, out[i]!)).toBeLessThan(3);
  });

  test.each(elements.integers)("integers from $low to $high, exactly", ({ low, high, values }) => {
    const out = new Int32Array(values.length);
    fillIntegers(out, key, elements.start, { low, high });
    expect([...out]).toEqual(values);
  });
});
