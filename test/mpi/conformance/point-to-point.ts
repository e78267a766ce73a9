import { MPI } from "../../../src/mpi/index.ts";
import { arrayOf, filled, groupOf, holds, kinds, numbersOf, range, ring, same } from "./behaviour.ts";

const behaviour = groupOf("typed arrays from rank to rank");

behaviour("Sendrecv moves every kind of array around a ring, of any length from none", (comm) => {
  const { next, previous } = ring(comm);
  for (const kind of kinds)
    for (let length = 0; length <= comm.size; length++) {
      const received = filled(kind, length + 1, 99);
      comm.Sendrecv(filled(kind, length, length), { dest: next }, received, { source: previous });
      same(numbersOf(received), [...range(length, () => length), 99]);
    }
});

behaviour("Sendrecv tells who sent, with which tag, and how many elements", (comm) => {
  const { next, previous } = ring(comm);
  const received = new Int16Array(10);
  const status = comm.Sendrecv(new Int16Array(comm.rank + 1), { dest: next, tag: 5 }, received, {
    source: previous,
    tag: 5,
  });
  same([status.source, status.tag, status.count, status.bytes], [previous, 5, previous + 1, 2 * (previous + 1)]);
});

behaviour("Sendrecv goes both ways around the ring with different tags", (comm) => {
  const { next, previous } = ring(comm);
  const [fromPrevious, fromNext] = [new Int32Array(1), new Int32Array(1)];
  comm.Sendrecv(Int32Array.of(comm.rank), { dest: next, tag: 1 }, fromPrevious, { source: previous, tag: 1 });
  comm.Sendrecv(Int32Array.of(comm.rank), { dest: previous, tag: 2 }, fromNext, { source: next, tag: 2 });
  same([fromPrevious[0], fromNext[0]], [previous, next]);
});

behaviour("Sendrecv_replace puts what comes in the place of what goes", (comm) => {
  const { next, previous } = ring(comm);
  for (const kind of kinds)
    for (let length = 0; length <= comm.size; length++) {
      const buffer = filled(kind, length, comm.rank);
      comm.Sendrecv_replace(buffer, { dest: next }, { source: previous });
      same(
        numbersOf(buffer),
        range(length, () => previous),
      );
    }
});

behaviour("Sendrecv_replace tells the status of what came", (comm) => {
  const { next, previous } = ring(comm);
  const status = comm.Sendrecv_replace(
    new Float32Array(3),
    { dest: next, tag: 8 },
    { source: previous, tag: MPI.ANY_TAG },
  );
  same([status.source, status.tag, status.count], [previous, 8, 3]);
});

behaviour("Send and Ssend arrive at Recv for every kind of array", (comm) => {
  if (comm.size === 1) return;
  for (const kind of kinds)
    for (const length of [0, 1, 7]) {
      const sent = filled(kind, length, length);
      if (comm.rank === 0) {
        comm.Send(sent, { dest: 1 });
        comm.Ssend(sent, { dest: 1 });
      } else if (comm.rank === 1) {
        for (const _ of [1, 2]) {
          const received = filled(kind, length, 99);
          comm.Recv(received, { source: 0 });
          same(numbersOf(received), numbersOf(sent));
        }
      }
    }
});

behaviour("a message goes there and back unchanged", (comm) => {
  if (comm.size === 1 || comm.rank > 1) return;
  const values = Float64Array.of(Math.PI, -0, Number.MIN_VALUE, Number.MAX_VALUE, Infinity, -Infinity, NaN);
  const buffer = comm.rank === 0 ? values.slice() : new Float64Array(values.length);
  if (comm.rank === 0) {
    comm.Send(buffer, { dest: 1 });
    buffer.fill(0);
    comm.Recv(buffer, { source: 1 });
    same(buffer, values);
  } else {
    comm.Recv(buffer, { source: 0 });
    comm.Send(buffer, { dest: 0 });
  }
});

behaviour("messages of one rank with one tag arrive in the order in which they were sent", (comm) => {
  const { next, previous } = ring(comm);
  const sends = range(20).map((i) => comm.Isend(Int32Array.of(i), { dest: next, tag: 3 }));
  const received = new Int32Array(1);
  for (let i = 0; i < 20; i++) {
    comm.Recv(received, { source: previous, tag: 3 });
    same(received[0], i);
  }
  for (const send of sends) send.wait();
});

behaviour("a tag picks its message, also when another was sent before", (comm) => {
  const { next, previous } = ring(comm);
  const sends = [1, 2, 3].map((tag) => comm.Isend(Int32Array.of(10 * tag), { dest: next, tag }));
  const received = new Int32Array(1);
  for (const tag of [3, 1, 2]) {
    const status = comm.Recv(received, { source: previous, tag });
    same([received[0], status.tag], [10 * tag, tag]);
  }
  for (const send of sends) send.wait();
});

behaviour("Recv from any source with any tag is the default, and its status tells both", (comm) => {
  const { next, previous } = ring(comm);
  const send = comm.Isend(Float64Array.of(comm.rank), { dest: next, tag: 40 + comm.rank });
  const received = new Float64Array(1);
  const status = comm.Recv(received);
  same([status.source, status.tag, received[0]], [previous, 40 + previous, previous]);
  send.wait();
});

behaviour("rank 0 hears from all ranks through ANY_SOURCE, each once", (comm) => {
  if (comm.rank > 0) return comm.Send(Int32Array.of(comm.rank), { dest: 0, tag: 6 });
  const heard = new Set<number>();
  for (let i = 1; i < comm.size; i++) {
    const buffer = new Int32Array(1);
    const { source } = comm.Recv(buffer, { source: MPI.ANY_SOURCE, tag: 6 });
    same(buffer[0], source);
    heard.add(source);
  }
  same(heard.size, comm.size - 1);
});

behaviour("a shorter message fills the front of the buffer and leaves the rest", (comm) => {
  const { next, previous } = ring(comm);
  const send = comm.Isend(Float32Array.of(1, 2), { dest: next });
  const received = new Float32Array(5).fill(-1);
  same(comm.Recv(received, { source: previous }).count, 2);
  same([...received], [1, 2, -1, -1, -1]);
  send.wait();
});

behaviour("a message without elements arrives and counts 0", (comm) => {
  const { next, previous } = ring(comm);
  const send = comm.Isend(new Float64Array(0), { dest: next, tag: 2 });
  const status = comm.Recv(new Float64Array(0), { source: previous, tag: 2 });
  same([status.source, status.tag, status.count, status.bytes], [previous, 2, 0, 0]);
  send.wait();
});

behaviour("a part of an array, as subarray gives it, is sent and received in place", (comm) => {
  const { next, previous } = ring(comm);
  const source = Float64Array.from(range(10));
  const target = new Float64Array(10).fill(-1);
  comm.Sendrecv(source.subarray(3, 6), { dest: next }, target.subarray(7), { source: previous });
  same([...target], [-1, -1, -1, -1, -1, -1, -1, 3, 4, 5]);
});

behaviour("arrays over one ArrayBuffer at odd byte offsets keep their places", (comm) => {
  const { next, previous } = ring(comm);
  const bytes = new ArrayBuffer(32);
  const [sent, received] = [new Uint8Array(bytes, 1, 5), new Uint8Array(bytes, 11, 5)];
  sent.set([1, 2, 3, 4, 5]);
  comm.Sendrecv(sent, { dest: next }, received, { source: previous });
  same([...new Uint8Array(bytes)], [0, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, ...range(16, () => 0)]);
});

behaviour("arrays over shared memory are sent and received", (comm) => {
  const { next, previous } = ring(comm);
  const sent = new Int32Array(new SharedArrayBuffer(8));
  const received = new Int32Array(new SharedArrayBuffer(8));
  sent.set([comm.rank, 7]);
  comm.Sendrecv(sent, { dest: next }, received, { source: previous });
  same([...received], [previous, 7]);
});

behaviour("a Node.js Buffer, from the pool that all share, is a Uint8Array to MPI", (comm) => {
  const { next, previous } = ring(comm);
  const received = Buffer.alloc(3);
  comm.Sendrecv(Buffer.from("abc"), { dest: next }, received, { source: previous });
  same(received.toString(), "abc");
});

behaviour("the largest and smallest integers of each kind arrive to the bit", (comm) => {
  const { next, previous } = ring(comm);
  const limits = [
    BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n),
    BigUint64Array.of(0n, 2n ** 64n - 1n),
    Int32Array.of(-(2 ** 31), 2 ** 31 - 1),
    Uint32Array.of(0, 2 ** 32 - 1),
    Int16Array.of(-(2 ** 15), 2 ** 15 - 1),
    Int8Array.of(-128, 127),
    Uint8ClampedArray.of(0, 255),
  ];
  for (const sent of limits) {
    const received = new (sent.constructor as Float64ArrayConstructor)(2);
    comm.Sendrecv(sent, { dest: next }, received, { source: previous });
    same(received, sent);
  }
});

behaviour("a message of a million elements arrives whole", (comm) => {
  const { next, previous } = ring(comm);
  const length = 1_000_000;
  const received = new Float64Array(length);
  const sent = Float64Array.from({ length }, (_, i) => i + comm.rank);
  comm.Sendrecv(sent, { dest: next }, received, { source: previous });
  holds(received.every((value, i) => value === i + previous));
});

behaviour("sends to PROC_NULL end at once, and nothing is left of them", (comm) => {
  const buffer = new Float64Array(4);
  comm.Send(buffer, { dest: MPI.PROC_NULL });
  comm.Ssend(buffer, { dest: MPI.PROC_NULL, tag: 3 });
  same(comm.Iprobe(), undefined);
});

behaviour("Recv from PROC_NULL ends at once with no elements, from PROC_NULL, and leaves the buffer", (comm) => {
  const buffer = Float64Array.of(1, 2);
  const status = comm.Recv(buffer, { source: MPI.PROC_NULL });
  same([status.source, status.tag, status.count, ...buffer], [MPI.PROC_NULL, MPI.ANY_TAG, 0, 1, 2]);
});

behaviour("Sendrecv with PROC_NULL on both sides moves nothing", (comm) => {
  const buffer = Int32Array.of(5);
  const status = comm.Sendrecv(Int32Array.of(6), { dest: MPI.PROC_NULL }, buffer, { source: MPI.PROC_NULL });
  same([status.count, buffer[0]], [0, 5]);
  comm.Sendrecv_replace(buffer, { dest: MPI.PROC_NULL }, { source: MPI.PROC_NULL });
  same(buffer[0], 5);
});

behaviour("the ends of a line send to PROC_NULL, and their outer cells stay", (comm) => {
  const up = comm.rank + 1 < comm.size ? comm.rank + 1 : MPI.PROC_NULL;
  const down = comm.rank > 0 ? comm.rank - 1 : MPI.PROC_NULL;
  const cells = Float64Array.of(-1, comm.rank, -2);
  comm.Sendrecv(cells.subarray(1, 2), { dest: up }, cells.subarray(0, 1), { source: down });
  comm.Sendrecv(cells.subarray(1, 2), { dest: down }, cells.subarray(2, 3), { source: up });
  same([...cells], [comm.rank > 0 ? comm.rank - 1 : -1, comm.rank, comm.rank + 1 < comm.size ? comm.rank + 1 : -2]);
});

behaviour("Isend to oneself is received by Recv", (comm) => {
  const send = comm.Isend(Int8Array.of(1, -1), { dest: comm.rank });
  const received = new Int8Array(2);
  comm.Recv(received, { source: comm.rank });
  same([...received], [1, -1]);
  send.wait();
});

behaviour("Irecv before Send to oneself receives it", (comm) => {
  const received = new Uint16Array(2);
  const request = comm.Irecv(received, { source: comm.rank, tag: 1 });
  comm.Send(Uint16Array.of(3, 4), { dest: comm.rank, tag: 1 });
  same(request.wait().count, 2);
  same([...received], [3, 4]);
});

behaviour("Issend has not finished before its receive begins", (comm) => {
  if (comm.size === 1) return;
  if (comm.rank === 0) {
    const request = comm.Issend(Int32Array.of(1), { dest: 1 });
    for (let i = 0; i < 50; i++) same(request.test(), false);
    comm.Send(Int32Array.of(2), { dest: 1, tag: 9 });
    request.wait();
  } else if (comm.rank === 1) {
    const buffer = new Int32Array(1);
    comm.Recv(buffer, { source: 0, tag: 9 });
    comm.Recv(buffer, { source: 0, tag: 0 });
    same(buffer[0], 1);
  }
});

behaviour("messages in one communicator never meet those of another", (comm) => {
  const { next, previous } = ring(comm);
  using other = comm.dup();
  const sends = [comm.Isend(Int32Array.of(1), { dest: next }), other.Isend(Int32Array.of(2), { dest: next })];
  const received = new Int32Array(1);
  other.Recv(received, { source: previous });
  same(received[0], 2);
  comm.Recv(received, { source: previous });
  same(received[0], 1);
  for (const send of sends) send.wait();
});

behaviour("the largest tag is at least 32767 and can be used", (comm) => {
  const { next, previous } = ring(comm);
  holds(MPI.TAG_UB >= 32767);
  const status = comm.Sendrecv(Int32Array.of(1), { dest: next, tag: MPI.TAG_UB }, new Int32Array(1), {
    source: previous,
    tag: MPI.TAG_UB,
  });
  same(status.tag, MPI.TAG_UB);
});

behaviour("every rank sends to every rank, itself included", (comm) => {
  const inbox = range(comm.size).map(() => new Int32Array(1));
  const receives = inbox.map((buffer, source) => comm.Irecv(buffer, { source, tag: 12 }));
  const sends = inbox.map((_, dest) => comm.Isend(Int32Array.of(100 * comm.rank + dest), { dest, tag: 12 }));
  for (const request of [...receives, ...sends]) request.wait();
  same(
    inbox.map((buffer) => buffer[0]),
    range(comm.size, (source) => 100 * source + comm.rank),
  );
});

behaviour("complex numbers travel as pairs of their parts", (comm) => {
  const { next, previous } = ring(comm);
  const received = new Float64Array(4);
  const status = comm.Sendrecv(MPI.complex(Float64Array.of(1, 2, 3, 4)), { dest: next }, MPI.complex(received), {
    source: previous,
  });
  same([...received], [1, 2, 3, 4]);
  same(status.bytes, 32);
});

behaviour("a message of any kind can be received as bytes", (comm) => {
  const { next, previous } = ring(comm);
  const sent = arrayOf(Float64Array, [1.5, 2.5]);
  const bytes = new Uint8Array(16);
  comm.Sendrecv(new Uint8Array(sent.buffer), { dest: next }, bytes, { source: previous });
  same([...new Float64Array(bytes.buffer)], [1.5, 2.5]);
});
