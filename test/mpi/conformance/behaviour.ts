/**
 * Behaviours of MPI that users of mpi4py count on, one sentence each. A rank runs each of them on four communicators; all
 * ranks must agree that it held. What MPI leaves open, and Open MPI and MPICH do differently, is said where it is.
 */
import assert from "node:assert/strict";
import { isGironaError, type TypedArray } from "../../../src/common/index.ts";
import type { Comm } from "../../../src/mpi/index.ts";

export interface Behaviour {
  readonly group: string;
  readonly name: string;
  readonly run: (comm: Comm) => void | Promise<void>;
}

export const behaviours: Behaviour[] = [];

/** How a group adds its behaviours: `const behaviour = groupOf("groups")`. */
export function groupOf(group: string): (name: string, run: Behaviour["run"]) => void {
  return (name, run) => {
    if (behaviours.some((one) => one.name === name)) throw new Error(`two behaviours are named "${name}"`);
    behaviours.push({ group, name, run });
  };
}

// --- arrays --------------------------------------------------------------------------------------------------------

export const kinds = [
  Float64Array,
  Float32Array,
  BigInt64Array,
  Int32Array,
  Int16Array,
  Int8Array,
  BigUint64Array,
  Uint32Array,
  Uint16Array,
  Uint8Array,
  Uint8ClampedArray,
] as const;
export type Kind = (typeof kinds)[number];

const isBig = (kind: Kind): kind is BigInt64ArrayConstructor | BigUint64ArrayConstructor =>
  kind === BigInt64Array || kind === BigUint64Array;

/** An array of this kind with these values. */
export function arrayOf(kind: Kind, values: readonly (number | bigint)[]): TypedArray {
  if (isBig(kind)) return kind.from(values.map(BigInt));
  return (kind as Float64ArrayConstructor).from(values.map(Number));
}

export function filled(kind: Kind, length: number, value: number): TypedArray {
  return arrayOf(kind, new Array<number>(length).fill(value));
}

export const numbersOf = (array: TypedArray): number[] => Array.from(array as ArrayLike<number | bigint>, Number);

/** `[0, 1, …, length - 1]`, or what `value` makes of them. */
export function range(length: number, value: (i: number) => number = (i) => i): number[] {
  return Array.from({ length }, (_, i) => value(i));
}

export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

// --- ranks ---------------------------------------------------------------------------------------------------------

/** The ranks before and after this one, in a ring. */
export function ring({ rank, size }: Comm): { next: number; previous: number } {
  return { next: (rank + 1) % size, previous: (rank + size - 1) % size };
}

/** Each of a list with another root, in turns. */
export function turns<T>({ size }: Comm, list: readonly T[]): [root: number, item: T][] {
  return list.map((item, i) => [i % size, item]);
}

/** Runs it with each rank as the root. */
export function eachRoot(comm: Comm, run: (root: number, isRoot: boolean) => void): void {
  for (let root = 0; root < comm.size; root++) run(root, comm.rank === root);
}

// --- checks --------------------------------------------------------------------------------------------------------

export const same: (actual: unknown, expected: unknown, message?: string) => void = assert.deepStrictEqual;
export const holds: (value: unknown, message?: string) => asserts value = assert.ok;

function isMpiError(error: unknown, classes: readonly string[]): void {
  if (!isGironaError(error, "Mpi")) throw new Error(`not an MpiError, but: ${error}`, { cause: error });
  const expected = classes.map((name) => `MPI_ERR_${name}`);
  if (!expected.includes(error.class)) throw new Error(`${error.class} instead of ${expected}: ${error.message}`);
}

const nothing = Symbol("nothing");
function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return nothing;
}

/** It throws an MpiError of this class (`"RANK"`), or of one of several where MPI leaves that open. */
export function failsWith(classes: string | readonly string[], run: () => unknown): void {
  const error = thrownBy(run);
  if (error === nothing) throw new Error(`no MPI_ERR_${classes}`);
  isMpiError(error, [classes].flat());
}

export async function rejectsWith(classes: string | readonly string[], promise: PromiseLike<unknown>): Promise<void> {
  const error = await promise.then(
    () => nothing,
    (reason: unknown) => reason,
  );
  if (error === nothing) throw new Error(`no MPI_ERR_${classes}`);
  isMpiError(error, [classes].flat());
}

/** It throws a UsageError, before MPI sees the call. */
export function isRefused(run: () => unknown): void {
  const error = thrownBy(run);
  if (error === nothing) throw new Error("it is not refused");
  if (!isGironaError(error, "Usage")) throw new Error(`not a UsageError, but: ${error}`, { cause: error });
}
