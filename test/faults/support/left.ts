/** What is left of a program: every process that has inherited its temporary directory, and every file there. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { alive } from "../../engine/contract/open.ts";
import { waitFor } from "../../support/index.ts";

/** Processes that run with `TMPDIR` set to this directory. Nobody else has it, so these are the program's and its children's. */
export function processesOf(directory: string): number[] {
  const variable = `TMPDIR=${directory}`;
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || !alive(pid)) return [];
    try {
      return readFileSync(`/proc/${name}/environ`, "latin1").split("\0").includes(variable) ? [pid] : [];
    } catch {
      // Ended meanwhile.
      return [];
    }
  });
}

/** Processes, by their command lines, and files; both empty when all is cleaned up. */
export function left(directory: string): string[] {
  const own = join(directory, `girona-${process.getuid!()}`);
  const processes = processesOf(directory).map((pid) => {
    try {
      return `${pid}: ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").slice(0, 200)}`;
    } catch {
      return String(pid);
    }
  });
  const files = existsSync(own) ? readdirSync(own, { recursive: true }).map((name) => join(own, String(name))) : [];
  return [...processes, ...files];
}

/** The reaper outlives the program by a moment. */
export async function nothingLeft(directory: string): Promise<void> {
  await waitFor("nothing to be left", () => left(directory).length === 0).catch(() => {});
  expect(left(directory)).toEqual([]);
}
