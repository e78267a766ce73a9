import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished, TestRunner } from "vitest";
import { waitFor } from "./wait.ts";

export interface RunOptions {
  /** Past this, the process and all it started are killed, and the promise rejects with the output so far. Default 30 s. */
  timeoutMs?: number;
  /** Default: the root of the project. */
  cwd?: string;
  /** On top of this process's own environment; `undefined` removes a variable. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Written to standard input, which is then closed. Default: nothing, closed at once. */
  input?: string;
}

/** How a process ended. `exitCode` is `null` when a signal ended it. */
export interface Finished {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process that runs in the background of a test. */
export interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  /** What it wrote so far, to both streams. */
  output(): string;
  /** Waits for the first match in what it wrote: `const [, port] = await server.matches(/port (\d+)/)`. */
  matches(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Kills the process alone; what it started must see to itself. */
  kill(signal?: NodeJS.Signals): void;
  readonly finished: Promise<Finished>;
}

/**
 * Runs a command to its end: `await run(["node", "dist/cli/main.js", "--version"])`. Does not throw for an exit code: the
 * test looks at it. `node` is the binary that runs the tests, also when these run on another version.
 */
export function run(command: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return start(command, options).finished;
}

/** Starts a command and returns at once. What is left of it when the test is over is killed. */
export function start(command: readonly string[], options: RunOptions = {}): Running {
  const [name = "", ...args] = command;
  const timeoutMs = options.timeoutMs ?? 30_000;
  const child = spawn(name === "node" ? process.execPath : name, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: "pipe",
    // A process group of its own, so that the deadline reaches its children too.
    detached: true,
  });
  const killGroup = () => {
    try {
      if (child.pid) process.kill(-child.pid, "SIGKILL");
    } catch {
      // All of it has ended.
    }
  };

  let stdout = "";
  let stderr = "";
  let both = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    both += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    both += text;
  });
  // A process that ends without reading its input is no error of the test.
  child.stdin.on("error", () => {}).end(options.input);

  const finished = new Promise<Finished>((resolve, reject) => {
    const timer = setTimeout(() => {
      killGroup();
      reject(new Error(`${command.join(" ")} still ran after ${timeoutMs / 1000} s; it wrote:\n${both}`));
    }, timeoutMs);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    // "close", not "exit": the output is complete then.
    child.on("close", (exitCode, signal) => {
      clearTimeout(timer);
      resolve({ exitCode, signal, stdout, stderr });
    });
  });
  // A test that never waits for the end must not fail with an unhandled rejection when the process is killed for it.
  finished.catch(() => {});
  if (TestRunner.getCurrentTest()) onTestFinished(killGroup);

  return {
    child,
    pid: child.pid ?? -1,
    output: () => both,
    matches: (pattern) =>
      waitFor(
        `${pattern} in the output of ${command.join(" ")}`,
        () => {
          const match = both.match(pattern);
          if (!match && child.exitCode !== null) throw new Error(`no ${pattern} in the output, which is:\n${both}`);
          return match;
        },
        { timeoutMs },
      ),
    kill: (signal = "SIGTERM") => void child.kill(signal),
    finished,
  };
}
