import type { Reporter, TestCase } from "vitest/node";

/** Prints one line for each reason why tests were skipped, at the very end where nobody overlooks it. */
export class SkippedReporter implements Reporter {
  readonly #tests = new Map<string, number>();

  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    if (result.state !== "skipped") return;
    const reason = result.note ?? `${test.fullName} gives no reason`;
    this.#tests.set(reason, (this.#tests.get(reason) ?? 0) + 1);
  }

  onTestRunEnd(): void {
    for (const [reason, tests] of this.#tests)
      console.log(`SKIPPED: ${reason} (${tests} test${tests === 1 ? "" : "s"})`);
  }
}
