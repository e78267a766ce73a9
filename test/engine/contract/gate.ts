/**
 * What tasks of the tests do to be seen and to be held up: files say that a task has begun, and let it go on. Nothing depends
 * on how long anything takes.
 */
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** A task that is never let go ends by itself, so that nothing is left of a test that failed. */
const longest = 60_000;

/** Holds up the whole process, as a long computation would. */
export function blockUntil(file: string): void {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (const end = Date.now() + longest; !existsSync(file) && Date.now() < end; ) Atomics.wait(cell, 0, 0, 5);
}

/** Holds up the one task; its process answers meanwhile. */
export async function waitUntil(file: string): Promise<void> {
  for (const end = Date.now() + longest; !existsSync(file) && Date.now() < end; ) await pause(5);
}

/** Says which process a task is in. */
export function sign(file: string): void {
  writeFileSync(`${file}.new`, String(process.pid));
  // Whoever waits for the file must find it complete.
  renameSync(`${file}.new`, file);
}
