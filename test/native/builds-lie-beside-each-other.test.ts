import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { run } from "../support/index.ts";
import { environmentOf, type MpiName, mpiNames, needsMpi } from "../support/ranks.ts";
import { Rig } from "./support.ts";

const rig = new Rig();
const load = rig.program(
  "load.mjs",
  `const addon = load("mpi");
   console.log(addon.library().split("\\n")[0], load("hdf5").minor);`,
);
/** No rank may start a process: 64 of them start at once. */
const hook = rig.program("no-processes.cjs", "").replace("no-processes.cjs", "preload.cjs");
writeFileSync(hook, 'require("child_process").ChildProcess.prototype.spawn = () => { throw new Error("a process"); };');

beforeAll(() => {
  for (const name of mpiNames) needsMpi(name);
});

test("one cache has builds for several MPIs, each found again by its compiler, without starting a process", async () => {
  const kinds = ["mpi", "mpi-profile", "hdf5", "hdf5-mpi"];
  const first = { "Open MPI": await rig.build("all", "Open MPI"), MPICH: await rig.build("all", "MPICH") };
  expect(first["Open MPI"]).toMatchObject({ ok: true, cache: expect.stringContaining(rig.cache) });
  expect(first["Open MPI"].builds.map(({ kind, state }) => [kind, state])).toEqual(
    kinds.map((kind) => [kind, "built"]),
  );
  // Debian's parallel HDF5 here is that for Open MPI.
  const { ok, builds } = first.MPICH;
  expect(ok).toBe(true);
  expect(builds.map(({ kind, state }) => [kind, state])).toEqual([
    ["mpi", "built"],
    ["mpi-profile", "built"],
    ["hdf5", environmentOf("MPICH")["GIRONA_HDF5_DIR"] ? "built" : "cached"],
    ["hdf5-mpi", "missing"],
  ]);
  expect(builds[3]!.detail).toMatch(/MPICH/);

  for (const name of mpiNames) {
    const again = await rig.build("all", name);
    for (const [i, { kind, state, file, libraries }] of again.builds.entries()) {
      const before = first[name].builds[i]!;
      expect({ kind, file, libraries }).toEqual({ kind: before.kind, file: before.file, libraries: before.libraries });
      expect(state).toBe(before.state === "missing" ? "missing" : "cached");
    }
    expect(first[name].builds[0]!.libraries).toMatch(name === "MPICH" ? /^MPICH \d+\.\d+/ : /^Open MPI \d+\.\d+\.\d+$/);
    const { stdout, stderr } = await run(["node", "--require", hook, load], { env: rig.env(name) });
    expect(stderr).toBe("");
    expect(stdout).toMatch(name === "MPICH" ? /^MPICH Version:.* \d+\n$/ : /^Open MPI v.* \d+\n$/);
  }
}, 60_000);

test("a build for a library that has changed since, or for other sources, is not used", async () => {
  const name: MpiName = "Open MPI";
  const { row } = await rig.build("mpi", name);
  const index = rig.files().find((file) => {
    const path = join(row.file!, "..", file);
    return file.endsWith(".json") && JSON.parse(readFileSync(path, "utf8")).file === row.file!.split("/").at(-1);
  });
  const path = join(row.file!, "..", index!);
  const record = JSON.parse(readFileSync(path, "utf8"));
  const [{ path: libmpi, bytes }] = record.libraries;
  expect(statSync(libmpi).size).toBe(bytes);

  writeFileSync(path, JSON.stringify({ ...record, libraries: [{ path: libmpi, bytes: bytes - 1 }] }));
  const changed = await run(["node", load], { env: rig.env(name) });
  expect(changed.exitCode).toBe(1);
  expect(changed.stderr).toContain(
    `EngineError: girona/mpi: it is built for ${row.libraries}, and ${libmpi} is another one now. Build it anew, which takes some seconds: npx girona build mpi`,
  );
  expect((await rig.build("mpi", name)).row.state).toBe("built");
  expect((await run(["node", load], { env: rig.env(name) })).exitCode).toBe(0);

  // The half of a build that a power cut left, say.
  rmSync(row.file!);
  expect((await run(["node", load], { env: rig.env(name) })).stderr).toContain("there is no build for the MPI of");
  expect((await rig.build("mpi", name)).row.state).toBe("built");

  const header = join(rig.folder, "native/mpi/new.h");
  writeFileSync(header, "// the next version\n");
  const other = await run(["node", load], { env: rig.env(name) });
  expect(other.stderr).toMatch(
    /there is no build for the MPI of \S+mpicxx\S* \(found by GIRONA_MPICXX\)\. The cache \(\S+\) has none\. Build it once/,
  );
  rmSync(header);
});

test("what is missing is told with what is there", async () => {
  const { stderr } = await run(["node", rig.program("h5.mjs", 'load("hdf5-mpi");')], { env: rig.env("MPICH") });
  expect(stderr).toMatch(
    /EngineError: girona\/hdf5: there is no build for parallel HDF5 and the MPI of \S+mpicxx \(found by GIRONA_MPICXX\)\. The cache has it for HDF5 [\d.]+ \(parallel\) and Open MPI [\d.]+ \(\S+\)\. Build it once, which takes some seconds: npx girona build hdf5/,
  );
});
