/** Leaves files open at its end: by falling off it, by process.exit, or by a throw. */
import { File } from "../../../src/hdf5/index.ts";
import { MPI } from "../../../src/mpi/index.ts";

const [how, path = ""] = process.argv.slice(2);
const options = how === "serial" || how === "throw" ? {} : { driver: "mpio" as const, comm: MPI.COMM_WORLD };
const file = new File(path, "w", options);
const rank = "comm" in options ? MPI.COMM_WORLD.rank : 0;
const data = file.createDataset("data", { shape: [4, 1000], dtype: "f8" });
data.write(new Float64Array(1000).fill(rank + 1), [rank, null]);
if (how === "exit") process.exit(3);
if (how === "throw") throw new Error("a mistake of the program");
