/** Makes a test of each behaviour. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../support/index.ts";
import { type Behaviour, Bench, perform } from "./behaviour.ts";
import { tables } from "./tables/index.ts";

export function describeTables(backend: "native" | "wasm"): void {
  const folder = tempDir();
  for (const { group, behaviours } of tables) {
    describe(group, () => {
      for (const [i, behaviour] of behaviours.entries()) {
        test(behaviour.name, () => {
          const own = join(folder, `${group}-${i}`);
          mkdirSync(own);
          const bench = new Bench(own);
          if (backend === "wasm" && behaviour.wasm !== true) refuses(behaviour, bench, behaviour.wasm);
          else perform(behaviour, bench);
          expect(bench.compared + (behaviour.wasm === true ? 0 : 1)).toBeGreaterThan(0);
        });
      }
    });
  }
}

/** The refusal says which HDF5 it is that cannot, and what is the matter. */
function refuses(behaviour: Behaviour, bench: Bench, words: RegExp): void {
  let thrown: unknown;
  try {
    perform(behaviour, bench);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: expect.stringMatching(/^(Usage|Hdf5)$/) });
  expect(String(thrown)).toMatch(words);
}
