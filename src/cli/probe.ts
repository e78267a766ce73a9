/** Looking for programs and asking them, with a time limit. */
import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The whole of `doctor` takes no longer than this and a little, ms. */
export const longestMs = 2500;

/** What was found of one thing. */
export interface Finding {
  readonly state: "ok" | "missing" | "broken";
  readonly version?: string | undefined;
  readonly path?: string | undefined;
  /** In words, beside version and path. */
  readonly detail?: string | undefined;
  /** The number itself, for cores and bytes. */
  readonly value?: number | undefined;
}

/** The first of these programs on the PATH. */
export function onPath(...names: readonly string[]): string | undefined {
  for (const name of names) {
    for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
      const path = join(folder, name);
      if (folder !== "" && isProgram(path)) return path;
    }
  }
  return undefined;
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export interface Said {
  readonly ok: boolean;
  readonly text: string;
  /** Why not, in a few words. */
  readonly why: string;
}

/** Runs a program and gives what it printed; never rejects, never takes longer than the limit. */
export function ask(program: string, ...args: readonly string[]): Promise<Said> {
  return new Promise((resolve) => {
    const options = { timeout: longestMs, killSignal: "SIGKILL", maxBuffer: 1 << 24 } as const;
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const text = `${stdout}\n${stderr}`.trim();
      const late = error?.killed ? `did not answer within ${longestMs / 1e3} s` : undefined;
      resolve({ ok: !error, text, why: late ?? (lastLine(stderr) || (error?.message.split("\n")[0] ?? "")) });
    });
    child.stdin?.end();
  });
}

export function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}

/** The first match's first group. */
export function find(text: string, pattern: RegExp): string | undefined {
  return pattern.exec(text)?.[1];
}
