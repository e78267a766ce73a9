import { join } from "node:path";
import { distribute } from "girona";
import { describe, expect, test } from "vitest";

const factors = new Float64Array(1000);
const settings = { by: 2 };
function helper(x: number): number {
  return x * settings.by;
}
class Point {
  readonly x: number;
  constructor(x: number) {
    this.x = x;
  }
}
const work = (x: number) => join("a", String(helper(factors[0]! + new Point(x).x)));

describe("distribute.explain", () => {
  const explanation = distribute.explain(work);

  test("lists each thing that the function names, with its kind, size and place", () => {
    const found = Object.fromEntries(explanation.captured.map((one) => [one.name, one]));
    expect(Object.fromEntries(Object.entries(found).map(([name, { kind }]) => [name, kind]))).toMatchObject({
      factors: "value",
      settings: "value",
      helper: "function",
      Point: "class",
    });
    expect(explanation.captured.filter(({ kind }) => kind === "module").map(({ from }) => from)).toEqual(["node:path"]);
    expect(found["factors"]!.bytes).toBeGreaterThanOrEqual(8000);
    expect(found["factors"]!.bytes).toBeLessThan(9000);
    expect(found["helper"]!.from).toMatch(/explain-lists-what-travels\.test\.ts:7$/);
  });

  test("tells the name, the code and the size of all", () => {
    expect(explanation.name).toBe("work");
    expect(explanation.source).toContain("String(");
    expect(explanation.bytes).toBeGreaterThan(8000);
    const parts = explanation.captured.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(explanation.bytes).toBeGreaterThan(parts / 2);
  });

  test("is a table as text", () => {
    const [head, columns, ...rows] = String(explanation).split("\n");
    expect(head).toMatch(/^work: [\d.]+ kB travel to each worker, once$/);
    expect(columns).toMatch(/^name +kind +size +from$/);
    expect(rows).toHaveLength(explanation.captured.length);
    expect(rows.find((row) => row.startsWith("factors"))).toMatch(/^factors +value +8\.\d kB +.*\.test\.ts:\d+$/);
  });

  test("is the same for what is distributed already, and runs nothing", () => {
    const remote = distribute(work);
    expect(distribute.explain(remote as never)).toEqual(explanation);
    const throws = distribute(() => {
      throw new Error("run");
    });
    expect(String(distribute.explain(throws as never))).toContain("It names nothing from outside.");
  });

  test("throws what a call would throw", () => {
    const timer = new WeakMap<object, number>();
    expect(() => distribute.explain((key: object) => timer.get(key))).toThrow(/timer/);
  });

  test("of a module's export is its name", () => {
    const one = distribute.explain({ module: import.meta.url, name: "work" });
    expect(one.name).toBe("work");
    expect(one.captured.map(({ kind }) => kind)).toEqual(["module"]);
    expect(one.bytes).toBeLessThan(500);
  });
});
