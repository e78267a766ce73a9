import { MPI } from "../../../src/mpi/index.ts";
import { check, finish, rejected, thrown } from "./check.ts";

declare const gc: () => void;
const comm = MPI.COMM_WORLD;
const { rank, size } = comm;
const next = (rank + 1) % size;
const previous = (rank + size - 1) % size;

{
  const inbox = new Int32Array(1);
  const receive = comm.Irecv(inbox, { source: previous, tag: 3 });
  const send = comm.Isend(Int32Array.of(rank), { dest: next, tag: 3 });
  const [status] = await MPI.waitAll([receive, send]);
  check(
    "a ring of requests",
    [inbox[0], status.source, status.tag, status.count, status.bytes],
    [previous, previous, 3, 1, 4],
  );
  check("a settled request tells its status", [receive.test(), receive.status?.source], [true, previous]);
}
{
  // Nobody sends until a timer of the receiver has fired: the event loop must turn while the request is awaited.
  const inbox = new Float64Array(1);
  const receive = comm.Irecv(inbox, { source: rank, tag: 4 });
  let turns = 0;
  const timer = setInterval(() => {
    if (++turns === 5) comm.Send(Float64Array.of(7), { dest: rank, tag: 4 });
  }, 1);
  await receive;
  clearInterval(timer);
  check("other work runs while a request is awaited", [inbox[0], turns >= 5], [7, true]);
}
{
  const boxes = [0, 1, 2].map(() => new Int32Array(1));
  const requests = boxes.map((box, tag) => comm.Irecv(box, { source: rank, tag: 10 + tag }));
  check(
    "nothing has settled",
    [MPI.testAny(requests), MPI.testSome(requests), MPI.testAll(requests)],
    [undefined, [], false],
  );
  comm.Send(Int32Array.of(1), { dest: rank, tag: 11 });
  const first = await MPI.waitAny(requests);
  check("waitAny gives the first that settles", [first.index, first.status.tag, boxes[1]![0]], [1, 11, 1]);
  comm.Send(Int32Array.of(0), { dest: rank, tag: 10 });
  const second = await MPI.waitAny(requests);
  check("waitAny gives each once", second.index, 0);
  comm.Send(Int32Array.of(2), { dest: rank, tag: 12 });
  check(
    "waitSome gives the others",
    (await MPI.waitSome(requests)).map(({ index }) => index),
    [2],
  );
  check(
    "when all are given, there is nothing to wait for",
    [await MPI.waitSome(requests), await rejected(() => MPI.waitAny(requests))],
    [[], "UsageError requests"],
  );
  check("testAll is true at the end", MPI.testAll(requests), true);
}
{
  const request = comm.irecv<{ from: number }>({ source: previous, tag: 5 });
  const large = comm.irecv<Float64Array>({ source: previous, tag: 6 });
  await Promise.all([
    comm.isend({ from: rank }, { dest: next, tag: 5 }),
    comm.issend(new Float64Array(100_000).fill(rank), { dest: next, tag: 6 }),
    request,
    large,
  ]);
  const values = await large;
  check(
    "values are awaited",
    [await request, request.status?.source, values.length, values[99_999]],
    [{ from: previous }, previous, 100_000, previous],
  );
}
{
  const receive = comm.Irecv(new Float64Array(1), { source: previous, tag: 20 });
  receive.cancel();
  const status = await receive;
  const value = comm.irecv({ source: previous, tag: 20 });
  value.cancel();
  await value;
  check("a receive can be cancelled", [status.cancelled, value.status?.cancelled], [true, true]);
  const barrier = comm.Ibarrier();
  const refused = barrier.test() ? "MpiError MPI_ERR_REQUEST" : thrown(() => barrier.cancel());
  await barrier;
  check("a collective call cannot", refused, "MpiError MPI_ERR_REQUEST");
}
{
  // Large enough not to be sent before somebody receives it.
  const length = 100_000;
  for (let i = 0; i < 5; i++) comm.Isend(new Float64Array(length).fill(rank + i / 10), { dest: next, tag: 7 });
  gc();
  const garbage = Array.from({ length: 20 }, () => new Float64Array(length).fill(-1));
  gc();
  const whole: boolean[] = [];
  for (let i = 0; i < 5; i++) {
    const inbox = new Float64Array(length);
    await comm.Irecv(inbox, { source: previous, tag: 7 });
    whole.push(inbox.every((value) => value === previous + i / 10));
  }
  comm.Barrier();
  check("what nobody awaits keeps its buffer", [garbage.length, whole], [20, [true, true, true, true, true]]);
}
{
  const inbox = new Float64Array(1);
  comm.Isend(new Float64Array(3), { dest: rank, tag: 8 });
  const request = comm.Irecv(inbox, { source: rank, tag: 8 });
  check("an error comes with the await", await rejected(() => request), "MpiError MPI_ERR_TRUNCATE");
  check(
    "and again with test and wait",
    [thrown(() => request.test()), thrown(() => request.wait())],
    ["MpiError MPI_ERR_TRUNCATE", "MpiError MPI_ERR_TRUNCATE"],
  );
}
{
  const sum = new Float64Array(2);
  const all = comm.Iallreduce(Float64Array.of(1, rank), sum);
  const parts = new Int16Array(size);
  const gathered = comm.Iallgather(Int16Array.of(rank), parts);
  const name = comm.Ibcast(rank === 0 ? Uint8Array.of(9) : new Uint8Array(1));
  check("collective requests give nothing", await MPI.waitAll([all, gathered, name]), [
    undefined,
    undefined,
    undefined,
  ]);
  check(
    "and fill their buffers",
    [[...sum], [...parts]],
    [[size, (size * (size - 1)) / 2], Array.from({ length: size }, (_, i) => i)],
  );
  const own = new Float64Array(1);
  const largest = MPI.op((a: number, b: number) => Math.max(a, b), { commutative: true });
  const request = comm.Iallreduce(Float64Array.of(rank), own, { op: largest });
  await request;
  check("with an operation of one's own too", own[0], size - 1);
}
finish();
