/**
 * Waiting without blocking. MPI tells nobody that a call has ended: it must be asked. While something happened lately, that is
 * between any two turns of the event loop; later by a timer, at longer and longer intervals, so that an idle program is idle.
 */

/** Something waited for: `check` says that it has happened, and tells whoever waits. */
export interface Waiting {
  check(): boolean;
}

/** How long an `await` asks again and again before it lets other work run, in µs: what a message between two cores takes. */
export const spinMicros = 10;
const eagerMs = 2;
const longestDelayMs = 20;

let waiting: Waiting[] = [];
let scheduled = false;
let lastSuccess = 0;

/** Asks for it until it has happened. The process stays alive for it. */
export function watch(one: Waiting): void {
  waiting.push(one);
  lastSuccess = performance.now();
  if (scheduled) return;
  scheduled = true;
  setImmediate(poll);
}

function poll(): void {
  // Whoever is told may begin to wait for the next thing meanwhile.
  const asked = waiting;
  waiting = [];
  const still = asked.filter((one) => !one.check());
  if (still.length < asked.length) lastSuccess = performance.now();
  waiting = still.concat(waiting);
  if (waiting.length === 0) {
    scheduled = false;
    return;
  }
  const idle = performance.now() - lastSuccess;
  if (idle < eagerMs) setImmediate(poll);
  else setTimeout(poll, Math.min(longestDelayMs, Math.max(1, idle / 16)));
}
