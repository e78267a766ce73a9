import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { needs, run, tempDir } from "../support/index.ts";
import { python } from "../support/ranks.ts";

interface Said {
  backend: string;
  path: string | undefined;
  threads: number | undefined;
  product: number[];
}

const none = { GIRONA_BLAS: undefined, EBROOTOPENBLAS: undefined, OPENBLAS_NUM_THREADS: undefined };
const program = `
  import { backend, library, matmul } from "girona/linalg";
  const product = Array.from(matmul(Float64Array.of(1, 2, 3, 4), Float64Array.of(5, 6, 7, 8), { m: 2, k: 2, n: 2 }));
  console.log(JSON.stringify({ backend, path: library?.path, threads: library?.threads, product,
    left: process.env.OPENBLAS_NUM_THREADS }));
`;

async function ask(env: Record<string, string | undefined> = {}): Promise<Said> {
  const { stdout, stderr } = await run(["node", "--input-type=module", "-e", program], {
    env: { ...none, OMP_NUM_THREADS: undefined, ...env },
  });
  expect(stderr).toBe("");
  const said = JSON.parse(stdout) as Said;
  expect(said.product).toEqual([19, 22, 43, 50]);
  return said;
}

/** The library of the package scipy-openblas64. */
async function wheel(): Promise<string> {
  const { stdout } = await run([python, "-c", "import scipy_openblas64 as s; print(s.get_lib_dir())"]);
  return join(stdout.trim(), "libscipy_openblas64_.so");
}

test("wasm is taken when it is asked for, and where native code is turned off", async () => {
  expect(await ask({ GIRONA_BLAS: "wasm" })).toMatchObject({ backend: "wasm" });
  expect(await ask({ GIRONA_NO_NATIVE: "1" })).toMatchObject({ backend: "wasm" });
});

test("the system's OpenBLAS is used, or that of Python's packages in the environment", async () => {
  const { stdout } = await run(["ldconfig", "-p"], { env: { PATH: `${process.env["PATH"]}:/sbin:/usr/sbin` } });
  needs("needs OpenBLAS: apt-get install libopenblas0", /libopenblas\.so\.0 /.test(stdout));
  expect(await ask()).toMatchObject({ backend: "openblas", path: "libopenblas.so.0" });
});

test("GIRONA_BLAS names the library; that of scipy-openblas64 has 64-bit sizes and names of its own", async () => {
  needs("needs .venv: bash scripts/setup-mpi.sh", python !== "python3");
  const path = await wheel();
  expect(await ask({ GIRONA_BLAS: path })).toMatchObject({ backend: "openblas", path });
});

test("a library that cannot be used is refused when it was named", async () => {
  const load = async (GIRONA_BLAS: string) => {
    const { exitCode, stderr } = await run(["node", "--input-type=module", "-e", program], {
      env: { ...none, GIRONA_BLAS },
    });
    expect(exitCode).toBe(1);
    return stderr;
  };
  expect(await load(join(tempDir(), "libopenblas.so"))).toMatch(
    /UsageError: GIRONA_BLAS is \S+libopenblas\.so, which cannot be used: .*No such file.* Name the file of an OpenBLAS/,
  );
  expect(await load("libc.so.6")).toContain("GIRONA_BLAS is libc.so.6, which cannot be used: it has no cblas_dgemm.");
});

test("threads are the cores, shared with the ranks on this host, unless the user says how many", async () => {
  needs("needs .venv: bash scripts/setup-mpi.sh", python !== "python3");
  const GIRONA_BLAS = await wheel();
  const alone = (await ask({ GIRONA_BLAS })).threads!;
  expect(alone).toBeGreaterThanOrEqual(1);
  for (const name of ["OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"])
    expect((await ask({ GIRONA_BLAS, [name]: "2" })).threads).toBe(Math.max(1, Math.floor(alone / 2)));
  expect((await ask({ GIRONA_BLAS, [`OMPI_COMM_WORLD_LOCAL_SIZE`]: "64" })).threads).toBe(1);
  const told = await ask({ GIRONA_BLAS, OPENBLAS_NUM_THREADS: "1" });
  expect(told).toMatchObject({ threads: 1, left: "1" });
  // The variable by which girona tells it does not stay for other processes.
  expect(await ask({ GIRONA_BLAS })).not.toHaveProperty("left");
});

test("the wheel is found in the environment that is active, where the system has no OpenBLAS", async () => {
  needs("needs .venv: bash scripts/setup-mpi.sh", python !== "python3");
  const { candidates } = await import("../../src/linalg/find.ts");
  const environment = dirname(dirname(python));
  const all = [...candidates({ VIRTUAL_ENV: environment, PATH: "" })];
  expect(all[0]).toBe("libopenblas.so.0");
  expect(all).toContain(await wheel());
  expect([...candidates({ PATH: dirname(python) })]).toEqual(all);
  expect([...candidates({ PATH: "" })]).toEqual(all.slice(0, 2));
});
