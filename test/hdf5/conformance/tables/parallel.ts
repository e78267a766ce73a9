/** Files of all ranks together (mpio). Each behaviour is run by every rank of its communicator. */
import { existsSync } from "node:fs";
import { compoundType, File, stringType } from "../../../../src/hdf5/index.ts";
import { MPI } from "../../../../src/mpi/index.ts";
import { type Bench, table } from "../behaviour.ts";

const ramp = (length: number, from = 0) => Float64Array.from({ length }, (_, i) => from + i);
/** The communicator with what behaviours ask of it most. */
const ranksOf = (bench: Bench) => {
  const { rank, size } = bench.comm!;
  return { comm: bench.comm!, rank, size, others: Array.from({ length: size }, (_, i) => i) };
};

export const parallel = table("ranks together", (behaviour) => {
  behaviour("the file is known as one of mpio, and says which HDF5 it is", (bench) => {
    const file = bench.create();
    bench.same([file.driver, file.mode], ["mpio", "r+"]);
    bench.ok(/HDF5 \d/.test(file.library), file.library);
  });
  for (const collective of [true, false]) {
    const how = collective ? "together" : "each by itself";
    behaviour(`ranks write their rows ${how}, and every rank reads all of them`, (bench) => {
      const { comm, rank, size, others } = ranksOf(bench);
      const file = bench.create();
      const rows = comm.share(3 * size + 1);
      const data = file.createDataset("x", { shape: [3 * size + 1, 4], dtype: "f8" });
      data.write(ramp(rows.count * 4, rows.start * 4), [rows, null], { collective });
      const again = bench.reopen(file).dataset("x");
      bench.same(again.read(undefined, { collective } as never).data, ramp((3 * size + 1) * 4));
      bench.same(others.length > rank, true);
    });
    behaviour(`ranks write every size-th row ${how}`, (bench) => {
      const { rank, size } = ranksOf(bench);
      const file = bench.create();
      const data = file.createDataset("x", { shape: [3 * size, 2], dtype: "i4" });
      const mine = { start: rank, end: 3 * size, step: size };
      data.write(new Int32Array(6).fill(rank), [mine, null], { collective });
      const { data: all } = bench.reopen(file).dataset("x", "i4").read();
      bench.same(
        all,
        Int32Array.from({ length: 6 * size }, (_, i) => Math.floor(i / 2) % size),
      );
    });
    behaviour(`ranks write their column ${how}`, (bench) => {
      const { rank, size } = ranksOf(bench);
      const file = bench.create();
      const data = file.createDataset("x", { shape: [5, size], dtype: "f4" });
      data.write(new Float32Array(5).fill(rank), [null, rank], { collective });
      const { data: all } = bench.reopen(file).dataset("x", "f4").read();
      bench.same(
        all,
        Float32Array.from({ length: 5 * size }, (_, i) => i % size),
      );
    });
    behaviour(`each rank reads the rows of the next ${how}`, (bench) => {
      const { rank, size } = ranksOf(bench);
      const file = bench.create();
      file.createDataset("x", { shape: [size, 3], dtype: "f8" }).write(ramp(3, 10 * rank), [rank]);
      const next = (rank + 1) % size;
      const again = bench.reopen(file).dataset("x");
      const into = new Float64Array(3);
      again.read([next], { into, collective });
      bench.same(into, ramp(3, 10 * next));
    });
  }
  behaviour("a rank with nothing to write takes part with an empty selection", (bench) => {
    const { rank, size } = ranksOf(bench);
    const file = bench.create();
    const data = file.createDataset("x", { shape: [2], dtype: "f8" });
    const writes = rank === size - 1;
    data.write(writes ? Float64Array.of(7, 8) : new Float64Array(0), [writes ? { start: 0, end: 2 } : []]);
    bench.same(bench.reopen(file).dataset("x").read().data, Float64Array.of(7, 8));
  });
  behaviour("more ranks than rows: those without a row take part all the same", (bench) => {
    const { comm, rank } = ranksOf(bench);
    const file = bench.create();
    const rows = comm.share(2);
    file
      .createDataset("x", { shape: [2, 2], dtype: "i4" })
      .write(new Int32Array(2 * rows.count).fill(rank + 1), [rows]);
    const { data } = bench.reopen(file).dataset("x", "i4").read([rows]);
    bench.same(data, new Int32Array(2 * rows.count).fill(rank + 1));
  });
  behaviour("nobody has something to write", (bench) => {
    const file = bench.create();
    file.createDataset("x", { shape: [3], dtype: "f8", fillValue: 5 }).write(new Float64Array(0), [[]]);
    bench.same(bench.reopen(file).dataset("x").read().data, Float64Array.of(5, 5, 5));
  });
  behaviour("an empty selection reads nothing, on some ranks and on all", (bench) => {
    const { rank } = ranksOf(bench);
    const file = bench.create();
    const data = file.put("x", ramp(4));
    bench.same(data.read([rank === 0 ? null : []]).data, rank === 0 ? ramp(4) : new Float64Array(0));
    bench.same(data.read([[]]).shape, [0]);
  });
  behaviour("chunks that belong to one rank each", (bench) => {
    const { rank, size } = ranksOf(bench);
    const file = bench.create();
    const data = file.createDataset("x", { shape: [size * 4, 3], dtype: "f8", chunks: [4, 3] });
    data.write(ramp(12, 12 * rank), [{ start: 4 * rank, end: 4 * rank + 4 }]);
    bench.same(bench.reopen(file).dataset("x").read().data, ramp(12 * size));
  });
  behaviour("a chunk that several ranks write into", (bench) => {
    const { rank, size } = ranksOf(bench);
    const file = bench.create();
    const data = file.createDataset("x", { shape: [size * 2], dtype: "f8", chunks: [size * 2] });
    data.write(ramp(2, 2 * rank), [{ start: 2 * rank, end: 2 * rank + 2 }]);
    bench.same(bench.reopen(file).dataset("x").read().data, ramp(2 * size));
  });
  behaviour("compressed chunks are written together, also one that is shared", (bench) => {
    const { rank, size } = ranksOf(bench);
    const file = bench.create();
    const options = { compression: { gzip: 1 }, shuffle: true, fletcher32: true } as const;
    const own = file.createDataset("own", { shape: [size, 50], dtype: "f8", chunks: [1, 50], ...options });
    own.write(ramp(50, 50 * rank), [rank]);
    const shared = file.createDataset("shared", { shape: [size, 5], dtype: "i4", chunks: [size, 5], ...options });
    shared.write(new Int32Array(5).fill(rank), [rank]);
    const again = bench.reopen(file);
    bench.same(again.dataset("own").read().data, ramp(50 * size));
    const { data } = again.dataset("shared", "i4").read();
    bench.same(
      data,
      Int32Array.from({ length: 5 * size }, (_, i) => Math.floor(i / 5)),
    );
  });
  behaviour(
    "compressed chunks written by ranks each by themselves are refused in words, before anything is done",
    (bench) => {
      const { rank, size } = ranksOf(bench);
      if (size === 1) {
        bench.ok(true, "one rank may do as it likes");
        return;
      }
      const data = bench
        .create()
        .createDataset("x", { shape: [size, 4], dtype: "f8", chunks: [1, 4], compression: "gzip" });
      bench.fails(() => data.write(ramp(4), [rank], { collective: false }), "Hdf5", /collective: true/);
      bench.same(data.read([rank]).data, new Float64Array(4));
    },
  );
  behaviour("all ranks resize, and see the new shape", (bench) => {
    const { rank, size } = ranksOf(bench);
    const file = bench.create();
    const data = file.createDataset("x", { shape: [0, 2], dtype: "i4", maxShape: [null, 2], chunks: [2, 2] });
    for (let step = 1; step <= 3; step++) {
      data.resize([step * size, 2]);
      data.write(new Int32Array(2).fill(step), [(step - 1) * size + rank]);
    }
    const { shape, data: all } = bench.reopen(file).dataset("x", "i4").read();
    bench.same(shape, [3 * size, 2]);
    bench.same(
      all,
      Int32Array.from({ length: 6 * size }, (_, i) => 1 + Math.floor(i / (2 * size))),
    );
  });
  behaviour("groups, links and attributes are made by all ranks, and each sees them", (bench) => {
    const file = bench.create();
    const group = file.createGroup("a/b");
    group.attributes.set("unit", "m/s");
    group.attributes.set("counts", Int32Array.of(1, 2));
    file.createSoftLink("soft", "/a/b");
    file.move("a/b", "a/c");
    file.createGroup("gone");
    file.delete("gone");
    const again = bench.reopen(file);
    bench.same([again.keys(), again.group("a").keys(), again.link("soft")?.kind], [["a", "soft"], ["c"], "soft"]);
    bench.same(again.get("a/c").attributes.entries(), [
      ["counts", Int32Array.of(1, 2)],
      ["unit", "m/s"],
    ]);
  });
  behaviour("fixed strings, booleans and records are written by ranks", (bench) => {
    const { rank, size, others } = ranksOf(bench);
    const file = bench.create();
    const text = stringType({ length: 8 });
    const record = compoundType({ rank: "i4", share: "f8" });
    file.createDataset("s", { shape: [size], dtype: text }).write(`rank ${rank}`, [rank]);
    file.createDataset("b", { shape: [size], dtype: "bool" }).write(rank % 2 === 0, [rank]);
    file.createDataset("r", { shape: [size], dtype: record }).write({ rank, share: rank / 2 }, [rank]);
    const again = bench.reopen(file);
    bench.same(
      again.dataset("s", text).read().data,
      others.map((i) => `rank ${i}`),
    );
    bench.same(
      again.dataset("b", "bool").read().data,
      others.map((i) => i % 2 === 0),
    );
    bench.same(
      again.dataset("r", record).read().data,
      others.map((i) => ({ rank: i, share: i / 2 })),
    );
  });
  behaviour("variable strings written by ranks are refused in words, or all there", (bench) => {
    const { rank, size, others } = ranksOf(bench);
    const file = bench.create();
    const data = file.createDataset("s", { shape: [size], dtype: "str" });
    try {
      data.write(`rank ${rank}`, [rank]);
    } catch (error) {
      bench.same(["Hdf5", "Usage"].includes((error as { code: string }).code), true);
      bench.ok(/stringType|fixed|variable/i.test((error as Error).message), (error as Error).message);
      return;
    }
    bench.same(
      data.read().data,
      others.map((i) => `rank ${i}`),
    );
  });
  behaviour("a file of ranks can be opened again for appending", (bench) => {
    const file = bench.create();
    file.put("x", ramp(3));
    const again = bench.reopen(file, "a");
    again.put("y", ramp(2));
    const last = bench.reopen(again, "r+");
    bench.same([last.keys(), last.dataset("x").read().data], [["x", "y"], ramp(3)]);
  });
  behaviour("atomic mode can be set and is told", (bench) => {
    const file = bench.create();
    bench.same(file.atomic, false);
    file.atomic = true;
    bench.same(file.atomic, true);
    file.atomic = false;
    bench.same(file.atomic, false);
  });
  behaviour("a second close does nothing on any rank", (bench) => {
    const file = bench.create();
    file.createGroup("g");
    file.close();
    file.close();
    bench.same(file.isOpen, false);
  });
  behaviour("two files are open at once", (bench) => {
    const one = bench.create();
    const two = bench.create();
    one.put("x", ramp(2));
    two.put("x", ramp(3));
    bench.same([one.dataset("x").size, two.dataset("x").size], [2, 3]);
  });
  behaviour("hints and alignment are taken, wrong ones refused on each rank", (bench) => {
    const options = {
      alignment: { bytes: 1024 },
      hints: { cb_nodes: 1, romio_ds_write: "disable", striping_factor: 2 },
    };
    const file = bench.create(options as never);
    file.put("x", ramp(10));
    bench.same(bench.reopen(file).dataset("x").read().data, ramp(10));
    bench.fails(() => bench.create({ hints: { cb_nodes: {} } } as never), "Usage", /hints/);
    bench.fails(() => bench.create({ hints: "cb_nodes=1" } as never), "Usage", /hints/);
  });
  behaviour("metadata may be read by each rank alone", (bench) => {
    const file = bench.create({ collectiveMetadata: false } as never);
    file.put("g/x", ramp(4)).attributes.set("a", 1);
    bench.same([file.group("g").keys(), file.get("g/x").attributes.get("a")], [["x"], 1]);
  });
  behaviour("reads and writes are each rank's own where the file is opened so", (bench) => {
    const { rank, size } = ranksOf(bench);
    const file = bench.create({ collective: false } as never);
    const data = file.createDataset("x", { shape: [size], dtype: "i4" });
    // Only the last writes: no other rank takes part.
    if (rank === size - 1) data.write(5, [rank]);
    file.flush();
    bench.same(
      bench
        .reopen(file)
        .dataset("x", "i4")
        .read([size - 1]).data,
      Int32Array.of(5),
    );
  });
  behaviour("a file that is not there is refused on every rank, with the reason", (bench) => {
    const error = bench.fails(
      () => bench.open(bench.path("none.h5"), "r"),
      "Hdf5",
      /no such file|NO_SUCH_FILE|not there|does not exist/i,
    );
    bench.same(error.file?.endsWith("none.h5"), true);
  });
  behaviour("w- refuses on every rank where there is a file", (bench) => {
    const file = bench.create();
    file.createGroup("kept");
    file.close();
    bench.fails(() => bench.open(file.path, "w-"), "Hdf5");
    bench.same(bench.open(file.path).keys(), ["kept"]);
  });
  behaviour("what is not there is refused on every rank, and all go on", (bench) => {
    const file = bench.create();
    bench.fails(() => file.get("nowhere"), "Hdf5", /nowhere/);
    bench.fails(() => file.put("x", ramp(2)).write(ramp(3)), "Usage");
    bench.same(file.keys(), ["x"]);
  });
  behaviour("mpio without a communicator is refused", (bench) => {
    bench.fails(() => new File(bench.path(), "w", { driver: "mpio" } as never), "Usage", /comm/);
    bench.fails(() => new File(bench.path(), "w", { driver: "mpio", comm: {} } as never), "Usage", /comm/);
    bench.fails(() => new File(bench.path(), "w", { comm: bench.comm! } as never), "Usage", /mpio/);
    bench.ok(!existsSync(bench.path("file-1.h5")), "a file was made");
  });
  behaviour("each rank has a file of its own", (bench) => {
    const { rank } = ranksOf(bench);
    const path = bench.path(`rank-${rank}.h5`);
    {
      using file = new File(path, "w", { driver: "mpio", comm: MPI.COMM_SELF });
      file.put("x", Float64Array.of(rank));
    }
    // And one process without mpio reads it.
    using file = new File(path);
    bench.same([file.driver, file.dataset("x").read().data], ["sec2", Float64Array.of(rank)]);
  });
  behaviour("one rank reads without mpio what all have written", (bench) => {
    const { comm, rank, size } = ranksOf(bench);
    const file = bench.create();
    file.createDataset("x", { shape: [size], dtype: "f8" }).write(rank, [rank]);
    file.close();
    comm.barrier();
    using alone = new File(file.path);
    bench.same(alone.dataset("x").read().data, ramp(size));
  });
  behaviour("a part of the ranks has a file that the others know nothing of", (bench) => {
    const { comm, rank, size } = ranksOf(bench);
    const some = comm.split(rank % 2, rank)!;
    const path = bench.path(`color-${rank % 2}.h5`);
    {
      using file = new File(path, "w", { driver: "mpio", comm: some });
      file.createDataset("x", { shape: [some.size], dtype: "i4" }).write(rank, [some.rank]);
      const { data } = file.dataset("x", "i4").read();
      bench.same(
        [...data],
        Array.from({ length: size }, (_, i) => i).filter((i) => i % 2 === rank % 2),
      );
    }
    some.free();
  });
  behaviour("one number for one element, from one rank", (bench) => {
    const { rank } = ranksOf(bench);
    const file = bench.create();
    const data = file.createDataset("x", { shape: [], dtype: "f8" });
    if (rank === 0) data.write(2.5, [], { collective: false });
    file.flush();
    bench.comm!.barrier();
    bench.same(bench.reopen(file).dataset("x").read().data, Float64Array.of(2.5));
  });
});
