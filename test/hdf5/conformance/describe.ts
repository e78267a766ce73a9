/** Makes a test of each behaviour. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../support/index.ts";
import { type Behaviour, Bench, perform } from "./behaviour.ts";
import { otherwise, tooLong } from "./otherwise-on-h5wasm.ts";
import { tables } from "./tables/index.ts";

export function describeTables(backend: "native" | "wasm"): void {
  const folder = tempDir();
  let refused = 0;
  for (const { group, behaviours } of tables) {
    describe(group, () => {
      for (const [i, behaviour] of behaviours.entries()) {
        if (backend === "wasm" && tooLong.has(`${group}: ${behaviour.name}`)) continue;
        const isOtherwise = backend === "wasm" && otherwise.has(`${group}: ${behaviour.name}`);
        test(isOtherwise ? `on h5wasm not: ${behaviour.name}` : behaviour.name, () => {
          const own = join(folder, `${group}-${i}`);
          mkdirSync(own);
          const bench = new Bench(own);
          if (isOtherwise) {
            // When this passes one day, it goes from the list.
            expect(() => perform(behaviour, bench)).toThrow();
            return;
          }
          const isDone = backend === "wasm" ? !isRefused(behaviour, bench) : perform(behaviour, bench);
          if (!isDone) refused++;
          expect(bench.compared > 0 || !isDone).toBe(true);
        });
      }
    });
  }
  test("most behaviours are shown, and not refused", () => {
    const all = tables.reduce((sum, { behaviours }) => sum + behaviours.length, 0);
    expect(refused).toBeLessThan(backend === "wasm" ? all / 3 : 1);
  });
}

/**
 * Does h5wasm refuse what the behaviour does? It may, if it says so: the refusal names h5wasm and the native HDF5. Whatever else
 * is not as with the native one fails.
 */
function isRefused(behaviour: Behaviour, bench: Bench): boolean {
  try {
    perform(behaviour, bench);
    return false;
  } catch (error) {
    const { message } = error as Error;
    // Where another error was expected, that is the message.
    const isUsage = (error as { code?: string }).code === "Usage" || message.includes("UsageError");
    if (isUsage && message.includes("h5wasm") && message.includes("native HDF5")) return true;
    throw error;
  }
}
