/** Statuses, read from the memory that the addon writes. */
import { facts, statusBlock } from "./addon.js";
import type { Status } from "./types.js";

export class ReceivedStatus implements Status {
  source: number;
  tag: number;
  count: number;
  bytes: number;
  cancelled: boolean;
  constructor(source = facts?.anySource ?? -1, tag = facts?.anyTag ?? -1, count = 0, bytes = 0, cancelled = false) {
    this.source = source;
    this.tag = tag;
    this.count = count;
    this.bytes = bytes;
    this.cancelled = cancelled;
  }
}

/** The status of the call that has just returned. */
export function lastStatus(): Status {
  const status = statusBlock;
  return new ReceivedStatus(status[0]!, status[1]!, status[2]!, status[3]!, status[4] !== 0);
}

/** Fills in a status that the caller brought. */
export function fillStatus(given: Status | undefined): void {
  if (given !== undefined) Object.assign(given, lastStatus());
}
