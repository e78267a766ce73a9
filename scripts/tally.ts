/** Prints the closing line of `.ci/run` from what was recorded and from the exit codes given as arguments. */
import { closingLine, total } from "./common.ts";

const counts = total();
for (const failure of counts.failures ?? []) console.log(`FAILED: ${failure}`);
const { line, ok } = closingLine(counts, process.argv.slice(2).map(Number));
console.log(line);
process.exitCode = ok ? 0 : 1;
