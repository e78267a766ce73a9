/** From `cluster()` to the first result, each time in a new process. */
import { execFileSync } from "node:child_process";
import { report, sizesFromArguments } from "../case.ts";
import { median } from "../stats.ts";

const { repeats } = sizesFromArguments<{ repeats: number }>();
const program = new URL("first-result.mjs", import.meta.url).pathname;
const times = Array.from({ length: repeats }, () => {
  const lines = execFileSync(process.execPath, [program], { encoding: "utf8" }).trim().split("\n");
  return Number(lines.at(-1));
});
report({ start: median(times) });
