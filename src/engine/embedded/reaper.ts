/**
 * A small process that outlives a killed driver: it ends the workers' process groups, with whatever tasks have started in
 * them, and removes the driver's directory. It hears of each worker over a pipe, and acts when the pipe ends.
 */
import { type ChildProcess, spawn } from "node:child_process";

// POSIX sh. `+ PID` and `- PID` on stdin; the directories to remove are arguments.
const script = `
live=" "
while read -r what pid; do
  case $what in
    +) live="$live$pid " ;;
    -) live="\${live%% $pid *} \${live#* $pid }" ;;
  esac
done
for pid in $live; do kill -9 "-$pid" 2>/dev/null; done
rm -rf -- "$1"
rmdir -- "$2" 2>/dev/null
`;

export class Reaper {
  readonly #child: ChildProcess | undefined;

  /** `directory` is removed, and `parent` if it is empty then. */
  constructor(directory: string, parent: string) {
    if (process.platform === "win32") return;
    // In a session of its own: what ends the driver's whole group must not end this one.
    this.#child = spawn("/bin/sh", ["-c", script, "girona-reaper", directory, parent], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    this.#child.on("error", () => {});
    this.#child.stdin!.on("error", () => {});
    this.#child.unref();
    (this.#child.stdin as unknown as { unref(): void }).unref();
  }

  watch(pid: number): void {
    this.#child?.stdin?.write(`+ ${pid}\n`);
  }

  forget(pid: number): void {
    this.#child?.stdin?.write(`- ${pid}\n`);
  }

  /** Everything is closed already: it finds nothing to do, and ends. */
  close(): void {
    this.#child?.stdin?.end();
  }
}

/** Ends a process and all that it started, as far as they stayed in its group. */
export function killGroup(pid: number, signal: NodeJS.Signals): void {
  if (pid <= 0) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // Nothing is left of it.
  }
}
