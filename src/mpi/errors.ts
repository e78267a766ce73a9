/** The errors of MPI calls, and the checks that are made before MPI is asked. */
import { MpiError, UsageError } from "../common/index.js";
import { facts } from "./addon.js";

const noPeer = -1_000_000;

/** Throws an error of MPI's: the addon calls it. */
export function throwMpiError(
  operation: string,
  errorClass: string,
  code: number,
  text: string,
  peer: number = noPeer,
): never {
  const known = peer !== noPeer && peer >= 0;
  const where = facts ? ` on rank ${facts.rank} of ${facts.size}` : "";
  throw new MpiError(`${operation}${known ? ` with rank ${peer}` : ""} failed${where}: ${text} (${errorClass})`, {
    class: errorClass as `MPI_ERR_${string}`,
    errorCode: code,
    operation,
    peer: peer === noPeer ? undefined : peer,
  });
}

/** Throws an error about a parameter: the addon calls it, too. */
export function throwUsageError(operation: string, parameter: string, text: string): never {
  throw new UsageError(`${operation}: ${parameter} ${text}`, { parameter });
}

/** The number itself, if it is a whole one of 32 bits: the addon would take another for 0. */
export function whole(operation: string, parameter: string, value: unknown): number {
  if (typeof value === "number" && (value | 0) === value) return value;
  throwUsageError(operation, parameter, `must be a whole number, not ${shown(value)}`);
}

/** Whole numbers from 0 on, one for each of `length`. */
export function counts(operation: string, parameter: string, values: readonly number[], length: number): Float64Array {
  if (!Array.isArray(values) && !ArrayBuffer.isView(values))
    throwUsageError(operation, parameter, `must be a list of ${length} numbers, not ${shown(values)}`);
  if (values.length !== length)
    throwUsageError(operation, parameter, `has ${values.length} numbers, but there are ${length} ranks`);
  for (const value of values)
    if (!Number.isSafeInteger(value) || value < 0)
      throwUsageError(operation, parameter, `must be whole numbers from 0 on, not ${shown(value)}`);
  return Float64Array.from(values);
}

/** Whole numbers of 32 bits. */
export function integers(operation: string, parameter: string, values: readonly number[]): Float64Array {
  if (!Array.isArray(values)) throwUsageError(operation, parameter, `must be a list of numbers, not ${shown(values)}`);
  for (const value of values) whole(operation, parameter, value);
  return Float64Array.from(values);
}

export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "object" && value !== null ? `a ${value.constructor?.name ?? "object"}` : String(value);
}
