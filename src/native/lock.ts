/**
 * One build at a time in a cache, on a shared file system too. The lock only saves work: a build is renamed into its place when
 * it is complete, so two at once do no harm either.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** The holder touches the lock this often. */
const beatMs = 2000;
/** Without a beat for so long, a holder on another host is taken for dead. */
const deadMs = 30_000;
const pollMs = 50;

const named = (pid: string | number, host: string): string => `process ${pid} on ${host}`;
const own = named(process.pid, hostname());

/** Runs `work` while holding `<folder>/lock-<name>`; `waits` is told once whom it waits for. */
export async function withLock<T>(
  folder: string,
  name: string,
  work: () => Promise<T>,
  waits: (holder: string) => void = () => {},
): Promise<T> {
  const lock = join(folder, `lock-${name}`);
  let told = false;
  while (!take(lock)) {
    const holder = holderOf(lock);
    if (!holder.alive) {
      discard(lock);
      continue;
    }
    if (!told) waits(holder.name);
    told = true;
    await setTimeout(pollMs);
  }
  const beat = setInterval(() => {
    try {
      utimesSync(lock, new Date(), new Date());
    } catch {
      // Taken for dead, after a long halt of this process. The work goes on, see above.
    }
  }, beatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    if (holderOf(lock).name === own) rmSync(lock, { recursive: true, force: true });
  }
}

/** Making a folder is atomic on NFS too, which opening a file exclusively was not always. */
function take(lock: string): boolean {
  try {
    mkdirSync(lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  writeFileSync(join(lock, "holder"), `${process.pid} ${hostname()}`);
  return true;
}

function holderOf(lock: string): { name: string; alive: boolean } {
  const age = ageMs(lock);
  let text = "";
  try {
    text = readFileSync(join(lock, "holder"), "utf8");
  } catch {
    // Just being made or removed, or its maker died in between.
  }
  const [pid, host] = text.split(" ");
  if (!pid || !host) return { name: "another process", alive: age < deadMs };
  return { name: named(pid, host), alive: host === hostname() ? isRunning(Number(pid)) : age < deadMs };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** By the clock of the file system, which may differ from ours. */
function ageMs(lock: string): number {
  const probe = `${lock}-clock-${hostname()}-${process.pid}`;
  try {
    writeFileSync(probe, "");
    return statSync(probe).mtimeMs - statSync(lock).mtimeMs;
  } catch {
    return 0;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Renamed first, which only one of several can do that see a dead holder. */
function discard(lock: string): void {
  const away = `${lock}-dead-${hostname()}-${process.pid}`;
  try {
    renameSync(lock, away);
  } catch {
    return;
  }
  rmSync(away, { recursive: true, force: true });
}
