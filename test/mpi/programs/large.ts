/** Messages that are too long for an int, or that are taken for such: the counts above which are large is the argument. */
import { addon } from "../../../src/mpi/addon.ts";
import { MPI } from "../../../src/mpi/index.ts";
import { check, finish } from "./check.ts";

const comm = MPI.COMM_WORLD;
const { rank, size } = comm;
const next = (rank + 1) % size;
const previous = (rank + size - 1) % size;
const range = (length: number, from = 0) => Float64Array.from({ length }, (_, i) => from + i);

if (process.argv[2] === "real") {
  // 2.2 GiB of bytes: more than 2^31 elements.
  const length = Math.ceil(2.2 * 2 ** 30);
  const marks = [0, 12_345, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, length - 1];
  const bytes = new Uint8Array(length);
  if (rank === 0) {
    for (const [index, at] of marks.entries()) bytes[at] = index + 1;
    comm.Send(bytes, { dest: 1 });
  } else {
    const status = comm.Recv(bytes, { source: 0 });
    if (status.count !== length) throw new Error(`${status.count} elements arrived`);
    for (const [index, at] of marks.entries())
      if (bytes[at] !== index + 1) throw new Error(`element ${at} is ${bytes[at]}`);
  }
  check("a message of 2.2 GiB arrives", bytes.length, length);
  bytes.fill(0);
  if (rank === 1) bytes[2 ** 31 + 5] = 9;
  comm.Bcast(bytes, { root: 1 });
  check("and is broadcast", bytes[2 ** 31 + 5], 9);
} else {
  addon.setLargest(Number(process.argv[2]));
  const inbox = new Float64Array(10);
  comm.Sendrecv(range(10, rank), { dest: next }, inbox, { source: previous });
  check("Sendrecv", [...inbox], [...range(10, previous)]);
  const receive = comm.Irecv(inbox.fill(0), { source: previous });
  const send = comm.Isend(range(8, rank), { dest: next });
  const [status] = await MPI.waitAll([receive, send]);
  check("Irecv and Isend", [[...inbox], status.count], [[...range(8, previous), 0, 0], 8]);
  comm.Bcast(inbox.set(range(10, rank)) ?? inbox, { root: 1 });
  check("Bcast", [...inbox], [...range(10, 1)]);
  const part = new Float64Array(5);
  comm.Scatter(rank === 0 ? range(5 * size) : null, part);
  check("Scatter", [...part], [...range(5, 5 * rank)]);
  const whole = new Float64Array(5 * size);
  comm.Gather(part, rank === 0 ? whole : null);
  comm.Allgather(part, whole);
  check("Gather and Allgather", [...whole], [...range(5 * size)]);
  const swapped = new Float64Array(5 * size);
  comm.Alltoall(whole, swapped);
  check("Alltoall", [...swapped.subarray(0, 5)], [...range(5, 5 * rank)]);
  // Parts with a common divisor.
  const counts = Array.from({ length: size }, (_, i) => 5 * (i + 1));
  const mine = range(counts[rank]!, 100 * rank);
  const all = new Float64Array(counts.reduce((a, b) => a + b));
  comm.Allgatherv(mine, all, { counts });
  check("Allgatherv", [...all.subarray(5, 15)], [...range(10, 100)]);
  const back = new Float64Array(counts[rank]!);
  comm.Scatterv(rank === 0 ? all : null, back);
  check("Scatterv", [...back], [...mine]);
  const sum = new Float64Array(10);
  comm.Allreduce(range(10), sum);
  check(
    "Allreduce",
    [...sum],
    [...range(10)].map((x) => x * size),
  );
  await comm.Iallreduce(range(10), sum.fill(0));
  check(
    "Iallreduce",
    [...sum],
    [...range(10)].map((x) => x * size),
  );
  comm.Reduce(range(10), rank === 0 ? sum : null, { op: MPI.MAX });
  comm.Scan(range(10), sum);
  check(
    "Scan",
    [...sum],
    [...range(10)].map((x) => x * (rank + 1)),
  );
  check("values", comm.allgather(comm.bcast(rank === 0 ? "x".repeat(2000) : undefined).length), Array(size).fill(2000));
}
finish();
