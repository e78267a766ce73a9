/** Two ranks: messages, reductions, values and awaiting. Started by mpi-launch.ts; rank 0 prints the figures. */
import { MPI } from "girona/mpi";
import { report, sizesFromArguments } from "../case.ts";

// Many short repeats: some of them are undisturbed, whatever else the machine does.
const { many, few, repeats, idleMs } = sizesFromArguments<{
  many: number;
  few: number;
  repeats: number;
  idleMs: number;
}>();
const comm = MPI.COMM_WORLD;
const { rank } = comm;
const other = 1 - rank;

/** Microseconds per message: the least of some repeats. */
function least(iterations: number, messages: number, work: (iterations: number) => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < repeats; repeat++) {
    comm.Barrier();
    const start = MPI.Wtime();
    work(iterations);
    best = Math.min(best, (MPI.Wtime() - start) / iterations / messages);
  }
  return best * 1e6;
}

function pingPong(doubles: number, iterations: number): number {
  const data = new Float64Array(doubles);
  return least(iterations, 2, (n) => {
    if (rank === 0)
      for (let i = 0; i < n; i++) {
        comm.Send(data, { dest: 1, tag: 0 });
        comm.Recv(data, { source: 1, tag: 0 });
      }
    else
      for (let i = 0; i < n; i++) {
        comm.Recv(data, { source: 0, tag: 0 });
        comm.Send(data, { dest: 0, tag: 0 });
      }
  });
}

function values(value: unknown, iterations: number): number {
  let got: unknown;
  const each = least(iterations, 2, (n) => {
    if (rank === 0)
      for (let i = 0; i < n; i++) {
        comm.send(value, { dest: 1, tag: 0 });
        got = comm.recv({ source: 1, tag: 0 });
      }
    else
      for (let i = 0; i < n; i++) {
        got = comm.recv({ source: 0, tag: 0 });
        comm.send(got, { dest: 0, tag: 0 });
      }
  });
  if (JSON.stringify(got) !== JSON.stringify(value)) throw new Error("another value arrived");
  return each;
}

function allreduce(doubles: number, iterations: number): number {
  const send = new Float64Array(doubles);
  const receive = new Float64Array(doubles);
  return least(iterations, 1, (n) => {
    for (let i = 0; i < n; i++) comm.Allreduce(send, receive);
  });
}

/** As pingPong with 8 bytes, each message awaited. */
async function awaited(iterations: number): Promise<number> {
  const data = new Float64Array(1);
  let best = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < repeats; repeat++) {
    comm.Barrier();
    const start = MPI.Wtime();
    for (let i = 0; i < iterations; i++) {
      if (rank === 0) {
        await comm.Isend(data, { dest: 1, tag: 0 });
        await comm.Irecv(data, { source: 1, tag: 0 });
      } else {
        await comm.Irecv(data, { source: 0, tag: 0 });
        await comm.Isend(data, { dest: 0, tag: 0 });
      }
    }
    best = Math.min(best, (MPI.Wtime() - start) / iterations / 2);
  }
  return best * 1e6;
}

/** Percent of a core that rank 0 uses while it awaits a message that is long in coming. */
async function idle(): Promise<number> {
  const data = new Float64Array(1);
  comm.Barrier();
  if (rank === 1) {
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    comm.Send(data, { dest: 0 });
    return 0;
  }
  const before = process.cpuUsage();
  const start = performance.now();
  await comm.Irecv(data, { source: other });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (performance.now() - start) / 0.01;
}

const records = Array.from({ length: 1000 }, (_, i) => ({ id: i, value: i * 0.5, name: `item${i}` }));
const pingpong = pingPong(1, many);
const figures = {
  "mpi.pingpong": pingpong,
  "mpi.message": pingPong(131_072, few),
  "mpi.allreduce8": allreduce(1, many),
  "mpi.allreduce1m": allreduce(131_072, few),
  "mpi.int": values(1, many),
  "mpi.object": values({ a: 7, b: 3.14, name: "x", list: [1, 2, 3] }, many),
  "mpi.records": values(records, Math.max(10, few / 5)),
  "mpi.await": (await awaited(many)) - pingpong,
  "mpi.idle": await idle(),
};
if (rank === 0) report(figures);
