/** What importing a package costs above an empty program. */
import { execFileSync } from "node:child_process";
import { median } from "./stats.ts";

/** Median of `repeats` new processes that import it, less the median of as many that do nothing, in turn. In ms. */
export function importCost(specifier: string, repeats: number): number {
  const run = (source: string) => {
    const start = performance.now();
    execFileSync(process.execPath, ["--input-type=module", "--eval", source]);
    return performance.now() - start;
  };
  const bare: number[] = [];
  const withImport: number[] = [];
  for (let i = 0; i < repeats; i++) {
    bare.push(run(""));
    withImport.push(run(`import ${JSON.stringify(specifier)};`));
  }
  return median(withImport) - median(bare);
}
