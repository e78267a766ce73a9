/** `make check`: everything about the code that needs no test to run. Prints the output of the steps that fail. */
import { availableParallelism } from "node:os";
import { execute, inCI, record } from "./common.ts";

const script = (name: string) => ["node", "--import", "tsx", `scripts/${name}.ts`];
const compiler = (name: string, project: string) => ["node", `node_modules/${name}/bin/tsc`, "-p", project];

const steps: Readonly<Record<string, readonly string[]>> = {
  "docs: links and snippets": script("check-docs"),
  "npm: what each module system finds (attw)": ["node_modules/.bin/attw", "--pack", ".", "--profile", "esm-only"],
  "types: src, tests, examples, bench, scripts": compiler("typescript", "tsconfig.test.json"),
  "types: public API under TypeScript 7.0": compiler("typescript", "tsconfig.types.json"),
  "types: public API under TypeScript 6.0": compiler("typescript-6", "tsconfig.types.json"),
  "types: public API under TypeScript 5.9": compiler("typescript-5.9", "tsconfig.types.json"),
  "lint and format (biome)": ["node_modules/.bin/biome", "check", "--error-on-warnings"],
  "arrows between the folders": script("check-arrows"),
  "exported names": script("check-exports"),
  "npm: package.json (publint)": ["node_modules/.bin/publint", "--strict"],
  "habits of text: no addresses, no fixed sleeps, no test left out": script("check-text"),
};

const waiting = Object.entries(steps);
let failed = 0;
async function work(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const [name, command] = step;
    const { exitCode, output, seconds } = await execute(command, { timeoutMs: 180_000 });
    console.log(`${exitCode === 0 ? "ok  " : "FAIL"} ${name} (${seconds.toFixed(1)} s)`);
    if (exitCode === 0) continue;
    failed++;
    console.log(output.replaceAll(/^/gm, "     "));
    console.log(`     again: ${command.join(" ")}\n`);
  }
}
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work));

record("check", { passed: Object.keys(steps).length - failed, failed, skipped: 0 });
if (!inCI) console.log(failed > 0 ? `${failed} of ${Object.keys(steps).length} checks failed` : "all checks passed");
process.exitCode = failed > 0 ? 1 : 0;
