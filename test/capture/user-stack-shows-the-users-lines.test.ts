import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { capture, revive, userStack } from "../../dist/capture/index.js";

const file = fileURLToPath(import.meta.url);
const limit = 3;
function check(x: number): number {
  if (x > limit) throw new RangeError("too much");
  return x;
}

it("names the user's file and line, and leaves out girona's own frames", async () => {
  const { portable } = capture((x: number) => check(x) + 1, { isExternal: () => false });
  const { value } = await revive(portable, { large: [], external: [] });
  const error = (() => {
    try {
      return value(9) as Error;
    } catch (thrown) {
      return thrown as Error;
    }
  })();
  const lines = userStack(
    `${error.stack}\n    at run (${new URL("../../dist/capture/revive.js", import.meta.url)}:1:1)`,
  ).split("\n");
  expect(lines[0]).toBe("RangeError: too much");
  expect(lines[1]).toMatch(new RegExp(`^    at check \\(${file}:8:\\d+\\)$`));
  expect(lines[2]).toMatch(new RegExp(`${file}:13:\\d+\\)?$`));
  expect(lines.join("\n")).not.toMatch(/girona:fn|dist\/capture/);
});

it("leaves everything else as it is", () => {
  const stack = "Error: at girona:fn1:1:1\n    at work (/app/main.js:1:1)\n  caused by something";
  expect(userStack(stack)).toBe(stack);
});
