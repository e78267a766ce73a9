import { MPI } from "../../../src/mpi/index.ts";
import { unusual, values } from "./any-values.ts";
import { eachRoot, failsWith, groupOf, holds, isRefused, range, same, sum, turns } from "./behaviour.ts";

const behaviour = groupOf("collective calls on any value");
const all = [...values, ...unusual];

/** Each rank gives another value; over all rounds, every value is given by some rank. */
function inRounds(size: number, run: (given: readonly unknown[]) => void): void {
  for (let at = 0; at < all.length; at += size) run(range(size).map((rank) => all[(at + rank) % all.length]));
}

behaviour("barrier holds a rank until all have come", (comm) => {
  if (comm.rank > 0) comm.send(comm.rank, { dest: 0, tag: 91 });
  comm.barrier();
  if (comm.rank > 0) return;
  same(
    range(comm.size - 1)
      .map(() => comm.recv<number>({ tag: 91 }))
      .sort(),
    range(comm.size - 1, (i) => i + 1),
  );
});

behaviour("bcast gives every rank each of the root's values, for every root", (comm) => {
  for (const [root, value] of turns(comm, all))
    same(comm.bcast(comm.rank === root ? value : undefined, { root }), value);
});

behaviour("bcast without options is from rank 0", (comm) => {
  same(comm.bcast(comm.rank === 0 ? { a: 1 } : undefined), { a: 1 });
});

behaviour("bcast ignores what other ranks pass", (comm) => {
  const root = comm.size - 1;
  same(comm.bcast<unknown>(comm.rank === root ? "root's" : { of: comm.rank }, { root }), "root's");
});

behaviour("bcast gives the root its own value back", (comm) => {
  const value = { list: [1, 2] };
  const received = comm.bcast(comm.rank === 0 ? value : undefined);
  same(received, value);
  if (comm.rank > 0) received.list.push(comm.rank);
  comm.barrier();
  same(value.list, [1, 2]);
});

behaviour("gather gives the root the values in the order of the ranks, and others undefined", (comm) => {
  eachRoot(comm, (root, isRoot) => {
    const gathered = comm.gather({ rank: comm.rank, text: "x".repeat(comm.rank) }, { root });
    same(gathered, isRoot ? range(comm.size).map((rank) => ({ rank, text: "x".repeat(rank) })) : undefined);
  });
});

behaviour("gather carries every sort of value", (comm) => {
  inRounds(comm.size, (given) => same(comm.gather(given[comm.rank]), comm.rank === 0 ? given : undefined));
  same(comm.gather(all), comm.rank === 0 ? range(comm.size).map(() => all) : undefined);
});

behaviour("gather of values of very different size", (comm) => {
  const mine = new Float64Array(comm.rank * 20_000).fill(comm.rank);
  const gathered = comm.gather(mine);
  if (comm.rank === 0)
    same(
      gathered?.map((part, rank) => [part.length, part.every((x) => x === rank)]),
      range(comm.size).map((rank) => [rank * 20_000, true]),
    );
});

behaviour("scatter gives each rank its value, for every root", (comm) => {
  eachRoot(comm, (root, isRoot) => {
    const values = isRoot ? range(comm.size).map((rank) => ({ for: rank })) : undefined;
    same(comm.scatter(values, { root }), { for: comm.rank });
  });
});

behaviour("scatter carries every sort of value", (comm) => {
  inRounds(comm.size, (given) => same(comm.scatter(comm.rank === 0 ? given : null), given[comm.rank]));
  same(comm.scatter(comm.rank === 0 ? range(comm.size).map(() => all) : null), all);
});

behaviour("scatter with too few or too many values is refused at the root", (comm) => {
  if (comm.size > 1) {
    // On one rank only: the others would wait for it.
    if (comm.rank === 0) isRefused(() => comm.scatter([1]));
    if (comm.rank === 0) isRefused(() => comm.scatter(range(comm.size + 1)));
  } else isRefused(() => comm.scatter([1, 2]));
});

behaviour("allgather gives every rank all values in order", (comm) => {
  same(
    comm.allgather({ rank: comm.rank }),
    range(comm.size).map((rank) => ({ rank })),
  );
});

behaviour("allgather carries every sort of value", (comm) => {
  inRounds(comm.size, (given) => same(comm.allgather(given[comm.rank]), given));
});

behaviour("allgather of different sorts of value at once", (comm) => {
  const sorts = [undefined, "text", 5n, new Map([[1, { two: 3 }]]), new Float64Array(3)];
  same(comm.allgather(sorts[comm.rank]), sorts.slice(0, comm.size));
});

behaviour("alltoall gives each rank what every rank has for it", (comm) => {
  const received = comm.alltoall(range(comm.size).map((dest) => `${comm.rank} to ${dest}`));
  same(
    received,
    range(comm.size).map((source) => `${source} to ${comm.rank}`),
  );
});

behaviour("alltoall carries every sort of value", (comm) => {
  // Every rank gets from every rank what its own place in the round says.
  inRounds(comm.size, (given) =>
    same(
      comm.alltoall(given),
      range(comm.size).map(() => given[comm.rank]),
    ),
  );
});

behaviour("alltoall of values of different size for each rank", (comm) => {
  const received = comm.alltoall(range(comm.size).map((dest) => "y".repeat(1000 * (comm.rank + dest))));
  same(
    received.map((text) => text.length),
    range(comm.size, (source) => 1000 * (source + comm.rank)),
  );
});

behaviour("alltoall without exactly one value per rank is refused", (comm) => {
  isRefused(() => comm.alltoall(range(comm.size + 1)));
});

behaviour("reduce by an operation of one's own keeps the order of the ranks", (comm) => {
  const join = MPI.op((a: string, b: string) => a + b, { commutative: false });
  eachRoot(comm, (root, isRoot) => {
    const joined = comm.reduce(String.fromCharCode(97 + comm.rank), { op: join, root });
    same(joined, isRoot ? "abcde".slice(0, comm.size) : undefined);
  });
});

behaviour("allreduce by an operation of one's own keeps the order of the ranks", (comm) => {
  const join = MPI.op((a: readonly number[], b: readonly number[]) => [...a, ...b]);
  same(comm.allreduce([comm.rank], { op: join }), range(comm.size));
});

behaviour("scan and exscan by an operation of one's own", (comm) => {
  const join = MPI.op((a: string, b: string) => a + b);
  const mine = String(comm.rank);
  same(comm.scan(mine, { op: join }), "01234".slice(0, comm.rank + 1));
  same(comm.exscan(mine, { op: join }), comm.rank === 0 ? undefined : "01234".slice(0, comm.rank));
});

behaviour("allreduce of maps by a union", (comm) => {
  const union = MPI.op((a: Map<number, string>, b: Map<number, string>) => new Map([...a, ...b]));
  const result = comm.allreduce(new Map([[comm.rank, `rank ${comm.rank}`]]), { op: union });
  same(result, new Map(range(comm.size).map((rank) => [rank, `rank ${rank}`])));
});

behaviour("allreduce of bigints sums beyond 2^64", (comm) => {
  same(comm.allreduce(2n ** 70n, { op: MPI.SUM }), BigInt(comm.size) * 2n ** 70n);
});

behaviour("allreduce of fractions is the same on every rank", (comm) => {
  const total = comm.allreduce(0.1 * (comm.rank + 1), { op: MPI.SUM });
  same(new Set(comm.allgather(total)).size, 1);
  holds(Math.abs(total - 0.1 * sum(range(comm.size, (i) => i + 1))) < 1e-12);
});

behaviour("allreduce by MAXLOC and MINLOC names the lowest rank that has the value", (comm) => {
  same(comm.allreduce([comm.rank % 2, comm.rank] as const, { op: MPI.MAXLOC }), comm.size > 1 ? [1, 1] : [0, 0]);
  same(comm.allreduce([comm.rank % 2, comm.rank] as const, { op: MPI.MINLOC }), [0, 0]);
  same(comm.scan([comm.rank, comm.rank] as const, { op: MPI.MAXLOC }), [comm.rank, comm.rank]);
});

behaviour("a root that is not there is MPI_ERR_ROOT in every call with one", (comm) => {
  for (const root of [-1, comm.size, comm.size + 100]) {
    failsWith("ROOT", () => comm.bcast(1, { root }));
    failsWith("ROOT", () => comm.gather(1, { root }));
    failsWith("ROOT", () => comm.scatter(range(comm.size), { root }));
    failsWith("ROOT", () => comm.reduce(1, { op: MPI.SUM, root }));
  }
});

behaviour("a large value reaches all ranks whole", (comm) => {
  const value = { text: "z".repeat(300_000), array: new Uint8Array(300_000).fill(7) };
  const received = comm.bcast(comm.rank === 0 ? value : undefined);
  same([received.text.length, received.array.length], [300_000, 300_000]);
  holds(received.array.every((x) => x === 7));
});

behaviour("an operation that throws, throws at the caller, and the communicator stays usable", (comm) => {
  const fails = MPI.op((_a: number, _b: number): number => {
    throw new RangeError("not these");
  });
  // The order in which ranks are combined is the implementation's: at least one of them sees it, none hangs.
  let seen = 0;
  try {
    comm.scan(comm.rank, { op: fails });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    seen = 1;
  }
  same(comm.allreduce(seen, { op: MPI.MAX }), comm.size > 1 ? 1 : 0);
});
