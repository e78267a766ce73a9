/** What the programs of this user hold in objects, seen from outside: for `girona doctor`. */
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { segmentBytes } from "../codec/index.js";
import { alive, userDirectory } from "./directory.js";

/** One program with open clusters, or what one that was killed has left. */
export interface Holding {
  readonly pid: number;
  /** Without its directories; empty when it runs no more. */
  readonly command: string;
  readonly alive: boolean;
  /** Open clusters. */
  readonly sessions: number;
  /** Stored objects of 64 KiB and more; smaller ones travel in messages. */
  readonly objects: number;
  readonly memoryBytes: number;
  readonly fileBytes: number;
}

/** Of every program of this user with the same TMPDIR. Linux only: elsewhere nothing is known of other programs' files. */
export function holdings(): Holding[] {
  const parent = userDirectory();
  return readdirSync(parent).flatMap((name) => {
    const pid = Number(name);
    const directory = join(parent, name);
    return Number.isInteger(pid) && existsSync(directory) ? [holding(pid, directory)] : [];
  });
}

function holding(pid: number, directory: string): Holding {
  let [objects, memoryBytes, fileBytes] = [0, 0, 0];
  const seen = new Set<string>();
  const add = (path: string, inMemory: boolean): void => {
    const { dev, ino, size } = statSync(path);
    // Two descriptors may lead to one file; and what is smaller is a page for messages.
    if (size < segmentBytes || seen.has(`${dev}:${ino}`)) return;
    seen.add(`${dev}:${ino}`);
    objects++;
    if (inMemory) memoryBytes += size;
    else fileBytes += size;
  };
  const files = list(directory);
  for (const path of files.filter((one) => statOr(one)?.isFile())) attempt(() => add(path, false));
  const open = list(`/proc/${pid}/fd`);
  for (const path of open) {
    attempt(() => {
      const target = readlinkSync(path);
      if (target.startsWith("/memfd:girona")) add(path, true);
      else if (target.startsWith(directory)) add(path, false);
    });
  }
  const command = attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")) ?? "";
  const words = command.split("\0").filter(Boolean);
  return {
    pid,
    command: words.map((word) => word.slice(word.lastIndexOf("/") + 1)).join(" "),
    alive: alive(pid),
    sessions: readdirSync(directory).length,
    objects,
    memoryBytes,
    fileBytes,
  };
}

const statOr = (path: string) => attempt(() => statSync(path));

/** All files below, or none where the directory has gone. */
function list(directory: string): string[] {
  return (attempt(() => readdirSync(directory, { recursive: true, encoding: "utf8" })) ?? []).map((name) =>
    join(directory, name),
  );
}

/** Programs come and go while one looks. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
