/**
 * Bytes behind typed arrays. Views that overlap in one ArrayBuffer must share it again in the worker; one view of a big
 * buffer must not take the rest along. So the ranges in use are collected first, and cut when all are known.
 */
import type { BufferPlan, Make } from "./portable.js";

/** From this size on, bytes are moved by the engine and not copied into the message. */
export const largeBytes = 64 * 1024;

interface Range {
  readonly start: number;
  readonly end: number;
  readonly value: ArrayBufferView | ArrayBuffer;
  /** Puts the finished `make` into its node. */
  readonly settle: (make: Make) => void;
}

export class Buffers {
  readonly #ranges = new Map<ArrayBuffer, Range[]>();

  /** Takes note of a view or a whole buffer. */
  add(value: ArrayBufferView | ArrayBuffer, settle: (make: Make) => void): void {
    const whole = value instanceof ArrayBuffer;
    const buffer = whole ? value : (value.buffer as ArrayBuffer);
    const start = whole ? 0 : value.byteOffset;
    const ranges = this.#ranges.get(buffer) ?? [];
    this.#ranges.set(buffer, ranges);
    ranges.push({ start, end: start + value.byteLength, value, settle });
  }

  /** Cuts the buffers into what is sent. */
  finish(): { plans: BufferPlan[]; large: (ArrayBufferView | ArrayBuffer)[] } {
    const plans: BufferPlan[] = [];
    const large: (ArrayBufferView | ArrayBuffer)[] = [];
    for (const [buffer, ranges] of this.#ranges) {
      for (const group of overlapping(ranges)) {
        const start = Math.min(...group.map((range) => range.start));
        const end = Math.max(...group.map((range) => range.end));
        for (const range of group) range.settle(makeOf(range, plans.length, start));
        if (end - start >= largeBytes) {
          const [only] = group;
          const whole = end - start === buffer.byteLength ? buffer : new Uint8Array(buffer, start, end - start);
          plans.push(large.length);
          large.push(group.length === 1 && only ? only.value : whole);
        } else plans.push(new Uint8Array(buffer, start, end - start));
      }
    }
    return { plans, large };
  }
}

function overlapping(ranges: readonly Range[]): Range[][] {
  const groups: Range[][] = [];
  let end = -1;
  for (const range of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = groups.at(-1);
    if (last && range.start < end) last.push(range);
    else groups.push([range]);
    end = Math.max(end, range.end);
  }
  return groups;
}

function makeOf({ value, start }: Range, buffer: number, base: number): Make {
  if (value instanceof ArrayBuffer) return ["buffer", buffer];
  const type = Buffer.isBuffer(value) ? "Buffer" : Object.prototype.toString.call(value).slice("[object ".length, -1);
  const length = type === "DataView" ? value.byteLength : (value as Uint8Array).length;
  return ["view", type, buffer, start - base, length];
}
