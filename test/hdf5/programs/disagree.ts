/** Ranks that do not make the same collective call; the guard must find it. The argument says how they differ. */
import { File } from "../../../src/hdf5/index.ts";
import { MPI } from "../../../src/mpi/index.ts";

const comm = MPI.COMM_WORLD;
const { rank, size } = comm;
const [how, path = ""] = process.argv.slice(2);
const odd = rank === size - 1;
// Without it the guard has no communicator of its own yet.
if (how === "absent" && odd) comm.Recv(new Float64Array(1), { source: 0, tag: 5 });
const file = new File(path, "w", { driver: "mpio", comm });
if (how === "missing" && odd) {
  // It waits for a message that never comes, in place of creating the dataset.
  comm.Recv(new Float64Array(1), { source: 0, tag: 5 });
}
const create = () =>
  file.createDataset(how === "name" && odd ? "other" : "data", {
    shape: [size, how === "shape" && odd ? 20 : 10],
    dtype: "f8",
  });
if (how === "caught") {
  // Different calls, and the program goes on: nothing of it may hang.
  try {
    if (odd) file.createGroup("group");
    else create();
  } catch (error) {
    console.log(`rank ${rank} caught ${(error as Error).message.split("\n")[0]}`);
  }
  process.exit(0);
}
const data = create();
if (how === "skip" && odd) file.close();
else
  data.write(new Float64Array(how === "empty" && odd ? 0 : 10).fill(rank), [how === "empty" && odd ? [] : rank, null]);
if (how !== "skip") console.log(`rank ${rank} goes on`);
file.close();
