import { expect, test } from "vitest";
import { log } from "../../src/random/log.ts";
import { cos, sin } from "../../src/random/sincos.ts";
import { expected, fromBits, ulpsFrom } from "./support.ts";

test.each([
  { name: "log", own: log, points: expected.functions.log },
  { name: "sin", own: sin, points: expected.functions.sin },
  { name: "cos", own: cos, points: expected.functions.cos },
])("$name agrees with mpmath's 60 digits", ({ own, points }) => {
  expect(points.length).toBeGreaterThan(1000);
  let worst = 0;
  for (const point of points) {
    const [x = "", ...exact] = point.split(" ");
    worst = Math.max(worst, ulpsFrom(exact.join(" "), own(fromBits(x))));
  }
  expect(worst).toBeLessThan(1);
});

test("the logarithm of 1 is 0", () => {
  expect(log(1)).toBe(0);
});
