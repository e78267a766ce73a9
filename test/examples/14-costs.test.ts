import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { call } from "../cli/support.ts";

test("examples/14-costs.ts shows where the time went, what the mistake moved, and the price", async () => {
  const file = resolve("examples/14-costs.ts");
  const { exitCode, stdout, stderr } = await call(["run", file], { timeoutMs: 110_000 });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });

  const rows = stdout.split("\n").filter((line) => /^│ +\d+ /.test(line));
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatch(/14-costs\.ts:5\)' +│ 200 +│ 800\d{6} /);
  for (const step of ["serialise", "queue", "transfer", "run", "fetch"]) expect(stdout).toContain(` ${step} `);

  const line =
    readFileSync(file, "utf8")
      .split("\n")
      .findIndex((text) => text.includes("// advice:")) + 1;
  expect(stdout.match(/rule: '[\w-]+'/g)).toEqual(["rule: 'large-argument'"]);
  expect(stdout).toContain(`where: '${file}:${line}'`);
  expect(stdout).toContain("what: 'the same argument of 8 MB was sent with 100 tasks'");
  expect(stdout).toContain("cost: '800 MB moved'");
  expect(stdout).toContain("const ref = await put(value)");
  const [, workerHours, price] = /\{ workerHours: ([\d.e-]+), price: ([\d.e-]+) \}\n$/.exec(stdout) ?? [];
  expect(Number(workerHours)).toBeGreaterThan(0);
  expect(Number(price)).toBeCloseTo(Number(workerHours) * 0.05, 10);
}, 120_000);
