import { MPI } from "../../../src/mpi/index.ts";
import { unusual, values } from "./any-values.ts";
import { failsWith, groupOf, holds, range, ring, same } from "./behaviour.ts";

const behaviour = groupOf("any value from rank to rank");

behaviour("send and recv pass every simple value down the line of ranks", (comm) => {
  for (const value of values) {
    let seen = value;
    if (comm.rank > 0) seen = comm.recv({ source: comm.rank - 1 });
    if (comm.rank + 1 < comm.size) comm.send(seen, { dest: comm.rank + 1 });
    same(seen, value);
  }
});

behaviour("send and recv pass maps, sets, dates, patterns and typed arrays down the line of ranks", (comm) => {
  for (const value of unusual) {
    let seen = value;
    if (comm.rank > 0) seen = comm.recv({ source: comm.rank - 1 });
    if (comm.rank + 1 < comm.size) comm.send(seen, { dest: comm.rank + 1 });
    same(seen, value);
  }
});

behaviour("isend and recv carry every value around the ring", (comm) => {
  const { next, previous } = ring(comm);
  for (const value of [...values, ...unusual]) {
    const request = comm.isend(value, { dest: next });
    same(comm.recv({ source: previous }), value);
    request.wait();
  }
});

behaviour("irecv before send carries every value around the ring", (comm) => {
  const { next, previous } = ring(comm);
  for (const value of [...values, ...unusual]) {
    const receive = comm.irecv({ source: previous });
    const send = comm.isend(value, { dest: next });
    same(receive.wait(), value);
    send.wait();
  }
});

behaviour("irecv and isend can be awaited", async (comm) => {
  const { next, previous } = ring(comm);
  for (const value of [...values, ...unusual]) {
    const receive = comm.irecv({ source: previous });
    await comm.isend(value, { dest: next });
    same(await receive, value);
  }
});

behaviour("of two irecvs the first one posted gets the first message, whichever is asked first", (comm) => {
  const { next, previous } = ring(comm);
  const [a, b] = [comm.irecv({ source: previous, tag: 1 }), comm.irecv({ source: previous, tag: 1 })];
  const sends = ["first", "second"].map((text) => comm.isend(text, { dest: next, tag: 1 }));
  same(b.wait(), "second");
  same(a.wait(), "first");
  for (const send of sends) send.wait();
});

behaviour("a recv does not take the message of an irecv posted before", (comm) => {
  const { next, previous } = ring(comm);
  const posted = comm.irecv({ source: previous, tag: 1 });
  const sends = ["first", "second"].map((text) => comm.isend(text, { dest: next, tag: 1 }));
  same(comm.recv({ source: previous, tag: 1 }), "second");
  same(posted.wait(), "first");
  for (const send of sends) send.wait();
});

behaviour("a large value is sent while an irecv for another is posted", (comm) => {
  const { next, previous } = ring(comm);
  const large = new Float64Array(100_000).fill(comm.rank);
  const posted = comm.irecv<Float64Array>({ source: previous });
  comm.send(large, { dest: next });
  same(posted.wait()[0], previous);
});

behaviour("sendrecv carries every value around the ring", (comm) => {
  const { next, previous } = ring(comm);
  for (const value of [...values, ...unusual]) same(comm.sendrecv(value, { dest: next }, { source: previous }), value);
});

behaviour("sendrecv with tags and a status", (comm) => {
  const { next, previous } = ring(comm);
  const status = new MPI.Status();
  const value = comm.sendrecv({ from: comm.rank }, { dest: next, tag: 17 }, { source: previous, tag: 17, status });
  same([value, status.source, status.tag], [{ from: previous }, previous, 17]);
});

behaviour("ssend arrives as send does", (comm) => {
  if (comm.rank === 0) for (let dest = 1; dest < comm.size; dest++) comm.ssend({ dest }, { dest });
  else same(comm.recv({ source: 0 }), { dest: comm.rank });
});

behaviour("issend has not finished before its receive begins", (comm) => {
  if (comm.size === 1 || comm.rank > 1) return;
  if (comm.rank === 0) {
    const request = comm.issend("late", { dest: 1, tag: 4 });
    for (let i = 0; i < 20; i++) same(request.test(), false);
    comm.send("go", { dest: 1, tag: 5 });
    request.wait();
  } else {
    same(comm.recv({ source: 0, tag: 5 }), "go");
    same(comm.recv({ source: 0, tag: 4 }), "late");
  }
});

behaviour("issend to oneself ends with its receive", (comm) => {
  const request = comm.issend([1, 2], { dest: comm.rank });
  same(request.test(), false);
  same(comm.recv({ source: comm.rank }), [1, 2]);
  request.wait();
});

behaviour("many isends are received in their order", (comm) => {
  const { next, previous } = ring(comm);
  const sends = range(100).map((i) => comm.isend({ i }, { dest: next }));
  for (let i = 0; i < 100; i++) same(comm.recv({ source: previous }), { i });
  for (const send of sends) send.wait();
});

behaviour("many issends are received in their order", async (comm) => {
  const { next, previous } = ring(comm);
  const sends = range(50).map((i) => comm.issend(i, { dest: next }));
  for (let i = 0; i < 50; i++) same(comm.recv({ source: previous }), i);
  await MPI.waitAll(sends);
});

behaviour("the value sent is what it was at the call, whatever becomes of it afterwards", (comm) => {
  const { next, previous } = ring(comm);
  const value = { list: [1, 2, 3], array: new Float64Array(10_000).fill(4) };
  const send = comm.isend(value, { dest: next });
  value.list.length = 0;
  value.array.fill(0);
  same(comm.recv({ source: previous }), { list: [1, 2, 3], array: new Float64Array(10_000).fill(4) });
  send.wait();
});

behaviour("what is received is the receiver's own copy", (comm) => {
  const value = { list: [1] };
  const send = comm.isend(value, { dest: comm.rank });
  const received = comm.recv<typeof value>({ source: comm.rank });
  received.list.push(2);
  same(value, { list: [1] });
  send.wait();
});

behaviour("recv takes the message of its tag, not the first one", (comm) => {
  const { next, previous } = ring(comm);
  const sends = ["a", "b", "c"].map((text, tag) => comm.isend(text, { dest: next, tag }));
  same(
    [2, 0, 1].map((tag) => comm.recv({ source: previous, tag })),
    ["c", "a", "b"],
  );
  for (const send of sends) send.wait();
});

behaviour("recv from any source fills its status with sender and tag", (comm) => {
  const { next, previous } = ring(comm);
  const send = comm.isend("hello", { dest: next, tag: 20 + comm.rank });
  const status = new MPI.Status();
  same(comm.recv({ source: MPI.ANY_SOURCE, tag: MPI.ANY_TAG, status }), "hello");
  same([status.source, status.tag], [previous, 20 + previous]);
  holds(status.bytes > 0);
  send.wait();
});

behaviour("rank 0 collects values of all ranks from any source", (comm) => {
  if (comm.rank > 0) return comm.send({ rank: comm.rank }, { dest: 0, tag: 2 });
  const heard = range(comm.size - 1).map(() => comm.recv<{ rank: number }>({ tag: 2 }).rank);
  same(
    heard.sort(),
    range(comm.size - 1, (i) => i + 1),
  );
});

behaviour("send to PROC_NULL ends at once", (comm) => {
  for (const value of values) comm.send(value, { dest: MPI.PROC_NULL });
  same(comm.Iprobe(), undefined);
});

behaviour("recv from PROC_NULL gives undefined at once", (comm) => {
  const status = new MPI.Status();
  same(comm.recv({ source: MPI.PROC_NULL, status }), undefined);
  same(status.source, MPI.PROC_NULL);
});

behaviour("requests to and from PROC_NULL settle at once", async (comm) => {
  await comm.isend({ a: 1 }, { dest: MPI.PROC_NULL });
  await comm.issend({ a: 1 }, { dest: MPI.PROC_NULL });
  same(await comm.irecv({ source: MPI.PROC_NULL }), undefined);
  same(comm.sendrecv(1, { dest: MPI.PROC_NULL }, { source: MPI.PROC_NULL }), undefined);
});

behaviour("a ping-pong of values of growing size between two ranks", (comm) => {
  if (comm.size < 2 || comm.rank > 1) return;
  const other = 1 - comm.rank;
  for (let length = 1; length <= 1 << 16; length *= 16) {
    const value = { text: "x".repeat(length), numbers: range(Math.min(length, 1000)) };
    if (comm.rank === 0) {
      comm.send(value, { dest: other });
      same(comm.recv({ source: other }), value);
    } else comm.send(comm.recv({ source: other }), { dest: other });
  }
});

behaviour("values and typed arrays go side by side under different tags", (comm) => {
  const { next, previous } = ring(comm);
  const sends = [comm.Isend(Float64Array.of(1.5), { dest: next, tag: 1 }), comm.isend("text", { dest: next, tag: 2 })];
  same(comm.recv({ source: previous, tag: 2 }), "text");
  const received = new Float64Array(1);
  comm.Recv(received, { source: previous, tag: 1 });
  same(received[0], 1.5);
  for (const send of sends) send.wait();
});

behaviour("a cycle within a value stays a cycle", (comm) => {
  interface Node {
    readonly name: string;
    self?: Node;
  }
  const node: Node = { name: "loop" };
  node.self = node;
  const send = comm.isend(node, { dest: comm.rank });
  const received = comm.recv<Node>({ source: comm.rank });
  holds(received.self === received);
  same(received.name, "loop");
  send.wait();
});

behaviour("one object named twice within a value is one object again", (comm) => {
  const shared = { a: 1 };
  const send = comm.isend([shared, shared], { dest: comm.rank });
  const [first, second] = comm.recv<[object, object]>({ source: comm.rank });
  holds(first === second);
  send.wait();
});

behaviour("an error travels with its kind and message", (comm) => {
  const send = comm.isend(new RangeError("too far"), { dest: comm.rank });
  const received = comm.recv<Error>({ source: comm.rank });
  holds(received instanceof RangeError);
  same(received.message, "too far");
  send.wait();
});

behaviour("an object of a class arrives with its fields, as a plain object", (comm) => {
  class Point {
    x = 1;
    y = 2;
  }
  const send = comm.isend(new Point(), { dest: comm.rank });
  same(comm.recv({ source: comm.rank }), { x: 1, y: 2 });
  send.wait();
});

behaviour("a value that cannot travel is refused before anything is sent", (comm) => {
  for (const value of [() => 1, Symbol("s"), { f() {} }, [new WeakMap()]]) {
    let refused = false;
    try {
      comm.send(value, { dest: comm.rank });
    } catch {
      refused = true;
    }
    holds(refused, `${String(value)} is not refused`);
  }
  same(comm.Iprobe(), undefined);
});

behaviour("lists with holes keep their length", (comm) => {
  const list = new Array<number>(5);
  list[2] = 7;
  const send = comm.isend(list, { dest: comm.rank });
  const received = comm.recv<number[]>({ source: comm.rank });
  same([received.length, received[2], received[4]], [5, 7, undefined]);
  send.wait();
});

behaviour("a value of some megabytes with large arrays inside arrives whole", (comm) => {
  const { next, previous } = ring(comm);
  const value = { a: new Float64Array(300_000).fill(comm.rank), names: range(1000).map((i) => `n${i}`) };
  const send = comm.isend(value, { dest: next });
  const received = comm.recv<typeof value>({ source: previous });
  same([received.a.length, received.names.length], [300_000, 1000]);
  holds(received.a.every((x) => x === previous));
  send.wait();
});

behaviour("a received typed array can be written, and is no part of a larger one", (comm) => {
  const send = comm.isend(new Float64Array(1000).subarray(10, 20).fill(1), { dest: comm.rank });
  const received = comm.recv<Float64Array>({ source: comm.rank });
  received[0] = 9;
  same([received.length, received[0], received[9]], [10, 9, 1]);
  send.wait();
});

behaviour("send to a rank that is not there is MPI_ERR_RANK", (comm) => {
  failsWith("RANK", () => comm.send(1, { dest: comm.size }));
  failsWith("RANK", () => comm.isend(1, { dest: -5 }));
  failsWith("RANK", () => comm.recv({ source: comm.size }));
});
