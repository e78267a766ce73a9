/** What `girona doctor` looks at: what each is for, how to see whether it works, and how to add it. */
import { closeSync, existsSync, ftruncateSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { showBytes, usableCores, usableMemory } from "../common/index.js";
import { addons, mpi, openblas } from "./native-checks.js";
import type { Packages } from "./packages.js";
import { ask, type Finding, find, isProgram, lastLine, longestMs, onPath } from "./probe.js";

export interface Check {
  readonly for: string;
  /** girona itself does not run when this is broken. */
  readonly core?: boolean;
  /** Before the others: opening a cluster clears away what it looks at. */
  readonly first?: boolean;
  readonly look: () => Finding | Promise<Finding>;
  /** Packages, or the same command everywhere. */
  readonly add: Packages | string;
}

const python = (): string => process.env["GIRONA_PYTHON"] || "python3";

/** The keys are those of `--json`. */
export const checks: Readonly<Record<string, Check>> = {
  node: {
    for: "everything",
    core: true,
    look: node,
    add: "install Node.js 20.19 or newer, from nodejs.org or with nvm",
  },
  cores: { for: "number of workers", look: cores, add: "" },
  memory: { for: "heap of workers, stored objects", look: memory, add: "" },
  objects: { for: "what running programs hold", first: true, look: objects, add: "" },
  workers: { for: "running functions in other processes", core: true, look: workers, add: "npm install girona" },
  koffi: { for: "large arrays without a copy", look: koffi, add: "npm install koffi" },
  tsx: { for: "TypeScript without a build", look: tsx, add: "npm install tsx" },
  mpi: {
    for: "message passing",
    look: mpi,
    add: {
      apt: "openmpi-bin libopenmpi-dev",
      dnf: "openmpi-devel   # then: module load mpi/openmpi-x86_64",
      brew: "open-mpi",
      module: "openmpi",
    },
  },
  hdf5: {
    for: "parallel files",
    look: hdf5,
    add: { apt: "libhdf5-openmpi-dev hdf5-tools", dnf: "hdf5-openmpi-devel", brew: "hdf5-mpi", module: "hdf5" },
  },
  addons: { for: "girona/mpi and girona/hdf5", look: addons, add: "npx girona build" },
  slurm: { for: "jobs on a cluster", look: slurm, add: { apt: "slurm-client", dnf: "slurm" } },
  ray: { for: "clusters of Ray", look: ray, add: `${python()} -m pip install ray` },
  openblas: {
    for: "linear algebra",
    look: openblas,
    add: { apt: "libopenblas0", dnf: "openblas", brew: "openblas", module: "openblas" },
  },
  chromium: { for: "tests of web pages", look: chromium, add: { apt: "chromium", dnf: "chromium", brew: "chromium" } },
};

// --- girona itself

function node(): Finding {
  const { node: version } = process.versions;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major < 20 || (major === 20 && minor < 19);
  const detail = isOld ? "girona needs 20.19 or newer" : undefined;
  return { state: isOld ? "broken" : "ok", version, path: process.execPath, detail };
}

function cores(): Finding {
  const { value, by } = usableCores();
  return { state: "ok", value, detail: `${value}, by ${by}` };
}

function memory(): Finding {
  const { value, by } = usableMemory();
  return { state: "ok", value, detail: `${showBytes(value)}, by ${by}` };
}

/** Loaded here, like the workers below. */
async function objects(): Promise<Finding> {
  const { holdings } = await import("../engine/embedded/index.js");
  const all = holdings();
  const [running, dead] = [all.filter(({ alive }) => alive), all.filter(({ alive }) => !alive)];
  const value = all.reduce((sum, { memoryBytes, fileBytes }) => sum + memoryBytes + fileBytes, 0);
  const each = running.map(
    ({ pid, command, objects, memoryBytes, fileBytes }) =>
      `${pid} (${command.slice(0, 60)}) holds ${objects} object${objects === 1 ? "" : "s"}: ${showBytes(memoryBytes)} in memory, ${showBytes(fileBytes)} in files`,
  );
  const left = dead.map(({ pid }) => `${pid} was killed: what it left is removed when the next program starts`);
  return { state: "ok", value, detail: [...each, ...left].join("; ") || "no other program of yours uses girona now" };
}

/** A function goes to a worker process and its result comes back. */
async function workers(): Promise<Finding> {
  const began = performance.now();
  try {
    // Loaded here, so that a part that does not load is one broken row.
    const { cluster, distribute, get } = await import("../tasks/index.js");
    const late = setTimeout(longestMs, "late" as const, { ref: false });
    const opening = cluster({ workers: 1, engine: "embedded", dashboard: false });
    const session = await Promise.race([opening, late]);
    if (session === "late") return { state: "broken", detail: `no worker was ready within ${longestMs / 1e3} s` };
    try {
      const twice = distribute((x: number) => x * 2);
      const value = await Promise.race([get(twice(21)), late]);
      if (value !== 42) return { state: "broken", detail: value === "late" ? "no answer" : `21 * 2 gave ${value}` };
    } finally {
      await session.close();
    }
  } catch (error) {
    return { state: "broken", detail: (error as Error).message };
  }
  return { state: "ok", detail: `a worker started and answered in ${Math.round(performance.now() - began)} ms` };
}

const require = createRequire(import.meta.url);

/** Read beside what is loaded: not every package exports its package.json. */
function versionOf(name: string): string | undefined {
  try {
    const path = require.resolve(name);
    const root = path.slice(0, path.lastIndexOf(join("node_modules", name)) + join("node_modules", name).length);
    return (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;
  } catch {
    return undefined;
  }
}

/** Two mappings of one memory file: what one process writes the other reads, and a private copy stays private. */
async function koffi(): Promise<Finding> {
  const without = "girona runs without it, slower with large arrays";
  if (process.platform !== "linux") return { state: "missing", detail: `shared memory is used on Linux; ${without}` };
  if (process.env["GIRONA_NO_NATIVE"])
    return { state: "missing", detail: `turned off by GIRONA_NO_NATIVE; ${without}` };
  const version = versionOf("koffi");
  const { sharedMemory } = await import("../engine/embedded/index.js");
  const shm = sharedMemory();
  if (!shm) return { state: version ? "broken" : "missing", version, detail: `it does not load; ${without}` };
  try {
    const file = shm.memoryFile();
    if (file === undefined) return { state: "broken", version, detail: `the kernel has no memory files; ${without}` };
    const bytes = 4096;
    ftruncateSync(file, bytes);
    const shared = new Uint8Array(shm.map(file, bytes, "shared"));
    const copy = new Uint8Array(shm.map(file, bytes, "private"));
    closeSync(file);
    shared[0] = 1;
    const isSeen = copy[0] === 1;
    copy[0] = 2;
    if (!isSeen || shared[0] !== 1)
      return { state: "broken", version, detail: `mapped memory is not as it should be; ${without}` };
  } catch (error) {
    return { state: "broken", version, detail: `${(error as Error).message}; ${without}` };
  }
  return { state: "ok", version, detail: "memory files are mapped and shared" };
}

async function tsx(): Promise<Finding> {
  const version = versionOf("tsx");
  try {
    await import("tsx/esm/api");
  } catch (error) {
    return {
      state: version ? "broken" : "missing",
      version,
      detail: lastLine((error as Error).message.split("\n")[0] ?? ""),
    };
  }
  return { state: "ok", version, path: require.resolve("tsx") };
}

// --- what is around it

const parallelNames = ["hdf5-openmpi", "hdf5-mpich", "hdf5-mpi"];
const parallelCompilers = ["h5pcc", "h5pcc.openmpi", "h5pcc.mpich"];

async function hdf5(): Promise<Finding> {
  const pkgConfig = onPath("pkg-config", "pkgconf");
  const compilers = [onPath(...parallelCompilers), onPath("h5cc")].filter((path) => path !== undefined);
  const [configs, packages] = await Promise.all([
    Promise.all(compilers.map(async (path) => ({ path, ...(await ask(path, "-showconfig")) }))),
    Promise.all(
      (pkgConfig ? [...parallelNames, "hdf5"] : []).map(async (name) => ({
        name,
        ...(await ask(pkgConfig!, "--modversion", name)),
      })),
    ),
  ]);
  const found = [
    ...configs.map(({ path, ok, text, why }) => ({
      path,
      ok,
      why,
      version: find(text, /HDF5 Version:\s*(\S+)/),
      isParallel: /Parallel HDF5:\s*(?:yes|on)/i.test(text),
    })),
    ...packages
      .filter(({ ok }) => ok)
      .map(({ name, text, why }) => ({
        path: undefined,
        ok: true,
        why,
        version: text,
        isParallel: parallelNames.includes(name),
      })),
  ];
  const best = found.find(({ ok, isParallel }) => ok && isParallel) ?? found.find(({ ok }) => ok);
  if (best?.isParallel) return { state: "ok", version: best.version, path: best.path, detail: "parallel" };
  if (best)
    return { state: "missing", version: best.version, path: best.path, detail: "serial; the parallel one is missing" };
  const [failed] = found;
  return failed ? { state: "broken", path: failed.path, detail: failed.why } : { state: "missing" };
}

async function slurm(): Promise<Finding> {
  const path = onPath("sbatch");
  if (!path) return { state: "missing" };
  const said = await ask(path, "--version");
  if (!said.ok) return { state: "broken", path, detail: said.why };
  return { state: "ok", version: find(said.text, /slurm\S* (\S+)/i) ?? lastLine(said.text), path };
}

/** Its version is known at once; that it also loads takes a second or more, so an unfinished import counts as working. */
const rayProgram = `
import importlib.metadata, sys
try:
    print("version", importlib.metadata.version("ray"), sys.executable, flush=True)
except importlib.metadata.PackageNotFoundError:
    print("none", sys.executable, flush=True); sys.exit(0)
import ray
`;

async function ray(): Promise<Finding> {
  const name = python();
  const path = name.includes("/") ? (isProgram(name) ? name : undefined) : onPath(name);
  if (!path) return { state: "missing", detail: `there is no ${name}` };
  const said = await ask(path, "-c", rayProgram);
  const [, version, executable] = /^version (\S+) (.*)$/m.exec(said.text) ?? [];
  if (!version) return { state: said.ok ? "missing" : "broken", detail: said.ok ? `not in ${path}` : said.why };
  const isLate = said.why.includes("did not answer");
  if (!said.ok && !isLate) return { state: "broken", version, path: executable, detail: said.why };
  return { state: "ok", version, path: executable, detail: isLate ? "still loading when this was written" : undefined };
}

async function chromium(): Promise<Finding> {
  const given = process.env["CHROME_PATH"];
  const path =
    (given && isProgram(given) ? given : undefined) ??
    onPath("chromium", "chromium-browser", "google-chrome", "google-chrome-stable") ??
    downloaded();
  if (!path) return { state: "missing" };
  const said = await ask(path, "--version");
  if (!said.ok) return { state: "broken", path, detail: said.why };
  return { state: "ok", version: find(said.text, /(\d+\.\d+\S*)/), path };
}

/** Where the tests of web pages put one. */
function downloaded(): string | undefined {
  const folder = join(homedir(), ".cache/ms-playwright");
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((name) => name.startsWith("chromium"))
    .flatMap((name) => [join(folder, name, "chrome-linux/chrome"), join(folder, name, "chrome-linux64/chrome")])
    .find(isProgram);
}
