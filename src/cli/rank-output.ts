/**
 * What ranks of this host print, line by line. mpirun passes on whatever it has read, 4096 bytes say, so that the lines of two
 * ranks end up in one. Here each rank writes into two pipes of its own, and only whole lines go on.
 */
import { execFileSync } from "node:child_process";
import { constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A line that is not ended within this time, a question say, is shown as it is. */
const patienceMs = 100;

export interface RankOutput {
  /** Stands before the rank's command: a shell that leads its output into its pipes and becomes the command. */
  readonly prefix: readonly string[];
  /** Passes on what is left, once all ranks have ended. */
  close(): void;
}

/** @returns `undefined` where there are no named pipes */
export function rankOutput(ranks: number): RankOutput | undefined {
  const folder = mkdtempSync(join(tmpdir(), "girona-ranks-"));
  const pipes = Array.from({ length: ranks }, (_, rank) => [
    { path: join(folder, `out.${rank}`), to: process.stdout },
    { path: join(folder, `err.${rank}`), to: process.stderr },
  ]).flat();
  try {
    execFileSync("mkfifo", ["-m", "600", ...pipes.map(({ path }) => path)], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  const readers = pipes.map(({ path, to }) => new LineReader(path, to));
  return {
    prefix: ["/bin/sh", "-c", redirect(folder), "sh"],
    close: () => {
      for (const reader of readers) reader.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The rank's number as Open MPI or Hydra gives it. */
function redirect(folder: string): string {
  const quoted = `'${folder.replaceAll("'", "'\\''")}'`;
  return `r=\${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; exec "$@" >${quoted}/out."$r" 2>${quoted}/err."$r"`;
}

class LineReader {
  readonly #file: number;
  readonly #socket: Socket;
  readonly #to: NodeJS.WriteStream;
  #begun: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, to: NodeJS.WriteStream) {
    this.#to = to;
    // For writing too: so that the pipe has a reader and a writer from the start, and no end while ranks come and go.
    this.#file = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    this.#socket = new Socket({ fd: this.#file, readable: true, writable: false });
    this.#socket.on("data", (bytes: Buffer) => this.#take(bytes));
  }

  #take(bytes: Buffer): void {
    clearTimeout(this.#timer);
    const end = bytes.lastIndexOf(10) + 1;
    if (end === 0) this.#begun.push(bytes);
    else {
      this.#to.write(Buffer.concat([...this.#begun, bytes.subarray(0, end)]));
      this.#begun = end < bytes.length ? [bytes.subarray(end)] : [];
    }
    if (this.#begun.length > 0) this.#timer = setTimeout(() => this.#pass(), patienceMs);
  }

  #pass(): void {
    if (this.#begun.length > 0) this.#to.write(Buffer.concat(this.#begun));
    this.#begun = [];
  }

  close(): void {
    this.#socket.pause();
    const rest = Buffer.alloc(65_536);
    try {
      for (let length = 1; length > 0; ) {
        length = readSync(this.#file, rest);
        this.#take(Buffer.from(rest.subarray(0, length)));
      }
    } catch {
      // EAGAIN: it is empty.
    }
    clearTimeout(this.#timer);
    this.#pass();
    this.#socket.destroy();
  }
}

/** What a program that looks for a terminal shall know of the launcher's: ranks write into pipes. */
export function colourSettings(): Record<string, string> {
  const { FORCE_COLOR, NO_COLOR } = process.env;
  if (!process.stdout.isTTY || FORCE_COLOR !== undefined || NO_COLOR !== undefined) return {};
  const level = { 1: "0", 4: "1", 8: "2", 24: "3" }[process.stdout.getColorDepth()] ?? "0";
  return { FORCE_COLOR: level };
}
