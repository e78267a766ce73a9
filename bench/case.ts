/** What the cases on Node share: their sizes from the command line, their cluster, their one line of output. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The same for every case: two worker processes and nothing else. */
export const twoWorkers = { workers: 2, engine: "embedded", dashboard: false } as const;

/** Times 10,000 tasks before timing: until V8 has compiled what they use, a rate is several times lower. */
export const warmUps = 5;

/** The sizes `run.ts` gave, as JSON in the argument at `position`. */
export function sizesFromArguments<S>(position = 2): S {
  const text = process.argv[position];
  if (text === undefined) throw new Error("give the sizes as JSON, such as '{\"count\":1000}'");
  return JSON.parse(text) as S;
}

/** Prints the figures as the one JSON line that `run.ts` reads. */
export function report(figures: Readonly<Record<string, number | string>>): void {
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

/** Runs it and says how long that took, in ms. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A wrong result must not make a fast figure. */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`expected ${expected}, got ${actual}`);
}

/** Process ids of the Node processes that `parent` started. */
export function nodeChildren(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        // The command in parentheses may hold spaces: the parent's id is the second field after the last parenthesis.
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const ppid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
        return ppid === parent && readlinkSync(`/proc/${pid}/exe`) === readlinkSync("/proc/self/exe");
      } catch {
        return false; // gone meanwhile
      }
    });
}

/** Resident and proportional memory of a process in MB (1e6 bytes). */
export function memoryOf(pid: number): { rss: number; pss: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const field = (name: string) => (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(rollup)![1]) * 1024) / 1e6;
  return { rss: field("Rss"), pss: field("Pss") };
}
