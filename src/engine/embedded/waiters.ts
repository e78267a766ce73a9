/** What waits for records: one object for a whole `get`, however many references it has. */
import { TimeoutError } from "../../common/index.js";
import type { WaitLimits } from "../engine.js";
import { limited } from "../limits.js";
import type { Record, Waiter } from "./record.js";

/** Resolves when all are ready, rejects with the first failure. */
export function allSettled(records: readonly Record[], limits: WaitLimits, what: string): Promise<void> | undefined {
  let remaining = 0;
  for (const record of records) {
    if (record.error) return Promise.reject(record.error);
    if (!record.settled) remaining++;
  }
  if (remaining === 0) return undefined;
  const total = records.length;
  return new Promise<void>((resolve, reject) => {
    const stop = limited(limits, what, reject, () => `${remaining} of ${total} not there`);
    const waiter: Waiter = {
      settled(record) {
        if (record.error) {
          stop();
          reject(record.error);
        } else if (--remaining === 0) {
          stop();
          resolve();
        }
      },
    };
    for (const record of records) if (!record.settled) record.tell(waiter);
  });
}

/** Resolves when `count` are settled, or at the time-out. */
export function someSettled(
  records: readonly Record[],
  count: number,
  limits: WaitLimits,
  what: string,
): Promise<void> | undefined {
  let missing = count;
  for (const record of records) if (record.settled) missing--;
  if (missing <= 0) return undefined;
  return new Promise<void>((resolve, reject) => {
    let over = false;
    const end = (error?: Error) => {
      over = true;
      stop();
      // A time-out is an answer here, not an error.
      if (error && !(error instanceof TimeoutError)) reject(error);
      else resolve();
    };
    const stop = limited(
      limits,
      what,
      (error) => queueMicrotask(() => end(error)),
      () => `${missing} more wanted`,
    );
    const waiter: Waiter = {
      settled() {
        if (!over && --missing === 0) end();
      },
    };
    for (const record of records) if (!record.settled) record.tell(waiter);
  });
}
