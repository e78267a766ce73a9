import { MPI } from "../../../src/mpi/index.ts";
import { failsWith, filled, groupOf, holds, kinds, numbersOf, range, ring, same } from "./behaviour.ts";

const behaviour = groupOf("probe and status");

behaviour("Probe tells of a message of every kind, and leaves it to be received", (comm) => {
  const { next, previous } = ring(comm);
  for (const kind of kinds)
    for (let length = 0; length <= 3; length++) {
      const send = comm.Isend(filled(kind, length, 1), { dest: next, tag: 4 });
      const status = comm.Probe({ source: previous, tag: 4 });
      same([status.source, status.tag, status.bytes], [previous, 4, length * kind.BYTES_PER_ELEMENT]);
      const received = filled(kind, length, 0);
      same(comm.Recv(received, { source: previous, tag: 4 }).count, length);
      same(
        numbersOf(received),
        range(length, () => 1),
      );
      send.wait();
    }
});

behaviour("Probe of any source and any tag waits for what comes", (comm) => {
  const { next, previous } = ring(comm);
  const send = comm.Isend(Int32Array.of(1, 2, 3), { dest: next, tag: 30 + comm.rank });
  const { source, tag, bytes } = comm.Probe();
  same([source, tag, bytes], [previous, 30 + previous, 12]);
  comm.Recv(new Int32Array(3), { source, tag });
  send.wait();
});

behaviour("Probe finds how large a buffer must be", (comm) => {
  const { next, previous } = ring(comm);
  const send = comm.Isend(Float64Array.from(range(comm.rank + 3)), { dest: next });
  const received = new Float64Array(comm.Probe({ source: previous }).bytes / 8);
  comm.Recv(received, { source: previous });
  same([...received], range(previous + 3));
  send.wait();
});

behaviour("Iprobe finds nothing where nothing was sent", (comm) => {
  same(comm.Iprobe(), undefined);
  same(comm.Iprobe({ source: comm.rank, tag: 1 }), undefined);
});

behaviour("Iprobe finds a message once it is there", (comm) => {
  const { next, previous } = ring(comm);
  const send = comm.Isend(Uint8Array.of(1, 2), { dest: next, tag: 6 });
  let status: ReturnType<typeof comm.Iprobe>;
  while (!status) status = comm.Iprobe({ source: previous, tag: 6 });
  same([status.source, status.tag, status.bytes], [previous, 6, 2]);
  comm.Recv(new Uint8Array(2), { source: previous, tag: 6 });
  same(comm.Iprobe({ source: previous, tag: 6 }), undefined);
  send.wait();
});

behaviour("Iprobe does not see a message of another tag", (comm) => {
  const send = comm.Isend(Int8Array.of(1), { dest: comm.rank, tag: 1 });
  comm.Probe({ source: comm.rank, tag: 1 });
  same(comm.Iprobe({ source: comm.rank, tag: 2 }), undefined);
  comm.Recv(new Int8Array(1), { source: comm.rank, tag: 1 });
  send.wait();
});

behaviour("Probe and Iprobe of PROC_NULL tell of an empty message from nobody", (comm) => {
  const probed = comm.Probe({ source: MPI.PROC_NULL });
  same([probed.source, probed.tag, probed.bytes], [MPI.PROC_NULL, MPI.ANY_TAG, 0]);
  same(comm.Iprobe({ source: MPI.PROC_NULL })?.source, MPI.PROC_NULL);
});

behaviour("Probe sees a value that a lower-case call sent", (comm) => {
  const { next, previous } = ring(comm);
  const send = comm.isend({ a: [1, 2, 3] }, { dest: next, tag: 7 });
  const status = comm.Probe({ source: previous, tag: 7 });
  same([status.source, status.tag], [previous, 7]);
  holds(status.bytes > 0);
  same(comm.recv({ source: status.source, tag: status.tag }), { a: [1, 2, 3] });
  send.wait();
});

behaviour("Mprobe takes a message, which its Recv alone receives", (comm) => {
  const { next, previous } = ring(comm);
  for (const kind of kinds) {
    const tag = 8 + kinds.indexOf(kind);
    const send = comm.Isend(filled(kind, 3, 5), { dest: next, tag });
    const message = comm.Mprobe({ source: previous, tag });
    same([message.source, message.tag, message.bytes], [previous, tag, 3 * kind.BYTES_PER_ELEMENT]);
    same(comm.Iprobe({ source: previous, tag }), undefined);
    const received = filled(kind, 3, 0);
    const status = message.Recv(received);
    same([status.source, status.tag, status.count], [previous, tag, 3]);
    same(numbersOf(received), [5, 5, 5]);
    send.wait();
  }
});

behaviour("Mprobe of any source and tag takes whatever comes", (comm) => {
  const { next, previous } = ring(comm);
  const send = comm.Isend(Int32Array.of(comm.rank), { dest: next, tag: 50 });
  const message = comm.Mprobe();
  same([message.source, message.tag], [previous, 50]);
  const received = new Int32Array(1);
  message.Recv(received);
  same(received[0], previous);
  send.wait();
});

behaviour("a later message overtakes one that Mprobe has taken", (comm) => {
  const { next, previous } = ring(comm);
  const sends = [1, 2].map((value) => comm.Isend(Int32Array.of(value), { dest: next, tag: 9 }));
  const first = comm.Mprobe({ source: previous, tag: 9 });
  const received = new Int32Array(1);
  comm.Recv(received, { source: previous, tag: 9 });
  same(received[0], 2);
  first.Recv(received);
  same(received[0], 1);
  for (const send of sends) send.wait();
});

behaviour("Improbe finds nothing, then the message", (comm) => {
  same(comm.Improbe({ source: comm.rank, tag: 10 }), undefined);
  const { next, previous } = ring(comm);
  const send = comm.Isend(Float32Array.of(1.5), { dest: next, tag: 11 });
  let message: ReturnType<typeof comm.Improbe>;
  while (!message) message = comm.Improbe({ source: previous, tag: 11 });
  const received = new Float32Array(1);
  message.Recv(received);
  same(received[0], 1.5);
  send.wait();
});

behaviour("a taken message can be received with a request", async (comm) => {
  const { next, previous } = ring(comm);
  const send = comm.Isend(Int16Array.of(1, 2, 3, 4), { dest: next });
  const received = new Int16Array(4);
  const { count, source } = await comm.Mprobe({ source: previous }).Irecv(received);
  same([count, source, ...received], [4, previous, 1, 2, 3, 4]);
  await send;
});

behaviour("a taken message of a lower-case call is received as its value", (comm) => {
  const { next, previous } = ring(comm);
  for (const value of [null, 7, "text", { deep: [1, { er: true }] }, new Map([[1, 2]])]) {
    const send = comm.isend(value, { dest: next });
    same(comm.Mprobe({ source: previous }).recv(), value);
    send.wait();
  }
});

behaviour("the message of PROC_NULL is received at once with nothing", (comm) => {
  const message = comm.Mprobe({ source: MPI.PROC_NULL });
  same(message.source, MPI.PROC_NULL);
  const status = message.Recv(new Int32Array(1));
  same([status.source, status.count], [MPI.PROC_NULL, 0]);
  same(comm.Mprobe({ source: MPI.PROC_NULL }).recv(), undefined);
});

behaviour("a message that was taken cannot be received twice", (comm) => {
  const send = comm.Isend(Int32Array.of(1), { dest: comm.rank });
  const message = comm.Mprobe({ source: comm.rank });
  const received = new Int32Array(1);
  message.Recv(received);
  let failed = false;
  try {
    message.Recv(received);
  } catch {
    failed = true;
  }
  holds(failed);
  send.wait();
});

behaviour("a taken message longer than the buffer is MPI_ERR_TRUNCATE", (comm) => {
  const send = comm.Isend(new Int32Array(8), { dest: comm.rank });
  failsWith("TRUNCATE", () => comm.Mprobe({ source: comm.rank }).Recv(new Int32Array(2)));
  send.wait();
});

behaviour("a status counts elements of the kind that was received into", (comm) => {
  const bytes = new Uint8Array(24);
  const send = comm.Isend(bytes, { dest: comm.rank });
  const status = comm.Recv(new Uint8Array(24), { source: comm.rank });
  same([status.count, status.bytes], [24, 24]);
  send.wait();
  const doubles = comm.Isend(new Float64Array(3), { dest: comm.rank });
  const other = comm.Recv(new Float64Array(5), { source: comm.rank });
  same([other.count, other.bytes], [3, 24]);
  doubles.wait();
});

behaviour("a status of a finished receive is not cancelled", (comm) => {
  const send = comm.Isend(new Int32Array(1), { dest: comm.rank });
  same(comm.Recv(new Int32Array(1), { source: comm.rank }).cancelled, false);
  send.wait();
});

behaviour("a new Status is that of no message", (_comm) => {
  const status = new MPI.Status();
  same(
    [status.source, status.tag, status.count, status.bytes, status.cancelled],
    [MPI.ANY_SOURCE, MPI.ANY_TAG, 0, 0, false],
  );
});

behaviour("one status may be filled again and again", (comm) => {
  const status = new MPI.Status();
  for (const tag of [1, 5, 3]) {
    const send = comm.isend("x".repeat(tag), { dest: comm.rank, tag });
    comm.recv({ source: comm.rank, status });
    same(status.tag, tag);
    send.wait();
  }
});

behaviour("probing ranks sees messages of several senders, each with its own length", (comm) => {
  if (comm.rank > 0) return comm.Send(new Float64Array(comm.rank), { dest: 0, tag: 60 });
  const lengths = new Map<number, number>();
  for (let i = 1; i < comm.size; i++) {
    const { source, bytes } = comm.Probe({ tag: 60 });
    comm.Recv(new Float64Array(bytes / 8), { source, tag: 60 });
    lengths.set(source, bytes / 8);
  }
  for (const [source, length] of lengths) same(length, source);
  same(lengths.size, comm.size - 1);
});
