/** A cgroup with a memory limit: what runs in it and takes more is killed by the kernel. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { waitFor } from "../../support/index.ts";

export interface MemoryGroup {
  /** The same command, to be run in the group. */
  command(command: readonly string[]): string[];
  /** How often the kernel has killed for lack of memory. */
  kills(): number;
}

/** Version 2 has one tree for all, version 1 one for each controller. */
const trees = [
  { root: "/sys/fs/cgroup/memory", limit: "memory.limit_in_bytes", events: "memory.oom_control" },
  { root: "/sys/fs/cgroup", limit: "memory.max", events: "memory.events" },
] as const;
type Tree = (typeof trees)[number];

let found: Tree | undefined | null = null;

/** The tree in which groups with a memory limit can be made here, if there is one. */
export function memoryGroupsAt(): Tree | undefined {
  if (found === null) found = trees.find(usable);
  return found;
}

function usable(tree: Tree): boolean {
  const path = join(tree.root, `girona-test-probe-${process.pid}`);
  try {
    mkdirSync(path);
  } catch {
    return false;
  }
  try {
    return existsSync(join(path, tree.limit));
  } finally {
    rmdirSync(path);
  }
}

let made = 0;

/** A new group, removed after the test with all that still runs in it. */
export function memoryGroup(bytes: number): MemoryGroup {
  const tree = memoryGroupsAt()!;
  const path = join(tree.root, `girona-test-${process.pid}-${++made}`);
  const members = join(path, "cgroup.procs");
  mkdirSync(path);
  onTestFinished(async () => {
    await waitFor(`${path} to be empty`, () => {
      const pids = readFileSync(members, "utf8").trim().split("\n").filter(Boolean);
      for (const pid of pids) {
        try {
          process.kill(Number(pid), "SIGKILL");
        } catch {
          // It has ended.
        }
      }
      return pids.length === 0;
    });
    rmdirSync(path);
  });
  writeFileSync(join(path, tree.limit), String(bytes));
  return {
    // `node` is the binary that runs the tests, as in `run`.
    command: ([name = "", ...args]) => [
      "sh",
      "-c",
      `echo $$ > ${members} && exec "$@"`,
      "sh",
      name === "node" ? process.execPath : name,
      ...args,
    ],
    kills: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(path, tree.events), "utf8"))?.[1]),
  };
}
