/** Starting compilers and asking them, for `girona build` alone: ranks start no process. */
import { execFile } from "node:child_process";

export interface Said {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it did not start, when it did not. */
  readonly problem: string | undefined;
}

/** Runs a program to its end; never rejects. `input` goes to its standard input. */
export function ask(program: string, args: readonly string[], input = "", env = process.env): Promise<Said> {
  return new Promise((resolve) => {
    // In English, which is what the messages are searched for.
    const options = {
      env: { ...env, LC_ALL: "C" },
      timeout: 300_000,
      killSignal: "SIGKILL",
      maxBuffer: 1 << 26,
    } as const;
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const started = error === null || typeof error.code === "number" || error.killed === true;
      const problem = started ? (error?.killed ? "did not end within 300 s" : undefined) : error.message;
      resolve({ ok: !error, stdout, stderr, problem });
    });
    // A program that ends without reading its input is judged by its exit code.
    child.stdin?.on("error", () => {}).end(input);
  });
}
