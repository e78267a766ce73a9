// npx girona mpirun -n 4 pi-mpi.ts 100000000      π as an integral, its steps divided over the ranks; rank 0 prints it with its error
import { MPI } from "girona/mpi";

const comm = MPI.COMM_WORLD;
const steps = Number(process.argv[2] ?? 10_000_000);
const { start, end } = comm.share(steps); // the steps of this rank

const began = MPI.Wtime();
let sum = 0;
for (let i = start; i < end; i++) {
  const x = (i + 0.5) / steps;
  sum += 4 / (1 + x * x);
}
const pi = comm.reduce(sum / steps, { op: MPI.SUM, root: 0 }); // the sum over all ranks, on rank 0
const slowest = comm.reduce(MPI.Wtime() - began, { op: MPI.MAX, root: 0 });

if (comm.rank === 0)
  console.log(
    `π ≈ ${pi!.toFixed(12)}, off by ${Math.abs(pi! - Math.PI).toExponential(0)}, ${comm.size} ranks, ${slowest!.toFixed(3)} s`,
  );
