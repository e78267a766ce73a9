/** Doubles into an HDF5 file and back, on one process: contiguous, in chunks, compressed. MB per second, MB of 1e6 bytes. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type DatasetOptions, File } from "girona/hdf5";
import { expectEqual, report, sizesFromArguments, timed } from "../case.ts";

const { rows, repeats } = sizesFromArguments<{ rows: number; repeats: number }>();

// Memory files: the measure is of the library, not of a disk.
const path = join("/dev/shm", `girona-bench-${process.pid}.h5`);
process.on("exit", () => rmSync(path, { force: true }));
const values = Float64Array.from({ length: rows * 1000 }, (_, i) => i);
const into = new Float64Array(values.length);
const figures: Record<string, number> = {};

const chunks = [1000, 1000];
const layouts: Record<string, [rows: number, options: Partial<DatasetOptions<"f8">>]> = {
  contiguous: [rows, {}],
  chunked: [rows, { chunks }],
  gzip: [rows / 10, { chunks, compression: { gzip: 1 }, shuffle: true }],
};
for (const [name, [length, options]] of Object.entries(layouts)) {
  const data = values.subarray(0, length * 1000);
  const target = into.subarray(0, length * 1000);
  const best = { write: Number.POSITIVE_INFINITY, read: Number.POSITIVE_INFINITY };
  for (let repeat = 0; repeat < repeats; repeat++) {
    const write = await timed(() => {
      using file = new File(path, "w");
      file.createDataset("data", { ...options, shape: [length, 1000], dtype: "f8" }).write(data);
    });
    const read = await timed(() => {
      using file = new File(path);
      file.dataset("data").read(undefined, { into: target });
    });
    expectEqual(target[77_777], 77_777);
    best.write = Math.min(best.write, write);
    best.read = Math.min(best.read, read);
  }
  for (const way of ["write", "read"] as const) figures[`hdf5.${name}.${way}`] = data.byteLength / best[way] / 1000;
}
report(figures);
