/** What girona itself says goes to stderr, so that what a program prints for a pipe stays clean. */
import { writeSync } from "node:fs";

/** The process ends: what is written later than now is lost. */
let ending = false;
/** Longest wait for a reader of stderr at the end, ms. */
const lastWaitMs = 1000;

export function print(line: string): void {
  if (ending) printNow(`${line}\n`);
  else process.stderr.write(`${line}\n`);
}

/** From here on, what is printed is out when `print` returns. */
export function printAtOnce(): void {
  ending = true;
}

function printNow(text: string): void {
  const bytes = Buffer.from(text);
  const until = performance.now() + lastWaitMs;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(2, bytes, at);
    } catch (error) {
      // A full pipe of a slow reader; anything else means that nobody reads any more.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || performance.now() > until) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
