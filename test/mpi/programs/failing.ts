/** Rank 1 fails as the argument says; the others wait for a message that does not come. */
import { MPI } from "../../../src/mpi/index.ts";

const how = process.argv[2];
const comm = MPI.COMM_WORLD;
if (how === "handled") {
  process.on("uncaughtException", (error) => {
    console.log(`rank ${comm.rank} caught ${error.message}`);
    comm.Barrier();
  });
  throw new Error("of the program's own affair");
}
if (comm.rank === 1) {
  switch (how) {
    case "throws":
      throw new Error("the matrix is singular");
    case "rejects":
      void Promise.reject(new Error("the file is gone"));
      break;
    case "exits":
      process.exit(3);
      break;
    case "exit code":
      process.exitCode = 4;
      break;
  }
} else comm.Recv(new Float64Array(1), { source: 1 });
