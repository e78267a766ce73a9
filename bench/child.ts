/** One measurement in a process of its own, of which nothing remains afterwards. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

export type Measured = Readonly<Record<string, number | string>>;

export interface ChildResult {
  readonly figures: Measured;
  /** Processes that were still there some seconds after the child had ended, and were stopped. */
  readonly leftBehind: number;
}

let running: { process: ChildProcess; mark: string; scratch: string } | undefined;

/** Runs the command at the root of the repository; resolves to the last line of JSON it printed. */
export async function runChild(command: readonly string[], timeoutMs: number): Promise<ChildResult> {
  // Short: the sockets that Ray makes in it must fit in 107 characters.
  const scratch = mkdtempSync(join(tmpdir(), "gb-"));
  const mark = `GIRONA_BENCH=${scratch}`;
  const child = spawn(command[0]!, command.slice(1), {
    cwd: root,
    detached: true, // a process group of its own, which a time-out can end as a whole
    env: { ...process.env, TMPDIR: scratch, GIRONA_BENCH: scratch, GIRONA_ENGINE: "embedded" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running = { process: child, mark, scratch };
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-10_000);
  });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child);
  }, timeoutMs);
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
    // Not only "close": a process left behind may hold the pipes open.
    if (!child.stdout.closed) await Promise.race([once(child, "close"), sleep(2_000)]);
    if (timedOut) throw new Error(`not done after ${timeoutMs / 1000} s`);
    if (code !== 0) throw new Error(`ended with ${signal ?? `code ${code}`}: ${reason(errors)}`);
    const line = output.split("\n").findLast((text) => text.startsWith("{"));
    if (line === undefined) throw new Error("printed no figures");
    const figures = JSON.parse(line) as Measured;
    return { figures, leftBehind: await endLeftBehind(mark) };
  } finally {
    clearTimeout(timer);
    await endLeftBehind(mark);
    running = undefined;
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** For an interrupted run: ends the child that is running now and removes what it made. */
export function abandonChild(): void {
  if (running === undefined) return;
  killGroup(running.process);
  for (const pid of markedProcesses(running.mark)) kill(pid);
  rmSync(running.scratch, { recursive: true, force: true });
}

/** The line that says what went wrong: the last one naming an error, else the last. */
function reason(errors: string): string {
  const lines = errors
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.findLast((line) => /^\w*(Error|Exception)\b/.test(line)) ?? lines.at(-1) ?? "no message";
}

/** Gives the processes a child started 5 s to end by themselves, then ends them; resolves to how many that were. */
async function endLeftBehind(mark: string): Promise<number> {
  const deadline = performance.now() + 5_000;
  let left = markedProcesses(mark);
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(50);
    left = markedProcesses(mark);
  }
  for (const pid of left) kill(pid);
  return left.length;
}

/** Processes whose environment at their start held the mark, so descendants of the child and no others. */
function markedProcesses(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        // A zombie's is empty: it counts as gone.
        return readFileSync(`/proc/${name}/environ`, "latin1").split("\0").includes(mark);
      } catch {
        return false; // gone, or not ours to read
      }
    })
    .map(Number);
}

function killGroup(child: ChildProcess): void {
  if (child.pid !== undefined) kill(-child.pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // gone already
  }
}
