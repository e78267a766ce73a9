import { expect, test } from "vitest";
import { run, tempDir } from "../support/index.ts";
import { nothingLeft, program } from "./support/index.ts";

interface Told {
  readonly code: string;
  readonly message: string;
}

test("when no worker starts any more, whoever waits is told why, and so is whoever calls then", async () => {
  const directory = tempDir();
  const { stdout, exitCode } = await run(["node", program("cannot-start-workers")], { env: { TMPDIR: directory } });
  expect(exitCode).toBe(0);
  const { outcomes, later, actor } = JSON.parse(stdout) as { outcomes: Told[]; later: Told; actor: Told };
  expect(outcomes.length).toBe(3);
  for (const { code, message } of [...outcomes, later, actor]) {
    expect(code).toBe("Engine");
    // With what Node.js said.
    expect(message).toMatch(/Workers do not start: .*(?:exit code 9).*no-such-option/s);
  }
  await nothingLeft(directory);
});
