import { TestRunner } from "vitest";

/**
 * States, as the first line of a test (or in a `beforeEach`), what the machine must have for it. Without it the test is
 * skipped, and the end of the run prints `SKIPPED: reason`; under `CI=true` the test fails instead, so that nothing is
 * skipped unseen.
 *
 * @param reason what is missing and how to get it: `"needs sbatch: apt-get install slurm-wlm"`
 */
export function needs(reason: string, condition: boolean): void {
  if (condition) return;
  if (process.env["CI"] === "true") throw new Error(`${reason} (under CI=true a skip is a failure)`);
  const test = TestRunner.getCurrentTest();
  if (!test) throw new Error("needs() is called inside a test or a beforeEach");
  test.context.skip(reason);
}
