import { expect, test } from "vitest";
import { call } from "../cli/support.ts";

test("examples/01-distribute.ts gets the same from workers as from a plain loop", async () => {
  const { exitCode, stdout, stderr } = await call(["run", "examples/01-distribute.ts"], { timeoutMs: 110_000 });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/status\?token=[0-9a-f]+\ntrue\n$/);
}, 120_000);
