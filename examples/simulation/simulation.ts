/**
 * Heat in a plate: ranks hold the rows of a grid, exchange the rows at their borders, and step by step each point becomes
 * the mean of its neighbours (explicit Euler of the heat equation; dt = dx²/4 is the largest step that is stable).
 *
 *   node examples/simulation/make-data.ts data.h5
 *   npx girona mpirun -n 4 examples/simulation/simulation.ts --input data.h5 --output results.h5
 */
import { parseArgs } from "node:util";
import { File } from "girona/hdf5";
import { MPI } from "girona/mpi";

const { values } = parseArgs({ options: { input: { type: "string" }, output: { type: "string" } } });
const { input = "data.h5", output = "results.h5" } = values;
const comm = MPI.COMM_WORLD;
const { rank, size } = comm;

// Every rank reads its own rows.
using data = new File(input, "r", { driver: "mpio", comm });
const start = data.dataset("temperature");
const [rows, columns] = start.shape as [number, number];
const steps = data.attributes.get("steps", "i4") as number;
const every = data.attributes.get("every", "i4") as number;
const mine = comm.share(rows);
const width = columns;

// A row more above and below: what the neighbours have there.
let now = new Float64Array((mine.count + 2) * width);
now.set(start.read([mine, null]).data, width);
let next = now.slice();

/** Neighbours without rows of their own are passed over: with more ranks than rows some have none. */
const holds = (other: number) => other >= 0 && other < size && comm.share(rows, other).count > 0;
const above = mine.count > 0 && holds(rank - 1) ? rank - 1 : MPI.PROC_NULL;
const below = mine.count > 0 && holds(rank + 1) ? rank + 1 : MPI.PROC_NULL;
const row = (grid: Float64Array, i: number) => grid.subarray(i * width, (i + 1) * width);

function exchange(grid: Float64Array): void {
  comm.Sendrecv(row(grid, 1), { dest: above }, row(grid, mine.count + 1), { source: below });
  comm.Sendrecv(row(grid, mine.count), { dest: below }, row(grid, 0), { source: above });
}

function step(): void {
  exchange(now);
  for (let i = 1; i <= mine.count; i++) {
    const global = mine.start + i - 1;
    // The border of the plate keeps its temperature.
    if (global === 0 || global === rows - 1) continue;
    for (let j = 1; j < columns - 1; j++) {
      const at = i * width + j;
      next[at] = (now[at - 1]! + now[at + 1]! + now[at - width]! + now[at + width]!) / 4;
    }
  }
  [now, next] = [next, now];
}

using results = new File(output, "w", { driver: "mpio", comm });
const frames = results.createDataset("temperature", {
  shape: [Math.floor(steps / every) + 1, rows, columns],
  dtype: "f8",
});
const means = results.createDataset("mean", { shape: [Math.floor(steps / every) + 1], dtype: "f8" });
results.attributes.set("steps", steps, { dtype: "i4" });

function save(frame: number): void {
  const own = now.subarray(width, (mine.count + 1) * width);
  frames.write(own, [frame, mine, null]);
  // Row sums are added in the order of rows, whatever the ranks: a mean that does not depend on their number.
  const sums = Float64Array.from({ length: mine.count }, (_, i) => row(own, i).reduce((a, b) => a + b, 0));
  const all = comm.gather(sums);
  const sum = all?.flatMap((part) => Array.from(part)).reduce((a, b) => a + b, 0) ?? 0;
  means.write(Float64Array.from(rank === 0 ? [sum / (rows * columns)] : []), [
    rank === 0 ? { start: frame, end: frame + 1 } : [],
  ]);
}

const began = MPI.Wtime();
save(0);
for (let i = 1; i <= steps; i++) {
  step();
  if (i % every === 0) save(i / every);
}
if (rank === 0)
  console.log(
    `${steps} steps of ${rows} x ${columns} on ${size} ranks in ${(MPI.Wtime() - began).toFixed(2)} s: ${output}`,
  );
