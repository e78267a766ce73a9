import path from "node:path";
import { expect, it } from "vitest";
import { explain } from "../../dist/capture/index.js";

const host = { isExternal: () => false };
const rate = 3;
const table = new Float64Array(100_000);
const settings = { depth: 2, names: ["a", "b"] };
class Model {
  run(): number {
    return rate;
  }
}
function helper(x: number): number {
  return x * rate + table.length;
}
function work(x: number): string {
  return path.join(String(helper(x) + new Model().run()), String(settings.depth));
}

it("lists every name with its kind, size and where it is defined", () => {
  const explanation = explain(work, host);
  const found = Object.fromEntries(explanation.captured.map(({ name, kind }) => [name, kind]));
  expect(Object.values(found)).toContain("module");
  expect(found).toMatchObject({ helper: "function", Model: "class", settings: "value", rate: "value", table: "value" });
  const { from } = explanation.captured.find(({ name }) => name === "helper") ?? {};
  expect(from).toBe("test/capture/explains-what-travels.test.ts:14");
  expect(explanation.captured.find(({ name }) => name === "table")?.bytes).toBeGreaterThanOrEqual(800_000);
  expect(explanation.bytes).toBeGreaterThan(800_000);
  expect(explanation.source).toContain("function work(x)");
});

it("prints a table", () => {
  expect(String(explain(work, host))).toMatch(
    /^work: 80\d\.\d kB travel to each worker, once\nname +kind +size +from\n/,
  );
  expect(String(explain(() => 1, host))).toMatch(/names nothing from outside/);
});

it("throws what a capture would throw", () => {
  const promise = Promise.resolve();
  expect(() => explain(() => promise, host)).toThrow(
    expect.objectContaining({ name: "CaptureError", variable: "promise" }),
  );
});
