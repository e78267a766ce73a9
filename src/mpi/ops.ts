/** Operations: MPI's, as the addon numbers them, and those of the program. */
import type { TypedArray } from "../common/index.js";
import { addon } from "./addon.js";
import { shown, throwUsageError } from "./errors.js";
import type { Op } from "./types.js";

type Combine<T> = (a: T, b: T) => T;

const names = [
  "SUM",
  "PROD",
  "MAX",
  "MIN",
  "LAND",
  "LOR",
  "LXOR",
  "BAND",
  "BOR",
  "BXOR",
  "MAXLOC",
  "MINLOC",
  "REPLACE",
  "NO_OP",
];

export class Operation<T> implements Op<T> {
  readonly name: string;
  readonly commutative: boolean;
  readonly #combine: Combine<T>;
  #number: number | undefined;

  constructor(name: string, combine: Combine<T>, commutative: boolean) {
    this.name = name;
    this.#combine = combine;
    this.commutative = commutative;
    const own = names.indexOf(name);
    this.#number = own < 0 ? undefined : own;
  }

  apply(a: T, b: T): T {
    return this.#combine(a, b);
  }

  /** What the addon knows it by; one of the program's own is made known when it is first used on typed arrays. */
  get number(): number {
    this.#number ??= register(this as unknown as Operation<never>);
    return this.#number;
  }
}

// MPI has no data for a function of ours, so that the addon has a table of them, and it is not endless.
const dropped = new FinalizationRegistry<number>((number) => addon.freeOperation(number));

function register(op: Operation<never>): number {
  // Without a hold on the operation itself, which may be collected.
  const apply = Operation.prototype.apply;
  const held = new WeakRef(op);
  const combine = (a: TypedArray, b: TypedArray, per: number) => {
    const live = held.deref()!;
    if (per === 1) {
      for (let i = 0; i < b.length; i++) b[i] = apply.call(live, a[i] as never, b[i] as never) as never;
      return;
    }
    for (let i = 0; i < b.length; i += per) {
      const pair = apply.call(live, a.subarray(i, i + per) as never, b.subarray(i, i + per) as never) as number[];
      b[i] = pair[0]!;
      b[i + 1] = pair[1]!;
    }
  };
  const number = addon.createOperation(combine as never, op.commutative);
  if (number < 0)
    throwUsageError(
      "op",
      "op",
      "is one too many: at most 64 operations of one's own are alive; make each once and use it again",
    );
  dropped.register(op, number);
  return number;
}

/** The number of an operation that a caller gave, `MPI.SUM` by default. */
export function numberOf(operation: string, op: Op<never> | undefined): number {
  if (op === undefined) return 0;
  if (op instanceof Operation) return op.number;
  throwUsageError(operation, "op", `must be one such as MPI.SUM, or made by MPI.op, not ${shown(op)}`);
}

/** The operation itself, for values of any kind. */
export function operationOf<T>(operation: string, op: Op<T> | undefined): Operation<T> {
  if (op instanceof Operation) return op as Operation<T>;
  throwUsageError(operation, "op", `must be one such as MPI.SUM, or made by MPI.op, not ${shown(op)}`);
}

const own = <T>(name: string, combine: Combine<T>): Op<T> => new Operation(name, combine, true);
type Numeric = number | bigint;
type Located = readonly [value: number, rank: number];
// `+` and the like are one operation for both kinds; mixing them throws, as it should.
const arithmetic = (combine: (a: number, b: number) => number) => combine as unknown as Combine<Numeric>;
// Not Math.max, which knows no bigint.
const larger: Combine<Numeric> = (a, b) => {
  if (b > a) return b;
  return a;
};
const smaller: Combine<Numeric> = (a, b) => {
  if (b < a) return b;
  return a;
};
const logical = (combine: (a: boolean, b: boolean) => boolean): Combine<number | boolean> => {
  return (a, b) => {
    const result = combine(Boolean(a), Boolean(b));
    return typeof a === "boolean" ? result : Number(result);
  };
};

export const operations = {
  SUM: own(
    "SUM",
    arithmetic((a, b) => a + b),
  ),
  PROD: own(
    "PROD",
    arithmetic((a, b) => a * b),
  ),
  MAX: own("MAX", larger),
  MIN: own("MIN", smaller),
  LAND: own(
    "LAND",
    logical((a, b) => a && b),
  ),
  LOR: own(
    "LOR",
    logical((a, b) => a || b),
  ),
  LXOR: own(
    "LXOR",
    logical((a, b) => a !== b),
  ),
  BAND: own(
    "BAND",
    arithmetic((a, b) => a & b),
  ),
  BOR: own(
    "BOR",
    arithmetic((a, b) => a | b),
  ),
  BXOR: own(
    "BXOR",
    arithmetic((a, b) => a ^ b),
  ),
  MAXLOC: own<Located>("MAXLOC", (a, b) => (a[0] > b[0] || (a[0] === b[0] && a[1] <= b[1]) ? a : b)),
  MINLOC: own<Located>("MINLOC", (a, b) => (a[0] < b[0] || (a[0] === b[0] && a[1] <= b[1]) ? a : b)),
  REPLACE: own<unknown>("REPLACE", (_, b) => b),
  NO_OP: own<unknown>("NO_OP", (a) => a),
};

export function makeOperation<T>(combine: Combine<T>, options?: { commutative?: boolean | undefined }): Op<T> {
  if (typeof combine !== "function") throwUsageError("op", "combine", `must be a function, not ${shown(combine)}`);
  return new Operation(combine.name || "op", combine, options?.commutative ?? false);
}
