/** Reductions over every kind of array by every operation: what mpi4py gives (reference/reductions.py). */
import type { TypedArray } from "../../../src/common/index.ts";
import { type Comm, MPI, type Op } from "../../../src/mpi/index.ts";
import { arrayOf, filled, groupOf, type Kind, kinds, range, same, turns } from "./behaviour.ts";
import { groupsOf } from "./both-forms.ts";
import reference from "./reference/reductions.json" with { type: "json" };

type Row = readonly (number | string)[];
interface Case {
  /** For sums and products, which must not overflow; the others use `values`. */
  readonly small?: readonly Row[];
  readonly values: readonly Row[];
  readonly results: Readonly<Record<string, readonly Row[] | undefined>>;
}
type AnyOp = Op<unknown>;

const group = "reductions, with the results of mpi4py";
const behaviour = groupOf(group);
const both = groupsOf(group, `${group}, by requests`);
const cases = reference as unknown as Readonly<Record<string, Case>>;

const operations = ["SUM", "PROD", "MAX", "MIN", "LAND", "LOR", "LXOR", "BAND", "BOR", "BXOR"] as const;
const named = (name: string): AnyOp => MPI[name as "SUM"] as AnyOp;

/** Without a sign of zero, which depends on the order in which ranks are combined. */
function listOf(array: TypedArray): (number | bigint)[] {
  return Array.from(array as ArrayLike<number | bigint>, (x) => (typeof x === "number" ? x + 0 : x));
}
const arrayFrom = (kind: Kind, row: Row): TypedArray =>
  arrayOf(
    kind,
    row.map((x) => (kind === BigInt64Array || kind === BigUint64Array ? BigInt(x) : Number(x) + 0)),
  );

interface Sample {
  readonly kind: Kind;
  readonly mine: TypedArray;
  /** Of the ranks from 0 to this one. */
  upTo(rank: number): (number | bigint)[];
}

/** Every kind of array that the operation takes, with this rank's values. */
function samplesOf(name: string, comm: Comm): Sample[] {
  return kinds.flatMap((kind) => {
    const { small = [], values: wide, results } = cases[kind.name]!;
    const rows = results[name];
    if (!rows) return [];
    const values = name === "SUM" || name === "PROD" ? small : wide;
    return [{ kind, mine: arrayFrom(kind, values[comm.rank]!), upTo: (rank) => listOf(arrayFrom(kind, rows[rank]!)) }];
  });
}

for (const name of operations) {
  behaviour(`Allreduce by ${name}, for every kind of array`, (comm) => {
    for (const { kind, mine, upTo } of samplesOf(name, comm)) {
      const result = filled(kind, mine.length, 99);
      comm.Allreduce(mine, result, { op: named(name) });
      same(listOf(result), upTo(comm.size - 1), kind.name);
    }
  });

  behaviour(`Reduce by ${name} to every root, for every kind of array`, (comm) => {
    for (const [root, { kind, mine, upTo }] of turns(comm, samplesOf(name, comm))) {
      const result = comm.rank === root ? filled(kind, mine.length, 99) : null;
      comm.Reduce(mine, result, { op: named(name), root });
      if (result) same(listOf(result), upTo(comm.size - 1), kind.name);
    }
  });

  behaviour(`Scan by ${name}, for every kind of array`, (comm) => {
    for (const { kind, mine, upTo } of samplesOf(name, comm)) {
      const result = filled(kind, mine.length, 99);
      comm.Scan(mine, result, { op: named(name) });
      same(listOf(result), upTo(comm.rank), kind.name);
    }
  });

  behaviour(`Exscan by ${name}, for every kind of array`, (comm) => {
    for (const { kind, mine, upTo } of samplesOf(name, comm)) {
      const result = filled(kind, mine.length, 99);
      comm.Exscan(mine, result, { op: named(name) });
      if (comm.rank > 0) same(listOf(result), upTo(comm.rank - 1), kind.name);
      else same(listOf(result), listOf(filled(kind, mine.length, 99)), kind.name);
    }
  });

  behaviour(`Reduce_scatter_block by ${name}, for every kind of array`, (comm) => {
    // A sample has six elements or more: one for each rank.
    for (const { kind, mine, upTo } of samplesOf(name, comm)) {
      const part = filled(kind, 1, 99);
      const sent = filled(kind, comm.size, 0);
      for (let i = 0; i < comm.size; i++) sent.set(mine.subarray(i, i + 1) as never, i);
      comm.Reduce_scatter_block(sent, part, { op: named(name) });
      same(listOf(part), upTo(comm.size - 1).slice(comm.rank, comm.rank + 1), kind.name);
    }
  });
}

both("Allreduce", "by each operation, one request each, for every kind of array", async (comm) => {
  for (const name of operations)
    for (const { kind, mine, upTo } of samplesOf(name, comm)) {
      const result = filled(kind, mine.length, 99);
      await comm.Allreduce(mine, result, { op: named(name) });
      same(listOf(result), upTo(comm.size - 1), `${name} ${kind.name}`);
    }
});

both("Scan", "and Exscan by SUM and MAX, one request each, for every kind of array", async (comm) => {
  for (const name of ["SUM", "MAX"])
    for (const { kind, mine, upTo } of samplesOf(name, comm)) {
      const [upToMe, beforeMe] = [filled(kind, mine.length, 9), filled(kind, mine.length, 9)];
      await comm.Scan(mine, upToMe, { op: named(name) });
      await comm.Exscan(mine, beforeMe, { op: named(name) });
      same(listOf(upToMe), upTo(comm.rank), `${name} ${kind.name}`);
      if (comm.rank > 0) same(listOf(beforeMe), upTo(comm.rank - 1), `${name} ${kind.name}`);
    }
});

// --- complex numbers and pairs -------------------------------------------------------------------------------------

type Viewed = Float64Array | Float32Array;
const complexKinds = [Float64Array, Float32Array] as const;

for (const name of ["SUM", "PROD"] as const)
  behaviour(`Allreduce, Scan and Reduce by ${name} of complex numbers`, (comm) => {
    for (const kind of complexKinds) {
      const { values, results } = cases[`complex ${kind.name}`]!;
      const rowOf = (rank: number): unknown => listOf(arrayFrom(kind, results[name]![rank]!));
      const mine = MPI.complex(arrayFrom(kind, values[comm.rank]!) as Viewed);
      const result = arrayFrom(kind, values[0]!) as Viewed;
      comm.Allreduce(mine, MPI.complex(result), { op: MPI[name] });
      same(listOf(result), rowOf(comm.size - 1), kind.name);
      comm.Scan(mine, MPI.complex(result), { op: MPI[name] });
      same(listOf(result), rowOf(comm.rank), kind.name);
      comm.Reduce(mine, comm.rank === 0 ? MPI.complex(result) : null, { op: MPI[name] });
      if (comm.rank === 0) same(listOf(result), rowOf(comm.size - 1), kind.name);
    }
  });

// Every kind that holds a rank and the sample's values, negative ones too.
const pairKinds = [Float64Array, Float32Array, Int32Array, Int16Array, Int8Array] as const;

for (const name of ["MAXLOC", "MINLOC"] as const) {
  const { values, results } = cases["pairs"]!;
  behaviour(`Allreduce and Reduce by ${name} of pairs, ties to the lower rank`, (comm) => {
    for (const kind of pairKinds) {
      const mine = MPI.pairs(arrayFrom(kind, values[comm.rank]!) as Float64Array);
      const result = filled(kind, 8, 0) as Float64Array;
      comm.Allreduce(mine, MPI.pairs(result), { op: MPI[name] });
      same(listOf(result), results[name]![comm.size - 1], kind.name);
      comm.Reduce(mine, comm.rank === 0 ? MPI.pairs(result.fill(0)) : null, { op: MPI[name] });
      if (comm.rank === 0) same(listOf(result), results[name]![comm.size - 1], kind.name);
    }
  });

  behaviour(`Scan and Exscan by ${name} of pairs`, (comm) => {
    for (const kind of pairKinds) {
      const mine = MPI.pairs(arrayFrom(kind, values[comm.rank]!) as Float64Array);
      const result = filled(kind, 8, 7) as Float64Array;
      comm.Scan(mine, MPI.pairs(result), { op: MPI[name] });
      same(listOf(result), results[name]![comm.rank], kind.name);
      comm.Exscan(mine, MPI.pairs(result), { op: MPI[name] });
      same(listOf(result), results[name]![Math.max(0, comm.rank - 1)], kind.name);
    }
  });
}

// --- lower case ----------------------------------------------------------------------------------------------------

interface ValueCase {
  readonly values: readonly unknown[];
  readonly results: readonly unknown[];
}
for (const [name, { values, results }] of Object.entries(reference.values as Readonly<Record<string, ValueCase>>)) {
  behaviour(`reduce, allreduce, scan and exscan of values by ${name}`, (comm) => {
    const [op, mine] = [named(name), values[comm.rank]];
    for (let root = 0; root < comm.size; root++)
      same(comm.reduce(mine, { op, root }), comm.rank === root ? results[comm.size - 1] : undefined);
    same(comm.allreduce(mine, { op }), results[comm.size - 1]);
    same(comm.scan(mine, { op }), results[comm.rank]);
    same(comm.exscan(mine, { op }), comm.rank === 0 ? undefined : results[comm.rank - 1]);
  });
}

behaviour("an operation can be called itself, with the results of mpi4py", (_comm) => {
  for (const [name, { values, results }] of Object.entries(reference.values as Readonly<Record<string, ValueCase>>))
    for (const i of range(values.length - 1)) same(named(name).apply(results[i], values[i + 1]), results[i + 1], name);
});
