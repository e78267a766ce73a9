// @ts-nocheck
import { test } from "vitest";
import { core } from "./core.ts";
import { typescript } from "./typescript.ts";

for (const cases of [core, typescript]) {
  test(cases.name, async () => {
    const harness = await import(process.env.CAPTURE_HARNESS as string);
    await cases(harness);
    harness.finish();
  });
}
