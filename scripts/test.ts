/** `make test`: the whole suite on this Node.js, then the core's tests on the others that are supported. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { type Counts, execute, inCI, record, root } from "./common.ts";

/** What the other versions run: where a change of Node.js would show (serialization, processes, file descriptors). The tests
 * of capture start the other versions themselves. */
const core =
  process.env["GIRONA_FULL"] === "1"
    ? ["test/engine", "test/tasks", "test/random"]
    : ["values", "copies", "tasks", "nested", "actors", "exits"].map((group) => `test/engine/embedded-${group}`);
const others = ["24", "26"];
/** Tests that start the other versions themselves. */
const notOnOthers = "--exclude=**/every-version-of-node-*";
/** So that one hanging suite cannot use up the time of CI. */
const limitMs = process.env["GIRONA_FULL"] === "1" ? 3_600_000 : 600_000;

let failed = false;
const total = { passed: 0, failed: 0, skipped: 0 };
await suite("tests", "node", []);
for (const version of others) {
  const binary = `.cache/node/${version}/bin/node`;
  if (existsSync(join(root, binary))) await suite(`tests-node${version}`, binary, [...core, notOnOthers]);
  else
    skip(`tests-node${version}`, `the tests of the core on Node.js ${version}, which could not be downloaded from npm`);
}
console.log(`All suites: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = failed ? 1 : 0;

async function suite(name: string, binary: string, filters: readonly string[]): Promise<void> {
  const outputFile = join(root, `.cache/${name}.json`);
  rmSync(outputFile, { force: true });
  const command = [binary, "node_modules/vitest/vitest.mjs", "run", ...filters, `--outputFile.json=${outputFile}`];
  const { exitCode } = await execute(command, { show: true, timeoutMs: limitMs });
  const counts = existsSync(outputFile) ? count(outputFile) : { passed: 0, failed: 1, skipped: 0 };
  // Files that do not load and errors outside of tests fail a run without a failed test.
  const unseen = exitCode !== 0 && counts.failed === 0 ? 1 : 0;
  const skips = inCI ? counts.skipped : 0;
  if (skips > 0) console.log(`FAILED: ${skips} skipped tests under CI=true`);
  const told = {
    passed: counts.passed,
    failed: counts.failed + unseen + skips,
    skipped: counts.skipped - skips,
    failures: counts.failures ?? [],
  };
  for (const key of ["passed", "failed", "skipped"] as const) total[key] += told[key];
  record(name, told);
  if (exitCode !== 0 || skips > 0) failed = true;
}

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

function count(file: string): Counts {
  const report: Report = JSON.parse(readFileSync(file, "utf8"));
  const failures = report.testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message ? [`${relative(root, name)}: ${message}`] : []),
    ...assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => `${relative(root, name)}: ${fullName}: ${failureMessages.join("\n")}`),
  ]);
  return {
    failures,
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function skip(name: string, what: string): void {
  console.log(`SKIPPED: ${what}${inCI ? " (under CI=true a skip is a failure)" : ""}`);
  total[inCI ? "failed" : "skipped"]++;
  record(name, { passed: 0, failed: inCI ? 1 : 0, skipped: inCI ? 0 : 1 });
  if (inCI) failed = true;
}
