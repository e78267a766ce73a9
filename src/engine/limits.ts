/** How long somebody waits: until a time-out passes or a signal aborts. */
import { CancelledError, TimeoutError } from "../common/index.js";
import type { WaitLimits } from "./engine.js";

/** Nobody gives up. */
export const forEver: WaitLimits = Object.freeze({ timeoutMs: undefined, signal: undefined });

/** The longest that a timer of JavaScript waits, ms; a longer one ends at once. */
const longestTimer = 2 ** 31 - 1;

/** Calls once after any length of time; the function it returns takes it back. */
export function after(ms: number, call: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (left: number) => {
    timer = left > longestTimer ? setTimeout(() => wait(left - longestTimer), longestTimer) : setTimeout(call, left);
  };
  wait(ms);
  return () => clearTimeout(timer);
}

/** Rejects after a time-out or when the signal aborts; `stop` takes both back. */
export function limited(
  limits: WaitLimits,
  what: string,
  reject: (error: Error) => void,
  pending: () => string,
): () => void {
  const { timeoutMs, signal } = limits;
  const stopTimer =
    timeoutMs === undefined
      ? () => {}
      : after(timeoutMs, () => {
          reject(
            new TimeoutError(`${what} waited ${timeoutMs / 1e3} s: ${pending()}. The tasks go on.`, {
              task: what,
              seconds: timeoutMs / 1e3,
            }),
          );
        });
  const abort = () => {
    reject(
      new CancelledError(`${what} was aborted by its signal: ${pending()}. The tasks go on.`, {
        task: what,
        cause: signal!.reason,
      }),
    );
  };
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  return () => {
    stopTimer();
    signal?.removeEventListener("abort", abort);
  };
}
