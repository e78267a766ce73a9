/** The one directory of a driver, `$TMPDIR/girona-<uid>/<pid>`, and what dead drivers left beside it. */
import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineError } from "../../common/index.js";

export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The parent of all drivers' directories of this user; nobody else may read or write it. */
export function userDirectory(): string {
  const uid = process.getuid?.() ?? 0;
  const path = join(tmpdir(), `girona-${uid}`);
  try {
    mkdirSync(path, { mode: 0o700, recursive: true });
    const stat = lstatSync(path);
    if (!stat.isDirectory() || (process.getuid && stat.uid !== uid) || (stat.mode & 0o077) !== 0) {
      throw new Error("it is not a directory of this user alone (mode 0700)");
    }
  } catch (error) {
    throw new EngineError(
      `The working directory ${path} cannot be used: ${(error as Error).message}. Remove it, or set TMPDIR to another place.`,
      {
        engine: "embedded",
        address: undefined,
        cause: error,
      },
    );
  }
  return path;
}

/** Removes what drivers left that were killed; returns their directories. */
export function sweep(parent: string): string[] {
  const swept: string[] = [];
  for (const name of readdirSync(parent)) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid || alive(pid)) continue;
    const path = join(parent, name);
    rmSync(path, { recursive: true, force: true });
    swept.push(path);
  }
  return swept;
}

let sessions = 0;

/** A directory for one session of this driver; `remove` also takes the driver's own away with the last of them. */
export function sessionDirectory(): { readonly path: string; readonly driver: string; remove(): void } {
  const parent = userDirectory();
  sweep(parent);
  const driver = join(parent, String(process.pid));
  const path = join(driver, String(++sessions));
  mkdirSync(path, { mode: 0o700, recursive: true });
  return {
    path,
    driver,
    remove() {
      rmSync(path, { recursive: true, force: true });
      try {
        rmdirSync(driver);
      } catch {
        // Another session of this driver is still open.
      }
    },
  };
}
