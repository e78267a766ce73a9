/** Says what MPI is here, in the main thread or, with an argument, in a worker thread. */
import { isMainThread, Worker } from "node:worker_threads";
import { MPI } from "../../../src/mpi/index.ts";

if (isMainThread && process.argv[2] === "worker") new Worker(new URL(import.meta.url), { argv: ["inside"] });
else {
  try {
    const { rank, size } = MPI.COMM_WORLD;
    console.log(`rank ${rank} of ${size}, sum ${MPI.COMM_WORLD.allreduce(5, { op: MPI.SUM })}`);
  } catch (error) {
    console.log((error as Error).name, (error as Error).message);
  }
}
