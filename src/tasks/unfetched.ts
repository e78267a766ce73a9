/** Failures that nobody fetched: told at the end, because a lost error is worse than a late one. */
import { isGironaError } from "../common/index.js";
import type { Engine } from "../engine/index.js";

const shown = 5;

export function reportUnfetched(engine: Engine, print: (line: string) => void): void {
  const errors = [...new Set(engine.unfetched.values())].filter((error) => !isGironaError(error, "Cancelled"));
  engine.unfetched.clear();
  if (errors.length === 0) return;
  const tasks =
    errors.length === 1
      ? "1 task failed, and nobody fetched its result"
      : `${errors.length} tasks failed, and nobody fetched their results`;
  print(`girona: ${tasks}:`);
  for (const error of errors.slice(0, shown)) print(`  ${error.message}`);
  if (errors.length > shown) print(`  and ${errors.length - shown} more`);
}
