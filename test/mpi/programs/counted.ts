/** A known number of calls, for the profile. */
import { MPI } from "../../../src/mpi/index.ts";

const comm = MPI.COMM_WORLD;
const data = new Float64Array(100);
for (let i = 0; i < 10; i++) {
  if (comm.rank === 0) comm.Send(data, { dest: 1 });
  else comm.Recv(data, { source: 0 });
}
comm.Allreduce(data, new Float64Array(100));
if (comm.rank === 0) await comm.Isend(new Float64Array(0), { dest: 1 });
else await comm.Irecv(new Float64Array(0), { source: 0 });
if (process.argv[2] === "fail" && comm.rank === 1) throw new Error("early");
if (process.argv[2] === "fail") comm.Recv(data, { source: 1 });
