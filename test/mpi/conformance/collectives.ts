import { MPI } from "../../../src/mpi/index.ts";
import { filled, groupOf, holds, kinds, numbersOf, range, same, sum, turns } from "./behaviour.ts";
import { groupsOf } from "./both-forms.ts";

const behaviour = groupsOf("collective calls on typed arrays", "collective requests on typed arrays");
const alone = groupOf("collective calls on typed arrays");

const roots = (size: number): number[] => range(size);

behaviour("Barrier", "holds a rank until all have come", async (comm) => {
  // Everyone tells rank 0 before the barrier; after it, nothing is missing there.
  if (comm.rank > 0) comm.Send(Int32Array.of(comm.rank), { dest: 0, tag: 90 });
  await comm.Barrier();
  if (comm.rank > 0) return;
  const seen = range(comm.size - 1).map(() => comm.Recv(new Int32Array(1), { tag: 90 }).source);
  same(
    seen.sort(),
    range(comm.size - 1, (i) => i + 1),
  );
});

behaviour("Bcast", "gives every rank the root's array, of every kind, for every root", async (comm) => {
  for (const [root, kind] of turns(comm, kinds)) {
    const buffer = filled(kind, root + 1, comm.rank === root ? root : 99);
    await comm.Bcast(buffer, { root });
    same(
      numbersOf(buffer),
      range(root + 1, () => root),
    );
  }
});

behaviour("Bcast", "without options is from rank 0", async (comm) => {
  const buffer = Float64Array.of(comm.rank === 0 ? 42 : 0);
  await comm.Bcast(buffer);
  same(buffer[0], 42);
});

behaviour("Bcast", "of no elements ends well", async (comm) => {
  await comm.Bcast(new Int32Array(0));
});

behaviour("Bcast", "of a hundred thousand elements is whole on every rank", async (comm) => {
  const root = comm.size - 1;
  const buffer = new Float64Array(100_000);
  if (comm.rank === root) for (let i = 0; i < buffer.length; i++) buffer[i] = i;
  await comm.Bcast(buffer, { root });
  holds(buffer.every((value, i) => value === i));
});

behaviour("Gather", "puts the parts of all ranks in order at the root, of every kind, for every root", async (comm) => {
  for (const [root, kind] of turns(comm, kinds)) {
    const whole = comm.rank === root ? filled(kind, comm.size * 2, 99) : null;
    await comm.Gather(filled(kind, 2, comm.rank), whole, { root });
    if (whole)
      same(
        numbersOf(whole),
        range(comm.size * 2, (i) => Math.floor(i / 2)),
      );
  }
});

behaviour("Gather", "takes an array for the whole on other ranks and leaves it alone", async (comm) => {
  const whole = new Int32Array(comm.size).fill(-1);
  await comm.Gather(Int32Array.of(comm.rank), whole, { root: 0 });
  same([...whole], comm.rank === 0 ? range(comm.size) : range(comm.size, () => -1));
});

behaviour("Gather", "of no elements ends well", async (comm) => {
  await comm.Gather(new Float64Array(0), comm.rank === 0 ? new Float64Array(0) : null);
});

behaviour("Scatter", "gives each rank its part in order, of every kind, for every root", async (comm) => {
  for (const [root, kind] of turns(comm, kinds)) {
    const values = range(comm.size * 3, (i) => Math.floor(i / 3));
    const whole = comm.rank === root ? filled(kind, comm.size * 3, 0) : null;
    if (whole) for (const [i, value] of values.entries()) whole.set(filled(kind, 1, value) as never, i);
    const part = filled(kind, 3, 99);
    await comm.Scatter(whole, part, { root });
    same(
      numbersOf(part),
      range(3, () => comm.rank),
    );
  }
});

behaviour("Scatter", "leaves the root's whole as it was", async (comm) => {
  const whole = comm.rank === 0 ? Float64Array.from(range(comm.size)) : null;
  await comm.Scatter(whole, new Float64Array(1));
  if (whole) same([...whole], range(comm.size));
});

behaviour("Allgather", "gives every rank the parts of all, of every kind", async (comm) => {
  for (const kind of kinds)
    for (let length = 0; length <= 3; length++) {
      const whole = filled(kind, comm.size * length, 99);
      await comm.Allgather(filled(kind, length, comm.rank + 1), whole);
      same(
        numbersOf(whole),
        range(comm.size * length, (i) => Math.floor(i / length) + 1),
      );
    }
});

behaviour("Alltoall", "transposes what ranks have for each other, of every kind", async (comm) => {
  for (const kind of kinds) {
    const sent = filled(kind, comm.size, 0);
    for (let dest = 0; dest < comm.size; dest++) sent.set(filled(kind, 1, 10 * comm.rank + dest) as never, dest);
    const received = filled(kind, comm.size, 99);
    await comm.Alltoall(sent, received);
    same(
      numbersOf(received),
      range(comm.size, (source) => 10 * source + comm.rank),
    );
  }
});

behaviour("Alltoall", "moves several elements for each rank", async (comm) => {
  const sent = Float32Array.from(range(comm.size * 4, (i) => 100 * comm.rank + i));
  const received = new Float32Array(comm.size * 4);
  await comm.Alltoall(sent, received);
  same(
    [...received],
    range(comm.size * 4, (i) => 100 * Math.floor(i / 4) + 4 * comm.rank + (i % 4)),
  );
});

behaviour("Reduce", "gives the root the sum, for every root, and leaves other ranks' buffers", async (comm) => {
  for (const root of roots(comm.size)) {
    const result = new Float64Array(3).fill(-1);
    await comm.Reduce(Float64Array.of(0, 1, comm.rank), result, { root });
    same([...result], comm.rank === root ? [0, comm.size, sum(range(comm.size))] : [-1, -1, -1]);
  }
});

behaviour("Reduce", "takes null for the result on other ranks", async (comm) => {
  const root = comm.size - 1;
  const result = comm.rank === root ? new Int32Array(1) : null;
  await comm.Reduce(Int32Array.of(comm.rank + 1), result, { root, op: MPI.MAX });
  if (result) same(result[0], comm.size);
});

behaviour("Allreduce", "gives every rank the sum when no operation is named", async (comm) => {
  const result = new Float64Array(2);
  await comm.Allreduce(Float64Array.of(1, comm.rank), result);
  same([...result], [comm.size, sum(range(comm.size))]);
});

behaviour("Allreduce", "leaves what was sent as it was", async (comm) => {
  const sent = Int32Array.of(comm.rank, 5);
  await comm.Allreduce(sent, new Int32Array(2));
  same([...sent], [comm.rank, 5]);
});

behaviour("Allreduce", "of a hundred thousand elements is whole on every rank", async (comm) => {
  const length = 100_000;
  const result = new Float64Array(length);
  await comm.Allreduce(
    Float64Array.from({ length }, (_, i) => i * (comm.rank + 1)),
    result,
  );
  const factor = sum(range(comm.size, (i) => i + 1));
  holds(result.every((value, i) => value === i * factor));
});

behaviour("Allreduce", "of no elements ends well", async (comm) => {
  await comm.Allreduce(new Float64Array(0), new Float64Array(0));
});

behaviour("Allreduce", "gives all ranks the same bits of a sum of fractions", async (comm) => {
  const result = new Float64Array(1);
  await comm.Allreduce(Float64Array.of(0.1 * (comm.rank + 1)), result);
  const all = new Float64Array(comm.size);
  await comm.Allgather(result, all);
  holds(all.every((value) => value === result[0]));
});

behaviour("Reduce_scatter", "gives each rank its part of the sum, of lengths that are named", async (comm) => {
  const counts = range(comm.size, (rank) => rank + 1);
  const result = new Int32Array(comm.rank + 1).fill(-1);
  await comm.Reduce_scatter(new Int32Array(sum(counts)).fill(comm.rank + 1), result, { counts });
  same(
    [...result],
    range(comm.rank + 1, () => sum(counts)),
  );
});

behaviour("Reduce_scatter", "takes counts of 0", async (comm) => {
  const counts = range(comm.size, (rank) => (rank === 0 ? 2 : 0));
  const result = new Float64Array(counts[comm.rank]!);
  await comm.Reduce_scatter(Float64Array.of(comm.rank, 1), result, { counts, op: MPI.MAX });
  same([...result], comm.rank === 0 ? [comm.size - 1, 1] : []);
});

behaviour("Reduce_scatter_block", "gives each rank an equal part of the result, for every length", async (comm) => {
  for (let length = 0; length <= comm.size; length++) {
    const result = new Float64Array(length).fill(-1);
    await comm.Reduce_scatter_block(Float64Array.from(range(length * comm.size, (i) => i + comm.rank)), result);
    same(
      [...result],
      range(length, (i) => comm.size * (comm.rank * length + i) + sum(range(comm.size))),
    );
  }
});

behaviour("Scan", "gives rank r the sum over the ranks from 0 to r", async (comm) => {
  const result = new Float64Array(2);
  await comm.Scan(Float64Array.of(1, comm.rank), result);
  same([...result], [comm.rank + 1, sum(range(comm.rank + 1))]);
});

behaviour("Exscan", "gives rank r the sum over the ranks before r, and leaves that of rank 0", async (comm) => {
  const result = new Float64Array(2).fill(-1);
  await comm.Exscan(Float64Array.of(1, comm.rank), result);
  same([...result], comm.rank === 0 ? [-1, -1] : [comm.rank, sum(range(comm.rank))]);
});

behaviour("Exscan", "with PROD multiplies the ranks before", async (comm) => {
  const result = new Int32Array(1).fill(1);
  await comm.Exscan(Int32Array.of(comm.rank + 1), result, { op: MPI.PROD });
  same(
    result[0],
    range(comm.rank, (i) => i + 1).reduce((a, b) => a * b, 1),
  );
});

behaviour("Allreduce", "with an operation of one's own combines element by element", async (comm) => {
  const larger = MPI.op((a: number, b: number) => (Math.abs(b) > Math.abs(a) ? b : a));
  const result = new Float64Array(2);
  await comm.Allreduce(Float64Array.of(-comm.rank, 1), result, { op: larger });
  same([...result], [comm.size === 1 ? -0 : -(comm.size - 1), 1]);
});

behaviour("Reduce", "keeps the order of the ranks for an operation that is not commutative", async (comm) => {
  // Of two functions x → a x + b one after the other, as a pair in one number: 100 a + b, small enough to be exact.
  const compose = MPI.op(
    (f: number, g: number) => {
      const [a, b, c, d] = [Math.floor(f / 1e4), f % 1e4, Math.floor(g / 1e4), g % 1e4];
      return a * c * 1e4 + (b * c + d);
    },
    { commutative: false },
  );
  const f = (rank: number): number => (1 + (rank % 2)) * 1e4 + rank + 1;
  for (const root of roots(comm.size)) {
    const result = new Float64Array(1);
    await comm.Reduce(Float64Array.of(f(comm.rank)), result, { op: compose, root });
    const [a, b] = range(comm.size).reduce(
      ([x, y], rank) => [x! * (1 + (rank % 2)), y! * (1 + (rank % 2)) + rank + 1],
      [1, 0],
    );
    if (comm.rank === root) same(result[0], a! * 1e4 + b!);
  }
});

behaviour("Scan", "with an operation of one's own keeps the order of the ranks", async (comm) => {
  const last = MPI.op((_a: number, b: number) => b, { commutative: false });
  const result = new Int32Array(1);
  await comm.Scan(Int32Array.of(comm.rank), result, { op: last });
  same(result[0], comm.rank);
});

alone("one call after the other on one communicator, of different kinds, do not mix", (comm) => {
  for (let i = 0; i < 20; i++) {
    const root = i % comm.size;
    const one = Int32Array.of(comm.rank === root ? i : -1);
    comm.Bcast(one, { root });
    const total = new Int32Array(1);
    comm.Allreduce(one, total);
    const all = new Int32Array(comm.size);
    comm.Allgather(total, all);
    same(
      [...all],
      range(comm.size, () => i * comm.size),
    );
  }
});

alone("a collective call works on parts of larger arrays in place", (comm) => {
  const grid = new Float64Array(comm.size * 3).fill(-1);
  comm.Gather(Float64Array.of(comm.rank), grid.subarray(comm.size, 2 * comm.size), { root: 0 });
  const own = range(comm.size, () => -1);
  same([...grid], comm.rank === 0 ? [...own, ...range(comm.size), ...own] : range(comm.size * 3, () => -1));
});

alone("the parts of share cover everything once and differ by at most one", (comm) => {
  for (const length of [0, 1, comm.size - 1, comm.size, 10, 1001]) {
    const shares = range(comm.size).map((rank) => comm.share(length, rank));
    same(shares[0]?.start, 0);
    same(shares.at(-1)?.end, length);
    for (const [rank, share] of shares.entries()) {
      if (rank > 0) same(share.start, shares[rank - 1]?.end);
      same(share.count, share.end - share.start);
    }
    const counts = shares.map(({ count }) => count);
    holds(Math.max(...counts) - Math.min(...counts) <= 1);
    same(comm.share(length), shares[comm.rank]);
  }
});

alone("a request of each collective call may be under way at the same time on one communicator", async (comm) => {
  const one = Float64Array.of(comm.rank === 0 ? 3 : 0);
  const [total, all] = [new Float64Array(1), new Float64Array(comm.size)];
  const mine = Float64Array.of(comm.rank);
  await MPI.waitAll([comm.Ibcast(one), comm.Iallreduce(mine, total), comm.Iallgather(mine, all), comm.Ibarrier()]);
  same([one[0], total[0], ...all], [3, sum(range(comm.size)), ...range(comm.size)]);
});

alone("a collective request can be tested until it has finished", (comm) => {
  const result = new Int32Array(1);
  const request = comm.Iallreduce(Int32Array.of(1), result);
  while (!request.test());
  same(result[0], comm.size);
});

alone("messages and collective requests of one communicator do not meet", async (comm) => {
  const received = new Int32Array(1);
  const receive = comm.Irecv(received);
  const buffer = Int32Array.of(comm.rank === 0 ? 8 : 0);
  await comm.Ibcast(buffer);
  same(receive.test(), false);
  comm.Send(Int32Array.of(1), { dest: comm.rank });
  await receive;
  same([buffer[0], received[0]], [8, 1]);
});
