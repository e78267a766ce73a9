import { execFileSync } from "node:child_process";
import { constants } from "node:os";
import { expect, test } from "vitest";
import { needs, run, tempDir, waitFor } from "../support/index.ts";
import { left, program } from "./support/index.ts";

const CtrlC = "\x03";
const CtrlBackslash = "\x1c";

/** After these words of the program; without an action the window is closed. */
interface Step {
  readonly after: string;
  readonly type?: string;
  readonly signal?: number;
}

let python: boolean | undefined;
function hasPython(): boolean {
  try {
    execFileSync("python3", ["-c", "import os, pty; os.waitstatus_to_exitcode"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function ending(how: string, steps: readonly Step[], what: "girona" | "plain", directory: string) {
  const { stdout } = await run(
    [
      "python3",
      "test/faults/programs/terminal.py",
      JSON.stringify(steps),
      process.execPath,
      program("ends-somehow"),
      how,
      what,
    ],
    { env: { TMPDIR: directory } },
  );
  return { status: /^status (.*)$/m.exec(stdout)?.[1] ?? stdout, stdout };
}

test.each<[string, string, readonly Step[], string]>([
  ["Ctrl-C", "wait", [{ after: "ready", type: CtrlC }], "signal 2"],
  ["Ctrl-C in the middle of an endless loop", "busy", [{ after: "ready", type: CtrlC }], "signal 2"],
  ["Ctrl-C twice at once", "wait", [{ after: "ready", type: CtrlC + CtrlC }], "signal 2"],
  [
    "Ctrl-C twice where the first one is its own",
    "second",
    [
      { after: "ready", type: CtrlC },
      { after: "once more", type: CtrlC },
    ],
    "signal 2",
  ],
  ["Ctrl-C that closes the cluster", "close", [{ after: "ready", type: CtrlC }], "exit 4"],
  ["Ctrl-C again while it closes the cluster", "close", [{ after: "ready", type: CtrlC + CtrlC + CtrlC }], "any"],
  ["Ctrl-C with a handler for one time, set before the cluster,", "early", [{ after: "ready", type: CtrlC }], "exit 4"],
  [
    "Ctrl-C that it ignores, and SIGTERM",
    "ignore",
    [
      { after: "ready", type: CtrlC },
      { after: "ignored", type: CtrlC },
      { after: "ignored", signal: constants.signals.SIGTERM },
    ],
    "signal 15",
  ],
  ["Ctrl-\\", "wait", [{ after: "ready", type: CtrlBackslash }], "signal 3"],
  ["the window that is closed", "wait", [{ after: "ready" }], "signal 1"],
  ["SIGTERM", "wait", [{ after: "ready", signal: constants.signals.SIGTERM }], "signal 15"],
  ["an uncaught exception", "throw", [], "exit 1"],
  ["a rejection that nobody handles", "reject", [], "exit 1"],
  ["an exception that it catches last of all", "caught", [], "exit 9"],
  ["process.exit()", "exit", [], "exit 7"],
  ["process.abort()", "abort", [], "signal 6"],
])("%s ends a program on a terminal as without girona, and nothing is left", async (_, how, steps, status) => {
  python ??= hasPython();
  needs("needs Python 3.9 or newer with its module pty", python);
  const directory = tempDir();
  const [withGirona, without] = await Promise.all([
    ending(how, steps, "girona", directory),
    ending(how, steps, "plain", tempDir()),
  ]);
  // Which of the two wins is not said.
  if (status === "any") expect(["exit 4", "signal 2"]).toContain(withGirona.status);
  else {
    expect(without.status, without.stdout).toBe(status);
    expect(withGirona.status, withGirona.stdout).toBe(status);
  }
  await waitFor("all of it to be gone", () => left(directory).length === 0).catch((error: Error) => {
    throw new Error(`${error.message}; there is still:\n${left(directory).join("\n")}`);
  });
});
