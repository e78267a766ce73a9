/** A module that takes long to load in a worker, and no time in the tests themselves. */
import { setTimeout } from "node:timers/promises";

if (process.env["VITEST_WORKER_ID"] === undefined || process.argv[1]?.includes("/dist/")) await setTimeout(1000);

export function slowToLoad(x: number): number {
  return x + 1;
}
