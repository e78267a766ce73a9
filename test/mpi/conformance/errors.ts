import { MPI, type MpiError } from "../../../src/mpi/index.ts";
import { failsWith, groupOf, holds, isRefused, range, rejectsWith, same } from "./behaviour.ts";

const behaviour = groupOf("errors");
const one = (): Float64Array => new Float64Array(1);

behaviour("a destination that is not there is MPI_ERR_RANK, and nothing is sent", (comm) => {
  for (const dest of [comm.size, comm.size + 1000, -5]) {
    failsWith("RANK", () => comm.Send(one(), { dest }));
    failsWith("RANK", () => comm.Ssend(one(), { dest }));
    failsWith("RANK", () => comm.Isend(one(), { dest }));
    failsWith("RANK", () => comm.Issend(one(), { dest }));
  }
});

behaviour("a source that is not there is MPI_ERR_RANK", (comm) => {
  for (const source of [comm.size, -77]) {
    failsWith("RANK", () => comm.Recv(one(), { source }));
    failsWith("RANK", () => comm.Irecv(one(), { source }));
    failsWith("RANK", () => comm.Probe({ source }));
    failsWith("RANK", () => comm.Iprobe({ source }));
    failsWith("RANK", () => comm.Improbe({ source }));
  }
});

behaviour("a negative tag, or one beyond TAG_UB, is MPI_ERR_TAG", (comm) => {
  failsWith("TAG", () => comm.Send(one(), { dest: comm.rank, tag: -5 }));
  failsWith("TAG", () => comm.Isend(one(), { dest: comm.rank, tag: -1 }));
  failsWith("TAG", () => comm.Recv(one(), { source: comm.rank, tag: -50 }));
  if (MPI.TAG_UB < 2 ** 31 - 1) failsWith("TAG", () => comm.Send(one(), { dest: comm.rank, tag: MPI.TAG_UB + 1 }));
});

behaviour("a root that is not there is MPI_ERR_ROOT in every collective call", (comm) => {
  for (const root of [-1, comm.size, 2 ** 30]) {
    failsWith("ROOT", () => comm.Bcast(one(), { root }));
    failsWith("ROOT", () => comm.Gather(one(), new Float64Array(comm.size), { root }));
    failsWith("ROOT", () => comm.Scatter(new Float64Array(comm.size), one(), { root }));
    failsWith("ROOT", () => comm.Reduce(one(), one(), { root }));
    failsWith("ROOT", () => comm.Ibcast(one(), { root }));
    failsWith("ROOT", () => comm.Gatherv(one(), new Float64Array(comm.size), { root }));
    failsWith("ROOT", () => comm.Scatterv(new Float64Array(comm.size), one(), { root }));
  }
});

behaviour("a message longer than the buffer is MPI_ERR_TRUNCATE", (comm) => {
  const send = comm.Isend(new Float64Array(3), { dest: comm.rank });
  failsWith("TRUNCATE", () => comm.Recv(one(), { source: comm.rank }));
  send.wait();
});

behaviour("after an error the communicator carries messages as before", (comm) => {
  failsWith("RANK", () => comm.Send(one(), { dest: comm.size }));
  const send = comm.Isend(Float64Array.of(3), { dest: comm.rank });
  const received = one();
  comm.Recv(received, { source: comm.rank });
  send.wait();
  same([received[0], comm.allgather(1).length], [3, comm.size]);
});

behaviour("an error has its class, MPI's code, the operation and the peer, and a message that names them", (comm) => {
  let seen: MpiError | undefined;
  try {
    comm.Send(one(), { dest: comm.size });
  } catch (error) {
    seen = error as MpiError;
  }
  holds(seen instanceof Error);
  same(
    [seen.code, seen.name, seen.class, seen.operation, seen.peer],
    ["Mpi", "MpiError", "MPI_ERR_RANK", "Send", comm.size],
  );
  holds(Number.isInteger(seen.errorCode) && seen.errorCode !== 0);
  holds(/MPI_ERR_RANK/.test(seen.message) && /Send/.test(seen.message), seen.message);
});

behaviour("an error's stack leads to the line of the call", (comm) => {
  try {
    comm.Recv(one(), { source: comm.size });
  } catch (error) {
    return holds((error as Error).stack?.includes("errors.ts") || (error as Error).stack?.includes("main"));
  }
  holds(false);
});

behaviour("an operation on bits of floats is MPI_ERR_OP or refused", (comm) => {
  for (const op of [MPI.BAND, MPI.BOR, MPI.BXOR]) {
    let said = false;
    try {
      comm.Allreduce(one(), one(), { op });
    } catch {
      said = true;
    }
    holds(said, op.name);
  }
});

behaviour("upper-case calls refuse what is no typed array, in words", (comm) => {
  for (const wrong of [[1, 2], "text", 5, {}, null, undefined, new DataView(new ArrayBuffer(8)), new ArrayBuffer(8)]) {
    isRefused(() => comm.Send(wrong as never, { dest: comm.rank }));
    isRefused(() => comm.Recv(wrong as never, { source: comm.rank }));
    isRefused(() => comm.Bcast(wrong as never));
    isRefused(() => comm.Isend(wrong as never, { dest: comm.rank }));
    isRefused(() => comm.Allreduce(wrong as never, one() as never));
    isRefused(() => comm.Allreduce(one(), wrong as never));
  }
});

behaviour("a send without dest is refused", (comm) => {
  isRefused(() => comm.Send(one(), {} as never));
  isRefused(() => comm.Send(one(), undefined as never));
  isRefused(() => comm.send(1, {} as never));
});

behaviour("ranks and tags that are no integers are refused", (comm) => {
  for (const wrong of [1.5, Number.NaN, "1", 1n, null, {}, 2 ** 40]) {
    isRefused(() => comm.Send(one(), { dest: wrong as never }));
    isRefused(() => comm.Send(one(), { dest: comm.rank, tag: wrong as never }));
    isRefused(() => comm.Recv(one(), { source: wrong as never }));
    isRefused(() => comm.Recv(one(), { tag: wrong as never }));
    isRefused(() => comm.Bcast(one(), { root: wrong as never }));
  }
});

behaviour("two kinds of array in one collective call are refused", (comm) => {
  isRefused(() => comm.Allreduce(one(), new Float32Array(1) as never));
  isRefused(() => comm.Allgather(new Int32Array(1), new Uint32Array(comm.size) as never));
  isRefused(() => comm.Alltoall(new Int16Array(comm.size), new Uint16Array(comm.size) as never));
  isRefused(() => comm.Scan(new Int8Array(1), new Uint8Array(1) as never));
});

behaviour("buffers whose lengths do not fit together are refused, or an MpiError", (comm) => {
  const said = (run: () => unknown): boolean => {
    try {
      run();
    } catch {
      return true;
    }
    return false;
  };
  holds(
    said(() => comm.Allreduce(new Float64Array(2), one())),
    "Allreduce",
  );
  holds(
    said(() => comm.Scan(new Float64Array(3), one())),
    "Scan",
  );
  holds(
    said(() => comm.Allgather(new Float64Array(2), new Float64Array(2 * comm.size + 1))),
    "Allgather",
  );
  holds(
    said(() => comm.Alltoall(new Float64Array(comm.size), new Float64Array(2 * comm.size))),
    "Alltoall",
  );
  holds(
    said(() => comm.Reduce_scatter_block(new Float64Array(comm.size), new Float64Array(2))),
    "Reduce_scatter_block",
  );
  if (comm.size > 1) holds(said(() => comm.Alltoall(new Float64Array(comm.size + 1), new Float64Array(comm.size + 1))));
});

behaviour("counts and displacements that reach beyond the array are refused", (comm) => {
  const ones = range(comm.size, () => 1);
  const whole = new Float64Array(comm.size);
  isRefused(() => comm.Allgatherv(one(), whole, { counts: range(comm.size, () => 2) }));
  isRefused(() => comm.Allgatherv(one(), whole, { counts: ones, displacements: range(comm.size, () => comm.size) }));
  isRefused(() => comm.Allgatherv(one(), whole, { counts: ones, displacements: range(comm.size, () => -1) }));
  isRefused(() => comm.Allgatherv(one(), whole, { counts: range(comm.size, () => -1) }));
  isRefused(() => comm.Allgatherv(one(), whole, { counts: [...ones, 1] }));
  const receiveCounts = range(comm.size, () => 2);
  isRefused(() => comm.Alltoallv(whole, whole.slice(), { sendCounts: ones, receiveCounts }));
  isRefused(() => comm.Alltoallv(whole, whole.slice(), { sendCounts: [], receiveCounts: ones }));
});

behaviour("what is no operation is refused", (comm) => {
  for (const wrong of ["SUM", 1, {}, (a: number, b: number) => a + b]) {
    isRefused(() => comm.Allreduce(one(), one(), { op: wrong as never }));
    isRefused(() => comm.allreduce(1, { op: wrong as never }));
  }
  isRefused(() => MPI.op("no function" as never));
});

behaviour("a lower-case receive of what an upper-case send sent says so", (comm) => {
  const send = comm.Isend(Float64Array.of(1, 2, 3), { dest: comm.rank });
  let text = "";
  try {
    comm.recv({ source: comm.rank });
  } catch (error) {
    text = String(error);
  }
  send.wait();
  holds(text.includes("upper-case"), text);
});

behaviour("an array whose ArrayBuffer was transferred is refused, or has no elements", (comm) => {
  const gone = new Float64Array(4);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  let said = false;
  try {
    comm.Sendrecv(gone, { dest: comm.rank }, gone, { source: comm.rank });
  } catch {
    said = true;
  }
  holds(said || gone.length === 0);
});

behaviour("a buffer transferred while its request is under way is told when the request settles", async (comm) => {
  const buffer = new Float64Array(4);
  const request = comm.Irecv(buffer, { source: comm.rank, tag: 3 });
  const moved = structuredClone(buffer.buffer, { transfer: [buffer.buffer] });
  const send = comm.Isend(Float64Array.of(1, 2, 3, 4), { dest: comm.rank, tag: 3 });
  await rejectsWith("BUFFER", request);
  same(moved.byteLength, 32);
  await send;
});

behaviour("memory that can shrink is refused for requests", (comm) => {
  const buffer = new Float64Array(
    new (ArrayBuffer as new (n: number, o: object) => ArrayBuffer)(32, { maxByteLength: 64 }),
  );
  if (!("resizable" in buffer.buffer)) return;
  isRefused(() => comm.Irecv(buffer, { source: comm.rank }));
  isRefused(() => comm.Isend(buffer, { dest: comm.rank }));
});

behaviour("errors of a request name the call that made it", async (comm) => {
  const send = comm.Isend(new Float64Array(2), { dest: comm.rank });
  comm.Probe({ source: comm.rank });
  const request = comm.Irecv(one(), { source: comm.rank });
  let operation = "";
  try {
    request.wait();
  } catch (error) {
    operation = (error as MpiError).operation;
  }
  same(operation, "Irecv");
  await send;
});

behaviour("an operation that throws on typed arrays throws at the caller", (comm) => {
  const op = MPI.op((_a: number, _b: number): number => {
    throw new RangeError("not these");
  });
  // Which rank combines is the implementation's affair: at least one of several ranks sees the error, and none hangs.
  let seen = 0;
  try {
    comm.Allreduce(one(), one(), { op });
  } catch (error) {
    holds(error instanceof RangeError, String(error));
    seen = 1;
  }
  const all = comm.allgather(seen);
  holds(comm.size === 1 || all.includes(1));
});
