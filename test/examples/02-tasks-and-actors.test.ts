import { expect, test } from "vitest";
import { call } from "../cli/support.ts";

test("examples/02-tasks-and-actors.ts prints a total near 1e8, then 4950, then what wait() gives", async () => {
  const { exitCode, stdout, stderr } = await call(["run", "examples/02-tasks-and-actors.ts"], { timeoutMs: 110_000 });
  expect(exitCode, stderr).toBe(0);
  const [total = "", ...others] = stdout.trimEnd().split("\n");
  expect(others).toEqual(["4950", "true true"]);
  // The sum of 1e8 squares of normal numbers has the mean 1e8 and the deviation 14,142.
  expect(Number(total.replace("Total: ", ""))).toBeGreaterThan(1e8 - 5 * 14_142);
  expect(Number(total.replace("Total: ", ""))).toBeLessThan(1e8 + 5 * 14_142);
  expect(stderr).toMatch(/^sum of squares █{30} 100\/100 \S+ m?s$/m);
}, 120_000);
