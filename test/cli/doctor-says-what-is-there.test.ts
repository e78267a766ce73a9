import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { installCommand, type System } from "../../dist/cli/packages.js";
import { run } from "../support/index.ts";
import { builtFor, environmentOf, needsMpi, python } from "../support/ranks.ts";
import { call, folderWith, girona } from "./support.ts";

interface Row {
  state: "ok" | "missing" | "broken";
  version: string | null;
  path: string | null;
  detail: string | null;
  value: number | null;
  add: string | null;
}
interface Report {
  ok: boolean;
  checks: Record<string, Row>;
}

const shell = (text: string) => `#!/bin/sh\n${text}\n`;

const unset = { GIRONA_PYTHON: undefined, CHROME_PATH: undefined, GIRONA_CACHE: undefined, XDG_CACHE_HOME: undefined };

/** The report on a machine whose PATH has only these programs. */
async function report(programs: Record<string, string>, env: Record<string, string | undefined> = {}): Promise<Report> {
  const folder = folderWith({ "home/none": "", ...programs });
  const { stdout, stderr } = await run([process.execPath, resolve("dist/cli/main.js"), "doctor", "--json"], {
    env: { PATH: folder, HOME: join(folder, "home"), ...unset, ...env },
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Report;
}

test("--json has the same keys on every machine", async () => {
  const { exitCode, stdout, stderr } = await call(["doctor", "--json"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const { checks, ...rest } = JSON.parse(stdout);
  expect(rest).toEqual({ girona: "0.1.0", platform: process.platform, arch: process.arch, ok: true });
  expect(Object.keys(checks)).toEqual(
    "node cores memory objects workers koffi tsx mpi hdf5 addons slurm ray openblas chromium".split(" "),
  );
  const text = expect.any(String);
  for (const [name, row] of Object.entries(checks)) {
    expect(Object.keys(row as object), name).toEqual("state core version path detail value for add".split(" "));
    expect(row, name).toMatchObject({ state: expect.stringMatching(/^(ok|missing|broken)$/), for: text });
  }
  const core = { state: "ok", core: true, add: null };
  expect(checks).toMatchObject({
    node: { ...core, version: process.versions.node, path: process.execPath },
    workers: { ...core, detail: expect.stringMatching(/^a worker started and answered in \d+ ms$/) },
    cores: { state: "ok", value: expect.any(Number) },
    memory: { state: "ok", value: expect.any(Number) },
    koffi: { state: "ok", version: text },
    tsx: { state: "ok", version: text, path: text },
  });
});

test("what is there is told with its version and path; what is missing with a command", async () => {
  const programs = {
    mpirun: shell("echo 'mpirun (Open MPI) 4.1.4'"),
    mpicxx: shell("echo g++"),
    h5pcc: shell("echo '  HDF5 Version: 1.10.8'; echo '  Parallel HDF5: yes'"),
    sbatch: shell("echo 'slurm-wlm 22.05.8'"),
    python3: shell('echo "version 2.40.0 /venv/bin/python3"'),
    chromium: shell("echo 'Chromium 120.0.6099.224 built on Debian'"),
  };
  const { ok, checks } = await report(programs);
  expect(ok).toBe(true);
  expect(checks).toMatchObject({
    mpi: { state: "ok", version: "Open MPI 4.1.4", path: expect.stringMatching(/mpirun$/), add: null },
    hdf5: { state: "ok", version: "1.10.8", path: expect.stringMatching(/h5pcc$/), detail: "parallel" },
    slurm: { state: "ok", version: "22.05.8", path: expect.stringMatching(/sbatch$/) },
    ray: { state: "ok", version: "2.40.0", path: "/venv/bin/python3" },
    chromium: { state: "ok", version: "120.0.6099.224" },
  });

  const bare = (await report({})).checks;
  for (const name of ["mpi", "hdf5", "slurm", "ray", "chromium"])
    expect(bare[name], name).toMatchObject({ state: "missing", version: null, add: expect.stringMatching(/\w/) });
});

test("the addons that are built, and the OpenBLAS in use, are told", async () => {
  needsMpi();
  await builtFor("Open MPI", ["mpi", "hdf5", "hdf5-mpi"]);
  const { checks } = JSON.parse(
    (await call(["doctor", "--json"], { env: environmentOf("Open MPI") })).stdout,
  ) as Report;
  expect(checks["addons"]).toMatchObject({
    ...{ state: "ok", path: expect.stringContaining(environmentOf()["GIRONA_CACHE"]!), add: null },
    detail: expect.stringMatching(
      /^mpi for Open MPI [\d.]+, hdf5 for HDF5 .*, hdf5-mpi for HDF5 [\d.]+ \(parallel\) and Open MPI [\d.]+$/,
    ),
  });
  expect(checks["mpi"]).toMatchObject({ state: "ok", version: expect.stringMatching(/^Open MPI \d/) });
  const bare = (await report({}, { GIRONA_BLAS: "wasm" })).checks;
  expect(bare["addons"]).toMatchObject({ state: "missing", detail: "none is built yet", add: "npx girona build" });
  expect(bare["openblas"]).toMatchObject({ state: "missing", detail: expect.stringContaining("WebAssembly") });
  const named = (await report({}, { GIRONA_BLAS: join(python, "../../nothing.so") })).checks;
  expect(named["openblas"]).toMatchObject({ state: "broken", detail: expect.stringContaining("GIRONA_BLAS is") });
});

test("what does not work is broken, with the reason, and girona runs all the same", async () => {
  const { ok, checks } = await report(
    {
      mpirun: shell("echo 'libmpi.so: cannot open shared object file' >&2; exit 127"),
      mpicxx: shell("exit 0"),
      h5cc: shell("echo 'HDF5 Version: 1.10.8'; echo 'Parallel HDF5: no'"),
      sbatch: shell("echo 'sbatch: fatal: no configuration' >&2; exit 1"),
      python3: shell('echo "version 2.40.0 /venv/bin/python3"; echo "ImportError: no numpy" >&2; exit 1'),
      chromium: shell("exit 3"),
    },
    { GIRONA_NO_NATIVE: "1" },
  );
  expect(ok).toBe(true);
  expect(checks).toMatchObject({
    mpi: { state: "broken", detail: expect.stringContaining("libmpi.so: cannot open"), add: expect.any(String) },
    hdf5: { state: "missing", version: "1.10.8", detail: expect.stringContaining("serial") },
    slurm: { state: "broken", detail: "sbatch: fatal: no configuration" },
    ray: { state: "broken", version: "2.40.0", detail: "ImportError: no numpy" },
    chromium: { state: "broken" },
    koffi: { state: "missing", detail: expect.stringContaining("GIRONA_NO_NATIVE") },
    workers: { state: "ok" },
  });
});

test("programs that hang hold it up for no more than three seconds", async () => {
  const hangs = shell("exec /usr/bin/tail -f /dev/null");
  const began = performance.now();
  const { checks } = await report({
    ...{ mpirun: hangs, mpicxx: hangs, h5pcc: hangs, h5cc: hangs, sbatch: hangs, chromium: hangs },
    python3: shell('echo "version 2.40.0 /venv/bin/python3"; exec /usr/bin/tail -f /dev/null'),
  });
  // With some time for the start of Node on a busy machine.
  expect(performance.now() - began).toBeLessThan(4500);
  for (const name of ["mpi", "hdf5", "slurm", "chromium"])
    expect(checks[name], name).toMatchObject({ state: "broken", detail: expect.stringContaining("within 2.5 s") });
  expect(checks["ray"]).toMatchObject({ state: "ok", version: "2.40.0" });
});

test("girona that cannot start a worker is broken: exit code 1", async () => {
  const folder = folderWith({ file: "" });
  const { exitCode, stdout } = await call(["doctor"], { env: { TMPDIR: join(folder, "file") } });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^workers +broken +.*The working directory .* cannot be used/m);
  expect(stdout).toMatch(/\ngirona cannot run on this machine: see workers\.\n$/);
});

test("the table is aligned, without colours in a pipe, and for people", async () => {
  const { exitCode, stdout, stderr } = await call(["doctor"], { env: { FORCE_COLOR: "1" } });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).not.toContain("\u001b");
  const [first, , head, ...rows] = stdout.trimEnd().split("\n");
  expect(first).toBe("girona 0.1.0");
  const column = head!.indexOf("state");
  const named = rows.filter((row) => /^[a-z0-9]+ +(ok|missing|broken) /.test(row));
  expect(named).toHaveLength(14);
  for (const row of named) expect(row.slice(column)).toMatch(/^(ok|missing|broken) /);
});

test("in a terminal the states have colours, unless NO_COLOR is set", async () => {
  // `script` runs a command in a terminal of its own.
  const inTerminal = (env: Record<string, string | undefined>) => {
    const command = [process.execPath, ...girona.slice(1), "doctor"].join(" ");
    return run(["script", "-qec", command, "/dev/null"], { env: { TERM: "xterm", CI: undefined, ...env } });
  };
  const coloured = await inTerminal({ NO_COLOR: undefined });
  expect(coloured.stdout).toContain("\u001b[32mok");
  const plain = await inTerminal({ NO_COLOR: "1" });
  expect(plain.stdout).toContain("ok");
  expect(plain.stdout).not.toContain("\u001b[3");
});

test("a reader that stops reading is no error", async () => {
  const command = `set -o pipefail; '${process.execPath}' dist/cli/main.js doctor | head -1`;
  expect(await run(["bash", "-c", command])).toEqual({
    exitCode: 0,
    signal: null,
    stdout: "girona 0.1.0\n",
    stderr: "",
  });
});

describe("the command that adds something", () => {
  const packages = { apt: "openmpi-bin", dnf: "openmpi-devel", brew: "open-mpi", module: "openmpi" };
  const cases: readonly [System, string][] = [
    [{ manager: "apt", modules: [], root: true }, "apt-get update && apt-get install -y openmpi-bin"],
    [{ manager: "apt", modules: [], root: false }, "sudo apt-get update && sudo apt-get install -y openmpi-bin"],
    [{ manager: "dnf", modules: ["GCC"], root: false }, "sudo dnf install -y openmpi-devel"],
    [{ manager: "dnf", modules: ["GCC", "OpenMPI"], root: false }, "module load OpenMPI"],
    [{ manager: "dnf", modules: ["mpi/openmpi-x86_64"], root: true }, "module load mpi/openmpi-x86_64"],
    [{ manager: "brew", modules: [], root: false }, "brew install open-mpi"],
    [
      { manager: undefined, modules: [], root: false },
      "with the package manager of this system: openmpi-bin (the names on Debian)",
    ],
  ];
  test.each(cases)("on %j: %s", (system, command) => {
    expect(installCommand(packages, system)).toBe(command);
  });
});
