import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { run, tempDir } from "../support/index.ts";
import { mpirun, needsMpi, python } from "../support/ranks.ts";

const addons = ["mpi", "hdf5", "hdf5-mpi"] as const;

describe("ranks with one file", () => {
  beforeEach(() => needsMpi());

  it.each([1, 2, 3, 4])("%i of them write and read what belongs where, collectively and each alone", async (ranks) => {
    const folder = tempDir();
    const { exitCode, stdout, stderr } = await mpirun(ranks, "test/hdf5/programs/parallel.ts", {
      args: [folder],
      addons,
    });
    expect(stdout.trim(), stderr).toBe("ok");
    expect(exitCode).toBe(0);
    if (ranks !== 4) return;
    const check = `
import h5py, sys
f = h5py.File(sys.argv[1])
d = f["run/data"][...]
print(d.shape, d[:, 0].tolist(), f["run/compressed"][3, 99], f["run/compressed"].compression, f["moved"][...].tolist(), dict(f["run/data"].attrs)["unit"])`;
    const seen = await run([python, "-c", check, join(folder, "parallel.h5")]);
    expect(seen.stdout.trim()).toBe(
      "(10, 4) [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0] 3099.0 gzip [0.0, 7.0, 7.0, 7.0, 0.0, 0.0] m/s",
    );
  });
});
