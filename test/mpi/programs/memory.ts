/** Windows, datatypes, and buffers that are lost. */
import { MPI } from "../../../src/mpi/index.ts";
import { check, finish, rejected, thrown } from "./check.ts";

const comm = MPI.COMM_WORLD;
const { rank, size } = comm;
const next = (rank + 1) % size;
const previous = (rank + size - 1) % size;

// --- windows
{
  const win = MPI.Win.allocate(Float64Array, 4, comm);
  check(
    "new memory is 0, and each rank's length is known",
    [[...win.memory], win.lengths],
    [[0, 0, 0, 0], Array(size).fill(4)],
  );
  win.fence();
  win.Put(Float64Array.of(rank, rank + 0.5), { target: next, offset: 1 });
  win.fence();
  check("what is put is there after the fence", [...win.memory], [0, previous, previous + 0.5, 0]);
  const got = new Float64Array(2);
  win.Get(got, { target: next, offset: 1 });
  win.fence();
  check("and can be fetched", [...got], [rank, rank + 0.5]);
  win.Accumulate(Float64Array.of(1), { target: 0, op: MPI.SUM });
  win.fence();
  check("accumulated", win.memory[0], rank === 0 ? size : 0);
  check(
    "an access beyond the window is refused",
    [
      thrown(() => win.Put(new Float64Array(5), { target: 0 })),
      thrown(() => win.Get(new Float64Array(1), { target: 0, offset: 4 })),
      thrown(() => win.Get(new Float64Array(1), { target: 0, offset: -1 })),
      thrown(() => win.Put(new Float64Array(1), { target: size })),
      thrown(() => win.Put(new Float32Array(1), { target: 0 })),
      thrown(() => win.Accumulate(new Float64Array(1), { target: 0, op: MPI.op((a: number) => a) })),
    ],
    [
      "MpiError MPI_ERR_RMA_RANGE",
      "MpiError MPI_ERR_RMA_RANGE",
      "MpiError MPI_ERR_RMA_RANGE",
      "MpiError MPI_ERR_RANK",
      "UsageError buffer",
      "MpiError MPI_ERR_OP",
    ],
  );
  win.fence();
  const { memory } = win;
  win.free();
  check(
    "after free nothing is left to touch",
    [memory.length, win.memory.length, thrown(() => win.fence())],
    [0, 0, "MpiError MPI_ERR_WIN"],
  );
}
{
  using win = MPI.Win.allocate(BigInt64Array, 1, comm);
  const one = BigInt64Array.of(1n);
  const before = new BigInt64Array(1);
  win.lock(0);
  win.Fetch_and_op(one, before, { target: 0, op: MPI.SUM });
  win.unlock(0);
  const places = comm.allgather(Number(before[0])).sort((a, b) => a - b);
  check(
    "a counter under a lock gives each rank another number",
    places,
    Array.from({ length: size }, (_, i) => i),
  );
  using small = MPI.Win.allocate(Int32Array, 1, comm);
  small.lockAll();
  const old = Int32Array.of(-1);
  small.Compare_and_swap(Int32Array.of(100 + rank), Int32Array.of(0), old, { target: 0 });
  small.flush(0);
  small.unlockAll();
  const winners = comm.allgather(old[0] === 0).filter(Boolean).length;
  check("one rank wins a compare and swap", winners, 1);
  win.lock(next, { shared: true });
  const request = win.Rget(new BigInt64Array(1), { target: next });
  await request;
  win.unlock(next);
  check("a request of a window is awaited", request.test(), true);
}
{
  const node = comm.splitShared();
  using win = MPI.Win.allocateShared(Int32Array, node.rank === 0 ? 3 : 1, node);
  win.fence();
  if (node.rank === node.size - 1) win.memoryOf(0).set([7, 8, 9]);
  win.fence();
  check("ranks of a node share memory", [...win.memoryOf(0)], [7, 8, 9]);
  win.fence();
  const array = new Float32Array(2);
  using over = MPI.Win.create(rank === 0 ? array : null, comm);
  over.fence();
  if (rank === size - 1) over.Put(Float32Array.of(0.5), { target: 0, offset: 1 });
  over.fence();
  check(
    "an array that is there already is a window",
    [[...array], over.lengths[size - 1]],
    [rank === 0 ? [0, 0.5] : [0, 0], size === 1 ? 2 : 0],
  );
  const all = comm.group;
  const target = all.include([0]);
  const others = all.exclude([0]);
  if (rank === 0) {
    over.post(others);
    over.wait();
  } else {
    over.start(target);
    if (rank === 1) over.Put(Float32Array.of(2.5), { target: 0 });
    over.complete();
  }
  check("post, start, complete, wait", array[0], rank === 0 ? 2.5 : 0);
}

// --- datatypes
{
  const rows = 3;
  const columns = 4;
  const matrix = Float64Array.from({ length: rows * columns }, (_, i) => i);
  const column = MPI.vector(rows, 1, columns);
  const received = new Float64Array(rows);
  comm.Sendrecv(column.of(matrix, { offset: 1 }), { dest: next }, received, { source: previous });
  check("a column is sent", [...received], [1, 5, 9]);
  const into = new Float64Array(rows * columns);
  const status = comm.Sendrecv(Float64Array.of(1, 2, 3), { dest: next }, column.of(into, { offset: 3 }), {
    source: previous,
  });
  check("and received", [[...into], status.count], [[0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3], 3]);
  const block = MPI.subarray([rows, columns], [1, 1], [2, 2]);
  const corner = new Float64Array(4);
  comm.Sendrecv(block.of(matrix), { dest: next }, corner, { source: previous });
  check("a block is sent", [...corner], [5, 6, 9, 10]);
  const cube = MPI.subarray([2, 3, 4], [0, 1, 2], [2, 2, 2]);
  const inner = new Int32Array(8);
  comm.Sendrecv(cube.of(Int32Array.from({ length: 24 }, (_, i) => i)), { dest: next }, inner, { source: previous });
  check("of three dimensions too", [...inner], [6, 7, 10, 11, 18, 19, 22, 23]);
  const mine = new Float64Array(rows).fill(rank);
  const table = new Float64Array(rows * size);
  comm.Gather(mine, rank === 0 ? MPI.vector(rows, 1, size).resized(1).of(table, { count: size }) : null);
  check(
    "columns of all ranks become a table",
    [...table.subarray(0, size)],
    rank === 0 ? Array.from({ length: size }, (_, i) => i) : Array(size).fill(0),
  );
  check(
    "what does not fit is refused",
    [
      thrown(() => column.of(matrix, { offset: 4 })),
      thrown(() => MPI.subarray([2, 2], [1, 1], [2, 1])),
      thrown(() => comm.Allreduce(column.of(matrix), column.of(into))),
      thrown(() => MPI.complex(new Float64Array(3))),
    ],
    ["UsageError offset", "UsageError counts", "MpiError MPI_ERR_OP", "UsageError array"],
  );
  column.free();
  check(
    "nor what was freed",
    thrown(() => column.of(matrix)),
    "UsageError datatype",
  );
  const product = new Float64Array(2);
  comm.Allreduce(MPI.complex(Float64Array.of(0, 1)), MPI.complex(product), { op: MPI.PROD });
  check(
    "complex numbers are multiplied as such",
    [...product].map((x) => x + 0),
    [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ][size % 4]!,
  );
  const best = new Int32Array(2);
  comm.Allreduce(MPI.pairs(Int32Array.of(rank % 2, rank)), MPI.pairs(best), { op: MPI.MAXLOC });
  check("pairs find who has the largest", [...best], size > 1 ? [1, 1] : [0, 0]);
}

// --- buffers that are lost, and wrong ones
{
  const inbox = new Float64Array(1000);
  const request = comm.Irecv(inbox, { source: rank, tag: 1 });
  const moved = structuredClone(inbox, { transfer: [inbox.buffer] });
  comm.Send(new Float64Array(1000).fill(3), { dest: rank, tag: 1 });
  check(
    "a buffer transferred while it receives is told",
    [await rejected(() => request), moved[999]],
    ["MpiError MPI_ERR_BUFFER", 3],
  );
  check(
    "one that was transferred before is refused",
    thrown(() => comm.Send(inbox, { dest: rank })),
    "UsageError buffer",
  );
  const resizable = new Float64Array(new ArrayBuffer(80, { maxByteLength: 160 }));
  check(
    "one that can shrink is refused where MPI keeps it",
    thrown(() => comm.Irecv(resizable)),
    "UsageError buffer",
  );
  comm.Sendrecv(Float64Array.of(4), { dest: rank }, resizable, { source: rank });
  check("and taken where it cannot", resizable[0], 4);
  const shared = new Float64Array(new SharedArrayBuffer(8));
  comm.Sendrecv(Float64Array.of(5), { dest: rank }, shared, { source: rank });
  check("shared memory is as good", shared[0], 5);
}
{
  const wrong = comm as unknown as Record<string, (...args: unknown[]) => unknown>;
  const one = new Float64Array(1);
  const freed = comm.dup();
  freed.free();
  check(
    "wrong arguments are errors",
    [
      thrown(() => wrong["Send"]!([1, 2], { dest: 0 })),
      thrown(() => wrong["Send"]!(new DataView(new ArrayBuffer(8)), { dest: 0 })),
      thrown(() => wrong["Send"]!(one)),
      thrown(() => wrong["Send"]!(one, { dest: "0" })),
      thrown(() => wrong["Send"]!(one, { dest: 0, tag: 1.5 })),
      thrown(() => comm.Send(one, { dest: -7 })),
      thrown(() => comm.Send(one, { dest: 0, tag: -3 })),
      thrown(() => comm.Recv(one, { source: size })),
      thrown(() => comm.Bcast(one, { root: size })),
      thrown(() => wrong["Allreduce"]!(one, new Float32Array(1))),
      thrown(() => comm.Allreduce(one, new Float64Array(2))),
      thrown(() => wrong["Allreduce"]!(one, one, { op: "SUM" })),
      thrown(() => comm.Allgather(one, new Float64Array(size + 1))),
      thrown(() => comm.Allgatherv(one, new Float64Array(size), { counts: Array(size).fill(-1) })),
      thrown(() => comm.Allgatherv(one, new Float64Array(size), { counts: [1].concat(Array(size).fill(1)) })),
      thrown(() => comm.Alltoall(new Float64Array(size), new Float64Array(2 * size))),
      thrown(() => wrong["scatter"]!("abc", { root: rank })),
      thrown(() => comm.send(() => 1, { dest: 0 })),
      thrown(() => freed.Barrier()),
      thrown(() => comm.free()),
      thrown(() => comm.split(-2)),
      thrown(() => comm.createCart([size + 1])),
      thrown(() => comm.group.include([size])),
    ],
    [
      ...["UsageError buffer", "UsageError buffer", "UsageError dest", "UsageError dest", "UsageError tag"],
      ...["MpiError MPI_ERR_RANK", "MpiError MPI_ERR_TAG", "MpiError MPI_ERR_RANK", "MpiError MPI_ERR_ROOT"],
      ...["UsageError receive", "UsageError receive", "UsageError op", "UsageError whole", "UsageError counts"],
      ...["UsageError counts", "UsageError receive", "UsageError values", "UsageError value", "MpiError MPI_ERR_COMM"],
      ...["MpiError MPI_ERR_COMM", "UsageError color", "MpiError MPI_ERR_DIMS", "MpiError MPI_ERR_RANK"],
    ],
  );
}
finish();
