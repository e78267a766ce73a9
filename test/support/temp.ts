import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished, TestRunner } from "vitest";

/** A new empty directory, removed after the test; called outside of a test (at the top of a file), after the file. */
export function tempDir(): string {
  const directory = mkdtempSync(join(tmpdir(), "girona-test-"));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  if (TestRunner.getCurrentTest()) onTestFinished(remove);
  else afterAll(remove);
  return directory;
}
