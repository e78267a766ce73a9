/** Checks of what callers give: the error names the parameter, what was given, and what is accepted. */
import { dtypeOf, nearest, UsageError } from "../common/index.js";

/** A `UsageError`: `parameter: help.` */
export function usage(parameter: string, help: string): UsageError {
  return new UsageError(`${parameter}: ${help}.`, { parameter });
}

/** @throws UsageError for an option that there is not, naming the one that was probably meant */
export function checkNames(call: string, options: unknown, accepted: readonly string[]): void {
  if (typeof options !== "object" || options === null)
    throw usage("options", `${show(options)} was given to ${call}; it takes an object of options`);
  for (const name of Object.keys(options)) {
    if (accepted.includes(name)) continue;
    const near = nearest(name, accepted);
    const hint = near ? `did you mean ${near}?` : `there are ${accepted.join(", ")}`;
    throw new UsageError(`${name}: ${call} has no such option; ${hint}`, { parameter: name });
  }
}

/** @throws UsageError unless it is a list of whole numbers, each from `least` on */
export function checkLengths(parameter: string, given: unknown, least = 0): asserts given is readonly number[] {
  if (!Array.isArray(given) || !given.every((length) => Number.isSafeInteger(length) && length >= least))
    throw usage(parameter, `${show(given)} was given; it takes a list of whole numbers from ${least}, one per axis`);
  if (given.length > 32) throw usage(parameter, `${given.length} axes were given; HDF5 has at most 32`);
}

/** @throws UsageError unless it is a text that can name something in a file */
export function checkPath(parameter: string, given: unknown): asserts given is string {
  if (typeof given !== "string" || given === "")
    throw usage(parameter, `${show(given)} was given; it takes a path such as "run/temperature"`);
  if (!given.isWellFormed()) throw usage(parameter, `${show(given)} has half a surrogate pair, which has no UTF-8`);
  if (given.includes("\0")) throw usage(parameter, 'a path cannot contain "\\0"');
}

/** @throws UsageError unless it is a whole number from `least` on */
export function checkWhole(parameter: string, given: unknown, least = 0): asserts given is number {
  if (!Number.isSafeInteger(given) || (given as number) < least)
    throw usage(parameter, `${show(given)} was given; it takes a whole number from ${least}`);
}

/** A value in the words of a message. */
export function show(given: unknown): string {
  if (typeof given === "string") return JSON.stringify(given.length > 60 ? `${given.slice(0, 57)}...` : given);
  if (typeof given === "bigint") return `${given}n`;
  if (Array.isArray(given)) {
    const shown = given.slice(0, 8).map(show).join(", ");
    return given.length > 8 ? `[${shown}, ... ${given.length} in all]` : `[${shown}]`;
  }
  if (ArrayBuffer.isView(given)) {
    const name = Object.prototype.toString.call(given).slice(8, -1);
    return `a ${name}${dtypeOf(given) ? ` of ${(given as Uint8Array).length}` : ""}`;
  }
  if (typeof given === "object" && given !== null) return "an object";
  return typeof given === "function" ? "a function" : String(given);
}

/** `[2, 3]`, as messages show a shape. */
export const showShape = (shape: readonly (number | null)[]): string =>
  `[${shape.map((length) => length ?? "unlimited").join(", ")}]`;
