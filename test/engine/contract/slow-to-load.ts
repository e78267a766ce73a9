/** A module that takes long to load, though not in the tests themselves. */
import { setTimeout } from "node:timers/promises";

if (!("__vitest_worker__" in globalThis)) await setTimeout(1500);

export function slowToLoad(x: number): number {
  return x + 1;
}
