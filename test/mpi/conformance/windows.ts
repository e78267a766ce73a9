import { type Comm, MPI, type Op } from "../../../src/mpi/index.ts";
import {
  arrayOf,
  failsWith,
  filled,
  groupOf,
  holds,
  isRefused,
  kinds,
  numbersOf,
  range,
  ring,
  same,
  sum,
} from "./behaviour.ts";

const behaviour = groupOf("windows");

/** A window of doubles, its memory set to `value`, seen by all. */
function doubles(comm: Comm, length: number, value: number): ReturnType<typeof MPI.Win.allocate<Float64Array>> {
  const win = MPI.Win.allocate(Float64Array, length, comm);
  win.memory.fill(value);
  win.fence();
  return win;
}

behaviour("allocate gives memory of the kind and length that are asked for, on each rank its own", (comm) => {
  for (const kind of kinds) {
    using win = MPI.Win.allocate(kind as Float64ArrayConstructor, 4 + comm.rank, comm);
    holds((win.memory as unknown) instanceof kind);
    same(win.memory.length, 4 + comm.rank);
    same(
      win.lengths,
      range(comm.size, (rank) => 4 + rank),
    );
  }
});

/** Open MPI 4.1 cannot make a window of given memory for one rank alone; it says so, with mpi4py, too. */
const cannotCreate = (comm: Comm): boolean => comm.size === 1 && MPI.library.startsWith("Open MPI v4");

behaviour("create makes a window of an array that is there", (comm) => {
  const array = Float64Array.of(comm.rank, 2 * comm.rank);
  if (cannotCreate(comm)) return failsWith("WIN", () => MPI.Win.create(array, comm));
  using win = MPI.Win.create(array, comm);
  const { next } = ring(comm);
  const got = new Float64Array(2);
  win.fence();
  win.Get(got, { target: next });
  win.fence();
  same([...got], [next, 2 * next]);
});

behaviour("create takes null on ranks that give no memory", (comm) => {
  if (cannotCreate(comm)) return;
  using win = MPI.Win.create(comm.rank === 0 ? Int32Array.of(41) : null, comm);
  same(
    win.lengths,
    range(comm.size, (rank) => (rank === 0 ? 1 : 0)),
  );
  const got = new Int32Array(1);
  win.fence();
  win.Get(got, { target: 0 });
  win.fence();
  same(got[0], 41);
});

behaviour("Put and Get of every kind, of any length from none, at every rank", (comm) => {
  for (const kind of kinds) {
    using win = MPI.Win.allocate(kind as Float64ArrayConstructor, comm.size * 3, comm);
    for (const count of [0, 1, 3])
      for (let target = 0; target < comm.size; target++) {
        const got = filled(kind, count + 1, 99);
        win.fence();
        win.Put(
          arrayOf(
            kind,
            range(count, (i) => comm.rank + i),
          ),
          { target, offset: 3 * comm.rank },
        );
        win.fence();
        win.Get(got.subarray(0, count), { target, offset: 3 * comm.rank });
        win.fence();
        same(numbersOf(got), [...range(count, (i) => comm.rank + i), 99], kind.name);
      }
  }
});

behaviour("Put at an offset changes those elements only", (comm) => {
  using win = doubles(comm, 6, -1);
  win.Put(Float64Array.of(comm.rank, comm.rank), { target: ring(comm).next, offset: 2 });
  win.fence();
  const { previous } = ring(comm);
  same([...win.memory], [-1, -1, previous, previous, -1, -1]);
});

behaviour("all ranks put into one rank's memory, each at its place", (comm) => {
  using win = doubles(comm, comm.size, -1);
  win.Put(Float64Array.of(10 * comm.rank), { target: 0, offset: comm.rank });
  win.fence();
  if (comm.rank === 0)
    same(
      [...win.memory],
      range(comm.size, (rank) => 10 * rank),
    );
});

behaviour("Accumulate adds the contributions of all ranks, of every kind", (comm) => {
  for (const kind of kinds) {
    using win = MPI.Win.allocate(kind as Float64ArrayConstructor, 2, comm);
    win.memory.set(filled(kind, 2, 1) as never);
    win.fence();
    win.Accumulate(filled(kind, 2, comm.rank + 1) as Float64Array, { target: 0 });
    win.fence();
    const total = 1 + sum(range(comm.size, (i) => i + 1));
    if (comm.rank === 0) same(numbersOf(win.memory), [total, total], kind.name);
  }
});

for (const [name, expected] of [
  ["PROD", (size: number) => 2 * range(size, (i) => i + 1).reduce((a, b) => a * b, 1)],
  ["MAX", (size: number) => Math.max(2, size)],
  ["MIN", () => 1],
] as const)
  behaviour(`Accumulate by ${name} combines what is there with what comes`, (comm) => {
    using win = doubles(comm, 1, 2);
    win.Accumulate(Float64Array.of(comm.rank + 1), { target: 0, op: MPI[name] });
    win.fence();
    if (comm.rank === 0) same(win.memory[0], expected(comm.size));
  });

for (const [name, expected] of [
  ["BAND", 0b1000],
  ["BOR", 0b1110],
  ["BXOR", 0b0110],
] as const)
  behaviour(`Accumulate by ${name} combines bits`, (comm) => {
    using win = MPI.Win.allocate(Int32Array, 1, comm);
    win.memory[0] = 0b1010;
    win.fence();
    if (comm.rank === comm.size - 1) win.Accumulate(Int32Array.of(0b1100), { target: 0, op: MPI[name] });
    win.fence();
    if (comm.rank === 0) same(win.memory[0], expected);
  });

behaviour("Accumulate by REPLACE is a put", (comm) => {
  using win = doubles(comm, 1, 2);
  if (comm.rank === 0) win.Accumulate(Float64Array.of(7), { target: comm.size - 1, op: MPI.REPLACE });
  win.fence();
  same(win.memory[0], comm.rank === comm.size - 1 ? 7 : 2);
});

behaviour("Get_accumulate gives what was there and combines, by each operation", (comm) => {
  using win = doubles(comm, 3, 1);
  const operations: [Op<number>, (a: number, b: number) => number][] = [
    [MPI.SUM, (a, b) => a + b],
    [MPI.PROD, (a, b) => a * b],
    [MPI.MAX, Math.max],
    [MPI.MIN, Math.min],
    [MPI.REPLACE, (_, b) => b],
    [MPI.NO_OP, (a) => a],
  ];
  for (const [op, expected] of operations)
    for (let target = 0; target < comm.size; target++) {
      const [before, after] = [new Float64Array(3), new Float64Array(3)];
      win.lock(target);
      win.Put(Float64Array.of(1, 1, 1), { target });
      win.flush(target);
      win.Get_accumulate(Float64Array.of(0, 1, 2), before, { target, op });
      win.flush(target);
      win.Get(after, { target });
      win.unlock(target);
      same([...before], [1, 1, 1], op.name);
      same(
        [...after],
        [0, 1, 2].map((b) => expected(1, b)),
        op.name,
      );
    }
});

behaviour("Fetch_and_op gives every rank another ticket", (comm) => {
  using win = MPI.Win.allocate(BigInt64Array, 1, comm);
  win.memory[0] = 0n;
  win.fence();
  const ticket = new BigInt64Array(1);
  win.lock(0, { shared: true });
  win.Fetch_and_op(BigInt64Array.of(1n), ticket, { target: 0 });
  win.unlock(0);
  same(comm.allgather(ticket[0]).sort(), range(comm.size).map(BigInt));
});

behaviour("Fetch_and_op works for every kind at any place", (comm) => {
  for (const kind of kinds) {
    using win = MPI.Win.allocate(kind as Float64ArrayConstructor, 3, comm);
    win.memory.set(filled(kind, 3, 5) as never);
    win.fence();
    for (const offset of [0, 1, 2]) {
      const before = filled(kind, 1, 0) as Float64Array;
      win.lock(comm.rank);
      win.Fetch_and_op(filled(kind, 1, 2) as Float64Array, before, { target: comm.rank, offset });
      win.unlock(comm.rank);
      same(numbersOf(before), [5], kind.name);
    }
    comm.Barrier();
    win.lock(comm.rank);
    const now = numbersOf(win.memory);
    win.unlock(comm.rank);
    same(now, [7, 7, 7], kind.name);
  }
});

behaviour("Fetch_and_op takes one element only", (comm) => {
  using win = doubles(comm, 2, 0);
  win.lock(comm.rank);
  isRefused(() => win.Fetch_and_op(new Float64Array(2), new Float64Array(2), { target: comm.rank }));
  win.unlock(comm.rank);
});

behaviour("Compare_and_swap changes what equals, and tells what was there", (comm) => {
  // With 64 bits, Open MPI 4 crashes the target, so that girona refuses them there.
  const big = MPI.library.startsWith("Open MPI v4") ? [] : ([BigInt64Array, BigUint64Array] as const);
  for (const kind of [Int32Array, Uint8Array, Int16Array, ...big] as const) {
    using win = MPI.Win.allocate(kind as Int32ArrayConstructor, 1, comm);
    win.memory.set(filled(kind, 1, 4) as never);
    win.fence();
    const found = filled(kind, 1, 0) as Int32Array;
    const swap = (value: number, compare: number): number => {
      win.lock(comm.rank);
      const [a, b] = [filled(kind, 1, value) as Int32Array, filled(kind, 1, compare) as Int32Array];
      win.Compare_and_swap(a, b, found, { target: comm.rank });
      win.unlock(comm.rank);
      return Number(found[0]);
    };
    same([swap(9, 3), swap(9, 4), swap(1, 9)], [4, 4, 9], kind.name);
  }
});

behaviour("exactly one rank wins a Compare_and_swap at rank 0", (comm) => {
  using win = MPI.Win.allocate(Int32Array, 1, comm);
  win.memory[0] = -1;
  win.fence();
  const found = new Int32Array(1);
  win.lock(0, { shared: true });
  win.Compare_and_swap(Int32Array.of(comm.rank), Int32Array.of(-1), found, { target: 0 });
  win.unlock(0);
  same(comm.allgather(found[0]).filter((value) => value === -1).length, 1);
});

behaviour("Rput and Rget settle by requests", async (comm) => {
  using win = doubles(comm, comm.size, 0);
  const { next } = ring(comm);
  win.lockAll();
  await win.Rput(Float64Array.of(comm.rank + 1), { target: next, offset: comm.rank });
  win.flush(next);
  const got = new Float64Array(1);
  await win.Rget(got, { target: next, offset: comm.rank });
  win.unlockAll();
  same(got[0], comm.rank + 1);
});

behaviour("calls on PROC_NULL do nothing", (comm) => {
  using win = doubles(comm, 1, 3);
  win.Put(Float64Array.of(1), { target: MPI.PROC_NULL });
  win.Get(new Float64Array(1), { target: MPI.PROC_NULL });
  win.Accumulate(Float64Array.of(1), { target: MPI.PROC_NULL });
  win.fence();
  same(win.memory[0], 3);
});

behaviour("fences may follow each other with nothing between", (comm) => {
  using win = doubles(comm, 1, 3);
  for (let i = 0; i < 5; i++) win.fence();
  same(win.memory[0], 3);
});

behaviour("lock of one rank after the other, exclusive and shared", (comm) => {
  using win = doubles(comm, 1, 0);
  for (const shared of [false, true])
    for (let target = 0; target < comm.size; target++) {
      win.lock(target, { shared });
      win.Accumulate(Float64Array.of(1), { target });
      win.flush(target);
      win.flushLocal(target);
      win.unlock(target);
    }
  comm.Barrier();
  win.lock(comm.rank);
  same(win.memory[0], 2 * comm.size);
  win.unlock(comm.rank);
});

behaviour("lockAll lets every rank reach every rank, until unlockAll", (comm) => {
  using win = doubles(comm, comm.size, -1);
  win.lockAll();
  for (let target = 0; target < comm.size; target++) win.Put(Float64Array.of(comm.rank), { target, offset: comm.rank });
  win.flush();
  win.flushLocal();
  win.unlockAll();
  comm.Barrier();
  win.lock(comm.rank);
  same([...win.memory], range(comm.size));
  win.unlock(comm.rank);
});

behaviour("an exclusive lock makes reading and writing one step", (comm) => {
  using win = doubles(comm, 1, 0);
  const value = new Float64Array(1);
  for (let i = 0; i < 5; i++) {
    win.lock(0);
    win.Get(value, { target: 0 });
    win.flush(0);
    value[0]! += 1;
    win.Put(value, { target: 0 });
    win.unlock(0);
  }
  comm.Barrier();
  win.lock(0);
  win.Get(value, { target: 0 });
  win.unlock(0);
  same(value[0], 5 * comm.size);
});

behaviour("sync under a lock is possible", (comm) => {
  using win = doubles(comm, 1, 0);
  win.lock(comm.rank);
  win.sync();
  win.unlock(comm.rank);
});

behaviour("post, start, complete and wait of some ranks", (comm) => {
  if (comm.size < 2) return;
  using win = doubles(comm, comm.size, -1);
  using all = comm.group;
  if (comm.rank === 0) {
    using others = all.exclude([0]);
    win.post(others);
    win.wait();
    same([...win.memory], [-1, ...range(comm.size - 1, (i) => i + 1)]);
  } else {
    using first = all.include([0]);
    win.start(first);
    win.Put(Float64Array.of(comm.rank), { target: 0, offset: comm.rank });
    win.complete();
  }
});

behaviour("post and start of nobody end at once", (comm) => {
  using win = doubles(comm, 1, 0);
  using all = comm.group;
  using nobody = all.include([]);
  win.start(nobody);
  win.complete();
  win.post(nobody);
  win.wait();
});

behaviour("a shared window shows each rank the others' memory", (comm) => {
  using win = MPI.Win.allocateShared(Float64Array, 2, comm);
  win.memory.fill(comm.rank);
  win.fence();
  for (let rank = 0; rank < comm.size; rank++) same([...win.memoryOf(rank)], [rank, rank]);
  win.fence();
});

behaviour("what one rank writes to another's shared memory is there for it", (comm) => {
  using win = MPI.Win.allocateShared(Int32Array, 1, comm);
  win.memory[0] = -1;
  win.fence();
  win.memoryOf(ring(comm).next)[0] = comm.rank;
  win.fence();
  same(win.memory[0], ring(comm).previous);
});

behaviour("a shared window may have all its memory on one rank", (comm) => {
  using win = MPI.Win.allocateShared(Float64Array, comm.rank === 0 ? comm.size : 0, comm);
  same(win.memory.length, comm.rank === 0 ? comm.size : 0);
  win.fence();
  win.memoryOf(0)[comm.rank] = comm.rank;
  win.fence();
  same([...win.memoryOf(0)], range(comm.size));
  win.fence();
});

behaviour("parts of arrays are put and got as columns", (comm) => {
  using win = doubles(comm, 3, 0);
  using column = MPI.vector(3, 1, 2);
  const { next, previous } = ring(comm);
  win.Put(column.of(Float64Array.from(range(6, (i) => 10 * comm.rank + i))), { target: next });
  win.fence();
  same(
    [...win.memory],
    [0, 2, 4].map((i) => 10 * previous + i),
  );
});

behaviour("a window has a name that can be set", (comm) => {
  using win = doubles(comm, 1, 0);
  win.name = "mywin";
  same(win.name, "mywin");
});

behaviour("windows of no elements can be made", (comm) => {
  using win = MPI.Win.allocate(Float64Array, 0, comm);
  win.fence();
  same(win.memory.length, 0);
});

behaviour("after free the memory is empty and calls are MPI_ERR_WIN", (comm) => {
  const win = doubles(comm, 2, 1);
  win.free();
  same(win.memory.length, 0);
  failsWith("WIN", () => win.fence());
  failsWith("WIN", () => win.Put(Float64Array.of(1), { target: 0 }));
  failsWith("WIN", () => win.lock(0));
});

behaviour("what reaches beyond the target's memory is told, not done", (comm) => {
  using win = doubles(comm, 2, 1);
  for (const offset of [1, 2, 2 ** 40]) {
    let said = false;
    try {
      win.Put(Float64Array.of(5, 5), { target: comm.rank, offset });
    } catch {
      said = true;
    }
    holds(said, `offset ${offset}`);
  }
  win.fence();
  same([...win.memory], [1, 1]);
});

behaviour("a target that is not there is MPI_ERR_RANK", (comm) => {
  using win = doubles(comm, 1, 1);
  failsWith("RANK", () => win.Put(Float64Array.of(1), { target: comm.size }));
  failsWith("RANK", () => win.Get(new Float64Array(1), { target: -7 }));
  failsWith("RANK", () => win.lock(comm.size));
  win.fence();
});

behaviour("an array of another kind than the window's is refused", (comm) => {
  using win = doubles(comm, 4, 1);
  isRefused(() => win.Put(new Int32Array(1), { target: comm.rank }));
  isRefused(() => win.Accumulate(new Float32Array(1) as never, { target: comm.rank }));
  win.fence();
});

behaviour("an operation of one's own is refused in windows", (comm) => {
  using win = doubles(comm, 1, 1);
  const op = MPI.op((a: number, b: number) => a - b);
  let said = false;
  try {
    win.Accumulate(Float64Array.of(1), { target: comm.rank, op });
  } catch {
    said = true;
  }
  holds(said);
  win.fence();
});
