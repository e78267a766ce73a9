import { MPI } from "../../../src/mpi/index.ts";
import { filled, groupOf, isRefused, kinds, numbersOf, range, ring, same } from "./behaviour.ts";

const behaviour = groupOf("parts of arrays");

const matrix = (rows: number, columns: number): Float64Array => Float64Array.from(range(rows * columns));

behaviour("vector has size and extent in elements", (_comm) => {
  using column = MPI.vector(3, 1, 4);
  same([column.size, column.extent], [3, 9]);
  using blocks = MPI.vector(2, 3, 5);
  same([blocks.size, blocks.extent], [6, 8]);
});

behaviour("indexed has size and extent in elements", (_comm) => {
  using blocks = MPI.indexed([2, 1], [1, 6]);
  same([blocks.size, blocks.extent], [3, 6]);
});

behaviour("subarray has the extent of the whole array", (_comm) => {
  using block = MPI.subarray([4, 5], [1, 2], [2, 3]);
  same([block.size, block.extent], [6, 20]);
});

behaviour("a column is sent and received as a column, of every kind", (comm) => {
  const { next, previous } = ring(comm);
  using column = MPI.vector(3, 1, 4);
  for (const kind of kinds) {
    const sent = filled(kind, 12, comm.rank + 1);
    const received = filled(kind, 12, 0);
    comm.Sendrecv(column.of(sent), { dest: next }, column.of(received, { offset: 2 }), { source: previous });
    same(
      numbersOf(received),
      range(12, (i) => (i % 4 === 2 ? previous + 1 : 0)),
    );
  }
});

behaviour("a column is received as a row, and the other way round", (comm) => {
  const { next, previous } = ring(comm);
  using column = MPI.vector(3, 1, 4);
  const row = new Float64Array(3);
  comm.Sendrecv(column.of(matrix(3, 4), { offset: 1 }), { dest: next }, row, { source: previous });
  same([...row], [1, 5, 9]);
  const target = new Float64Array(12);
  comm.Sendrecv(row, { dest: next }, column.of(target, { offset: 3 }), { source: previous });
  same(
    [...target],
    range(12, (i) => (i % 4 === 3 ? [1, 5, 9][Math.floor(i / 4)]! : 0)),
  );
});

behaviour("a status counts the elements of a part", (comm) => {
  const { next, previous } = ring(comm);
  using column = MPI.vector(3, 1, 4);
  const status = comm.Sendrecv(column.of(matrix(3, 4)), { dest: next }, new Float64Array(5), { source: previous });
  same([status.count, status.bytes], [3, 24]);
});

behaviour("rows with gaps between them are sent as one message", (comm) => {
  const { next, previous } = ring(comm);
  using rows = MPI.vector(2, 3, 4);
  const received = new Float64Array(6);
  comm.Sendrecv(rows.of(matrix(3, 4), { offset: 1 }), { dest: next }, received, { source: previous });
  same([...received], [1, 2, 3, 5, 6, 7]);
});

behaviour("indexed takes blocks of any length from any place", (comm) => {
  const { next, previous } = ring(comm);
  using triangle = MPI.indexed([3, 2, 1], [0, 4, 8]);
  const received = new Float64Array(9).fill(-1);
  comm.Sendrecv(triangle.of(matrix(3, 3)), { dest: next }, triangle.of(received), { source: previous });
  same([...received], [0, 1, 2, -1, 4, 5, -1, -1, 8]);
});

behaviour("indexed may change the order of elements", (comm) => {
  const { next, previous } = ring(comm);
  using reverse = MPI.indexed([1, 1, 1, 1], [3, 2, 1, 0]);
  const received = new Int32Array(4);
  comm.Sendrecv(reverse.of(Int32Array.of(0, 1, 2, 3)), { dest: next }, received, { source: previous });
  same([...received], [3, 2, 1, 0]);
});

behaviour("subarray takes the inner block of a matrix", (comm) => {
  const { next, previous } = ring(comm);
  using inner = MPI.subarray([4, 5], [1, 2], [2, 3]);
  const received = new Float64Array(6);
  comm.Sendrecv(inner.of(matrix(4, 5)), { dest: next }, received, { source: previous });
  same([...received], [7, 8, 9, 12, 13, 14]);
});

behaviour("subarray takes the face of a cube in each direction", (comm) => {
  const { next, previous } = ring(comm);
  const cube = Float64Array.from(range(27));
  const faces: [number[], number[], (i: number) => number][] = [
    [[1, 0, 0], [1, 3, 3], (i) => 9 + i],
    [[0, 1, 0], [3, 1, 3], (i) => 9 * Math.floor(i / 3) + 3 + (i % 3)],
    [[0, 0, 1], [3, 3, 1], (i) => 3 * i + 1],
  ];
  for (const [starts, counts, expected] of faces) {
    using face = MPI.subarray([3, 3, 3], starts, counts);
    const received = new Float64Array(9);
    comm.Sendrecv(face.of(cube), { dest: next }, received, { source: previous });
    same([...received], range(9, expected));
  }
});

behaviour("halo columns of a matrix are exchanged in place", (comm) => {
  const { next, previous } = ring(comm);
  const [rows, columns] = [3, 5];
  using column = MPI.vector(rows, 1, columns);
  const own = new Float64Array(rows * columns).fill(comm.rank);
  comm.Sendrecv(column.of(own, { offset: columns - 2 }), { dest: next }, column.of(own), { source: previous });
  same(
    [...own],
    range(rows * columns, (i) => (i % columns === 0 ? previous : comm.rank)),
  );
});

behaviour("several of one part follow each other at its extent", (comm) => {
  const { next, previous } = ring(comm);
  using pair = MPI.vector(2, 1, 2);
  const received = new Int32Array(6);
  same(pair.extent, 3);
  comm.Sendrecv(pair.of(Int32Array.from(range(9)), { count: 3 }), { dest: next }, received, { source: previous });
  same([...received], [0, 2, 3, 5, 6, 8]);
});

behaviour("resized to one element lets columns follow each other", (comm) => {
  const { next, previous } = ring(comm);
  using strided = MPI.vector(2, 1, 3);
  using column = strided.resized(1);
  same([column.size, column.extent], [2, 1]);
  const received = new Float64Array(6);
  comm.Sendrecv(column.of(matrix(2, 3), { count: 3 }), { dest: next }, received, { source: previous });
  same([...received], [0, 3, 1, 4, 2, 5]);
});

behaviour("Bcast of every other element leaves those between", (comm) => {
  for (const kind of kinds)
    for (const first of [0, 1]) {
      using every = MPI.vector(5, 1, 2);
      const array = comm.rank === 0 ? filled(kind, 11, 7) : filled(kind, 11, 1);
      comm.Bcast(every.of(array, { offset: first }));
      const got = (i: number): number => (comm.rank === 0 || (i % 2 === first && i < 10) ? 7 : 1);
      same(numbersOf(array), range(11, got));
    }
});

behaviour("Ibcast of a column by a request", async (comm) => {
  using column = MPI.vector(2, 1, 2);
  const array = new Float64Array(4).fill(comm.rank === 0 ? 3 : 0);
  await comm.Ibcast(column.of(array));
  same([...array], comm.rank === 0 ? [3, 3, 3, 3] : [3, 0, 3, 0]);
});

behaviour("Gather of columns puts them one after the other", (comm) => {
  using column = MPI.vector(3, 1, 2);
  const whole = comm.rank === 0 ? new Float64Array(3 * comm.size) : null;
  comm.Gather(column.of(Float64Array.from(range(6, (i) => 10 * comm.rank + i)), { offset: 1 }), whole);
  if (whole)
    same(
      [...whole],
      range(3 * comm.size, (i) => 10 * Math.floor(i / 3) + 2 * (i % 3) + 1),
    );
});

behaviour("Allreduce of a part combines its elements and leaves the others", (comm) => {
  using every = MPI.vector(2, 1, 2);
  const result = new Float64Array(4).fill(-1);
  let refused = false;
  try {
    comm.Allreduce(every.of(Float64Array.of(1, 9, 2, 9)), every.of(result));
  } catch {
    refused = true; // MPI's own operations need not take derived datatypes; to say so is allowed
  }
  if (!refused) same([...result], [comm.size, -1, 2 * comm.size, -1]);
  else same([...result], [-1, -1, -1, -1]);
});

behaviour("a part of the array on a request that is awaited", async (comm) => {
  const { next, previous } = ring(comm);
  using column = MPI.vector(3, 1, 3);
  const received = new Float64Array(9);
  const receive = comm.Irecv(column.of(received, { offset: 1 }), { source: previous });
  await comm.Isend(column.of(matrix(3, 3)), { dest: next });
  same((await receive).count, 3);
  same([...received], [0, 0, 0, 0, 3, 0, 0, 6, 0]);
});

behaviour("a part that reaches beyond its array is refused", (_comm) => {
  using column = MPI.vector(3, 1, 4);
  isRefused(() => column.of(new Float64Array(8)));
  isRefused(() => column.of(new Float64Array(12), { offset: 4 }));
  isRefused(() => column.of(new Float64Array(12), { offset: -1 }));
  isRefused(() => column.of(new Float64Array(12), { count: 2 }));
});

behaviour("the last column needs no element after its own last one", (comm) => {
  const { next, previous } = ring(comm);
  using column = MPI.vector(3, 1, 4);
  const received = new Float64Array(3);
  comm.Sendrecv(column.of(matrix(3, 4), { offset: 3 }), { dest: next }, received, { source: previous });
  same([...received], [3, 7, 11]);
});

behaviour("datatypes of no elements move nothing", (comm) => {
  const { next, previous } = ring(comm);
  using none = MPI.vector(0, 1, 1);
  same(none.size, 0);
  const received = Float64Array.of(5);
  const status = comm.Sendrecv(none.of(new Float64Array(1)), { dest: next }, received, { source: previous });
  same([status.count, received[0]], [0, 5]);
});

behaviour("one datatype serves every kind of array", (comm) => {
  using column = MPI.vector(2, 1, 2);
  for (const kind of kinds) {
    const received = filled(kind, 2, 0);
    comm.Sendrecv(column.of(filled(kind, 4, 3)), { dest: comm.rank }, received, { source: comm.rank });
    same(numbersOf(received), [3, 3]);
  }
});

behaviour("a datatype that is freed can no longer be applied", (_comm) => {
  const column = MPI.vector(2, 1, 2);
  column.free();
  let said = false;
  try {
    column.of(new Float64Array(4));
  } catch {
    said = true;
  }
  same(said, true);
});

behaviour("what no datatype can be made of is refused", (_comm) => {
  isRefused(() => MPI.vector(-1, 1, 1));
  isRefused(() => MPI.vector(1.5, 1, 1));
  isRefused(() => MPI.indexed([1, 2], [0]));
  isRefused(() => MPI.subarray([4], [2], [3]));
  isRefused(() => MPI.subarray([4, 4], [0], [1]));
});

behaviour("subarray of the whole is the whole", (comm) => {
  using whole = MPI.subarray([2, 3], [0, 0], [2, 3]);
  const received = new Int16Array(6);
  comm.Sendrecv(whole.of(Int16Array.from(range(6))), { dest: comm.rank }, received, { source: comm.rank });
  same([...received], range(6));
});

behaviour("a matrix is transposed by sending rows and receiving columns", (comm) => {
  const { next, previous } = ring(comm);
  const [rows, columns] = [3, 4];
  using strided = MPI.vector(columns, 1, rows);
  using column = strided.resized(1);
  const received = new Float64Array(rows * columns);
  comm.Sendrecv(matrix(rows, columns), { dest: next }, column.of(received, { count: rows }), { source: previous });
  same(
    [...received],
    range(12, (i) => (i % rows) * columns + Math.floor(i / rows)),
  );
});
