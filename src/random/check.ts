/** Checks of what callers give: the error names the parameter, what was given, and what is accepted. */
import { showBytes, UsageError } from "../common/index.js";

/** A whole number from 0 to 2**53 - 1: a seed, an index, a length, a position. */
export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Throws the `UsageError`. */
export function refuse(parameter: string, given: unknown, help: string): never {
  throw new UsageError(`${parameter}: ${show(given)} was given; it takes ${help}.`, { parameter });
}

/** @throws UsageError unless it is neither infinite nor NaN nor something else. */
export function checkFinite(parameter: string, value: unknown): void {
  if (!Number.isFinite(value)) refuse(parameter, value, "a finite number");
}

/**
 * Elements `start` to `start + count - 1` must have positions that numbers hold exactly.
 *
 * @throws UsageError otherwise.
 */
export function checkRange(start: number, count: number): void {
  if (!isWhole(start) || !isWhole(start + count)) {
    refuse("start", start, `a whole number from 0 such that start + ${count} is at most 2**53 - 1`);
  }
}

/**
 * An array of `length` zeros.
 *
 * @throws UsageError when the length is no whole number, or more than one array can hold here.
 */
export function allocate<T>(Kind: { new (length: number): T; readonly BYTES_PER_ELEMENT: number }, length: number): T {
  if (!isWhole(length)) refuse("length", length, "a whole number, 0 or more");
  try {
    return new Kind(length);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const size = showBytes(length * Kind.BYTES_PER_ELEMENT);
    const message = `length: ${length} numbers (${size}) do not fit in one array here; make them in parts, a call each.`;
    throw new UsageError(message, { parameter: "length", cause });
  }
}

function show(given: unknown): string {
  if (typeof given === "string") return JSON.stringify(given);
  if (typeof given === "bigint") return `${given}n`;
  return typeof given === "object" && given !== null ? "an object" : String(given);
}
