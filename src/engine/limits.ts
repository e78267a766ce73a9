/** How long somebody waits: until a time-out passes or a signal aborts. */
import { CancelledError, TimeoutError } from "../common/index.js";
import type { WaitLimits } from "./engine.js";

/** Nobody gives up. */
export const forEver: WaitLimits = Object.freeze({ timeoutMs: undefined, signal: undefined });

/** Rejects after a time-out or when the signal aborts; `stop` takes both back. */
export function limited(
  limits: WaitLimits,
  what: string,
  reject: (error: Error) => void,
  pending: () => string,
): () => void {
  const { timeoutMs, signal } = limits;
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          reject(
            new TimeoutError(`${what} waited ${timeoutMs / 1e3} s: ${pending()}. The tasks go on.`, {
              task: what,
              seconds: timeoutMs / 1e3,
            }),
          );
        }, timeoutMs);
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
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  };
}
