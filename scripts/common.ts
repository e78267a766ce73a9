/** What the scripts share: where the project is, running a command, and the results that the closing line of .ci/run adds up. */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the project. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Under `CI=true` a skip is a failure. */
export const inCI = process.env["CI"] === "true";

export interface Ended {
  readonly exitCode: number;
  /** Both streams, in the order they were written; empty when they went to the terminal. */
  readonly output: string;
  readonly seconds: number;
}

/** Runs a command in the root of the project, to its end. `node` is this Node.js. */
export function execute(
  command: readonly string[],
  options: { show?: boolean; timeoutMs?: number; env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const [name = "", ...args] = command;
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn(name === "node" ? process.execPath : name, args, {
      cwd: root,
      env: options.env ?? process.env,
      stdio: ["ignore", options.show ? "inherit" : "pipe", options.show ? "inherit" : "pipe"],
      timeout: options.timeoutMs,
      killSignal: "SIGKILL",
    });
    let output = "";
    const end = (exitCode: number) => resolve({ exitCode, output, seconds: (performance.now() - start) / 1000 });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.on("error", (error) => {
      output += `${error.message}\n`;
      end(127);
    });
    child.on("close", (exitCode, signal) => {
      if (signal) output += `ended by ${signal}${signal === "SIGKILL" ? " (too slow?)" : ""}\n`;
      end(exitCode ?? 1);
    });
  });
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What failed and with which words, so that the end of a long log tells it. */
  readonly failures?: readonly string[];
}

const results = join(root, ".cache/results");

/** Keeps the counts of one part of a run for `tally.ts`. */
export function record(part: string, counts: Counts): void {
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, `${part}.json`), JSON.stringify(counts));
}

/** The counts recorded since `.cache/results` was removed, added up. */
export function total(): Counts {
  mkdirSync(results, { recursive: true });
  const parts = readdirSync(results).map((file): Counts => JSON.parse(readFileSync(join(results, file), "utf8")));
  const sum = (key: "passed" | "failed" | "skipped") => parts.reduce((all, part) => all + part[key], 0);
  return {
    passed: sum("passed"),
    failed: sum("failed"),
    skipped: sum("skipped"),
    failures: parts.flatMap((part) => part.failures ?? []),
  };
}

/** The last line of `.ci/run`. Commands that broke off before they could count a failure are failures as well. */
export function closingLine(counts: Counts, exitCodes: readonly number[]): { line: string; ok: boolean } {
  const uncounted = counts.failed === 0 ? exitCodes.filter((code) => code !== 0).length : 0;
  const nothingRan = counts.passed + counts.failed + uncounted === 0 ? 1 : 0;
  const failed = counts.failed + uncounted + nothingRan;
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
  return { line: `${counts.passed} passed, ${failed} failed${skipped}`, ok: failed === 0 };
}

/** `file:line: what is wrong`, one a line, and exit code 1 when there is any. */
export function report(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
