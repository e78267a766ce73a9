/** Writes until it is killed; what was flushed before is safe. */
import { File } from "../../../src/hdf5/index.ts";
import { MPI } from "../../../src/mpi/index.ts";

const comm = MPI.COMM_WORLD;
const [path = ""] = process.argv.slice(2);
const file = new File(path, "w", { driver: "mpio", comm });
const before = file.createDataset("before", { shape: [comm.size], dtype: "f8" });
before.write(Float64Array.of(comm.rank + 1), [comm.rank]);
file.flush();
const data = file.createDataset("data", {
  shape: [comm.size, 1000],
  dtype: "f8",
  maxShape: [comm.size, null],
  chunks: [1, 100],
});
for (let step = 0; ; step++) {
  data.resize([comm.size, 1000 + step]);
  data.write(new Float64Array(1000).fill(step), [comm.rank, { start: 0, end: 1000 }]);
  if (step === 5 && comm.rank === comm.size - 1) console.log(`pid ${process.pid}`);
}
