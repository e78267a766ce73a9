/** All that ranks do together with a file; each prints what went wrong, and rank 0 "ok" at the end. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { File } from "../../../src/hdf5/index.ts";
import { MPI } from "../../../src/mpi/index.ts";

const comm = MPI.COMM_WORLD;
const { rank, size } = comm;
const [folder = comm.bcast(rank === 0 ? mkdtempSync(join(tmpdir(), "girona-test-")) : undefined)] =
  process.argv.slice(2);
const path = join(folder, "parallel.h5");
let failures = 0;
const same = (what: string, got: unknown, wanted: unknown) => {
  const [a, b] = [got, wanted].map((one) =>
    JSON.stringify(one, (_, v) => (ArrayBuffer.isView(v) ? Array.from(v as never) : v)),
  );
  if (a === b) return;
  failures++;
  console.log(`rank ${rank}: ${what}: ${a} in place of ${b}`);
};
const refused = (what: string, work: () => unknown, pattern: RegExp) => {
  try {
    work();
  } catch (error) {
    if (pattern.test((error as Error).message)) return;
    failures++;
    console.log(`rank ${rank}: ${what}: ${(error as Error).message}`);
    return;
  }
  failures++;
  console.log(`rank ${rank}: ${what} was not refused`);
};

const rows = comm.share(10); // not a multiple of the ranks
{
  using file = new File(path, "w", {
    driver: "mpio",
    comm,
    alignment: { bytes: 4096, threshold: 1024 },
    hints: { striping_factor: 2, cb_nodes: 1 },
  });
  same("driver", [file.driver, file.mode, /\(MPI\)$/.test(file.library)], ["mpio", "r+", true]);
  const data = file.createDataset("run/data", { shape: [10, 4], dtype: "f8" });
  data.write(new Float64Array(rows.count * 4).fill(rank), [rows, null]);
  data.attributes.set("unit", "m/s");
  data.attributes.set("counts", Int32Array.of(1, 2, 3));

  const chunked = file.createDataset("run/chunked", {
    shape: [10, 4],
    dtype: "i4",
    chunks: [3, 2],
    fillValue: -1,
    maxShape: [null, 4],
  });
  chunked.write(new Int32Array(rows.count * 2).fill(rank), [rows, [0, 3]]);
  chunked.resize([12, 4]);

  // Only the first rank has something to write; the others take part with nothing.
  const first = file.createDataset("run/first", { shape: [6], dtype: "f4" });
  first.write(new Float32Array(rank === 0 ? 3 : 0).fill(7), [rank === 0 ? { start: 1, end: 4 } : []]);

  const compressed = file.createDataset("run/compressed", {
    shape: [size, 100],
    dtype: "f8",
    chunks: [1, 100],
    compression: { gzip: 1 },
    shuffle: true,
  });
  compressed.write(
    Float64Array.from({ length: 100 }, (_, i) => rank * 1000 + i),
    [rank],
  );

  const alone = file.createDataset("run/alone", { shape: [size], dtype: "i8" });
  alone.write(BigInt64Array.of(BigInt(rank)), [rank], { collective: false });
  const names = file.createDataset("run/names", { shape: [2], dtype: "str" });
  same("no elements yet", names.read().data, ["", ""]);
  file.move("run/first", "moved");
  file.createSoftLink("soft", "/run/data");
  file.createGroup("temporary");
  file.delete("temporary");
  file.atomic = true;
  same("atomic", file.atomic, true);
  refused("a wrong length", () => data.write(new Float64Array(3), [rows, null]), /elements are selected/);
}
comm.barrier();
{
  using file = new File(path, "r", { driver: "mpio", comm, collective: false, collectiveMetadata: false });
  const data = file.dataset("run/data");
  const owner = (row: number) =>
    Array.from({ length: size }, (_, r) => comm.share(10, r)).findIndex((one) => row >= one.start && row < one.end);
  same("keys", file.keys(), ["moved", "run", "soft"]);
  const wanted = Float64Array.from({ length: 40 }, (_, i) => owner(Math.floor(i / 4)));
  same("independent read", data.read().data, wanted);
  same("collective read", data.read(undefined, { collective: true }).data, wanted);
  same("attributes", [data.attributes.get("unit"), data.attributes.get("counts")], ["m/s", Int32Array.of(1, 2, 3)]);
  const into = new Float64Array(4);
  data.read([rank], { into });
  same("into", into, new Float64Array(4).fill(owner(rank)));
  same(
    "chunked",
    file.dataset("run/chunked", "i4").read([null, [0, 1]]).data,
    Int32Array.from({ length: 24 }, (_, i) => (i % 2 || i >= 20 ? -1 : owner(i / 2))),
  );
  same(
    "a rank alone",
    file.dataset("moved", "f4").read([], { collective: true }).data,
    Float32Array.of(0, 7, 7, 7, 0, 0),
  );
  same("compressed", file.dataset("run/compressed").read([(rank + 1) % size, 99], { collective: true }).data, [
    ((rank + 1) % size) * 1000 + 99,
  ]);
  same("empty", file.dataset("run/data").read([[], null], { collective: true }).shape, [0, 4]);
  same("independent write", file.dataset("run/alone", "i8").read().data.length, size);
  // One rank alone may look where metadata is not collective.
  if (rank === 0) same("alone", file.get("run/compressed").name, "/run/compressed");
}
{
  // Both libraries in one process.
  if (rank === 0) {
    using file = new File(join(folder, "serial.h5"), "w");
    file.put("x", Float64Array.of(1, 2));
    same("serial beside mpio", file.dataset("x").read().data, [1, 2]);
  }
}
refused(
  "a file that is not there",
  () => new File(join(folder, "nothing.h5"), "r", { driver: "mpio", comm }),
  /open .*nothing\.h5/,
);
{
  using half = new File(join(folder, `half-${rank % 2}.h5`), "a", { driver: "mpio", comm: comm.split(rank % 2)! });
  half.createDataset("x", { shape: [1], dtype: "f8" });
  same("a part of the ranks", half.has("x"), true);
}
const all = comm.allreduce(failures, { op: MPI.SUM });
if (process.argv.length === 2 && rank === 0) rmSync(folder, { recursive: true });
if (rank === 0) console.log(all === 0 ? "ok" : `${all} failures`);
