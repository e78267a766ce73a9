/** Four ranks write their rows of one file and read their neighbour's, together and each alone; rank 0 prints the figures. */
import { rmSync } from "node:fs";
import { File } from "girona/hdf5";
import { MPI } from "girona/mpi";
import { expectEqual, report, sizesFromArguments } from "../case.ts";

const { rows, repeats } = sizesFromArguments<{ rows: number; repeats: number }>();
const comm = MPI.COMM_WORLD;
const { rank, size } = comm;
const path = comm.bcast(rank === 0 ? `/dev/shm/girona-bench-${process.pid}.h5` : undefined);
const peer = (rank + 1) % size;
const values = Float64Array.from({ length: rows * 1000 }, (_, i) => rank * 1e6 + i);
const into = new Float64Array(values.length);
const megabytes = (size * values.byteLength) / 1e6;
const figures: Record<string, number> = {};

for (const collective of [true, false]) {
  const best = { write: Number.POSITIVE_INFINITY, read: Number.POSITIVE_INFINITY };
  for (let repeat = 0; repeat < repeats; repeat++) {
    comm.barrier();
    const start = MPI.Wtime();
    {
      using file = new File(path, "w", { driver: "mpio", comm });
      file.createDataset("g/data", { shape: [size, rows, 1000], dtype: "f8" }).write(values, [rank], { collective });
    }
    comm.barrier();
    const written = MPI.Wtime();
    {
      using file = new File(path, "r", { driver: "mpio", comm });
      file.dataset("g/data").read([peer], { into, collective });
    }
    comm.barrier();
    const read = MPI.Wtime();
    expectEqual(into[5], peer * 1e6 + 5);
    best.write = Math.min(best.write, written - start);
    best.read = Math.min(best.read, read - written);
  }
  const name = collective ? "collective" : "independent";
  for (const way of ["write", "read"] as const) figures[`hdf5.${name}.${way}`] = megabytes / best[way];
}
comm.barrier();
if (rank === 0) {
  rmSync(path, { force: true });
  report(figures);
}
