/** `girona build`: from the sources in this package to an addon in the cache, with the compiler of the library it is for. */
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { absence, explainCache, explainCompiler, failure, howToGet } from "./advice.js";
import { type Build, cacheFolder, changedLibrary, indexFile, librariesOf, readBuild } from "./cache.js";
import { isProgram, onPath, real, sizeOfFile } from "./files.js";
import { findHdf5, type Hdf5 } from "./hdf5.js";
import { identifyMpi, type MpiHeaders } from "./identify.js";
import { type AddonKind, kinds, sourceFile, sourceHash } from "./kinds.js";
import { withLock } from "./lock.js";
import { findMpi, type MpiWrapper } from "./mpi.js";
import { ask } from "./process.js";

export interface BuildOptions {
  /** Told when another process is building the same. */
  readonly onWait?: ((holder: string) => void) | undefined;
}

export interface Built extends Build {
  /** False when the cache had it. */
  readonly made: boolean;
  readonly seconds: number;
}

/** What an addon is compiled with and against. */
interface Recipe {
  readonly compiler: string;
  readonly mpi: (MpiWrapper & MpiHeaders) | undefined;
  readonly hdf5: Hdf5 | undefined;
}

/**
 * Compiles an addon for the MPI and HDF5 found here, unless the cache has it. Works without a network, and at the same time as
 * other builds.
 *
 * @throws EngineError that says what is missing and how to get it
 */
export async function buildAddon(kind: AddonKind, options: BuildOptions = {}): Promise<Built> {
  const began = performance.now();
  const built = (build: Build, made: boolean): Built => ({
    ...build,
    made,
    seconds: (performance.now() - began) / 1e3,
  });
  const recipe = await findRecipe(kind);
  const index = indexFile(kind);
  const file = join(cacheFolder(), fileName(kind, recipe));
  const ready = () => {
    const build = readBuild(index);
    return build && build.file === file && sizeOfFile(file) !== undefined && !changedLibrary(build) ? build : undefined;
  };
  const known = ready();
  if (known) return built(known, false);
  try {
    mkdirSync(dirname(file), { recursive: true });
    removeRemains(dirname(file));
    const work = async () => {
      const meanwhile = ready();
      return meanwhile ? built(meanwhile, false) : built(await make(kind, recipe, file, index), true);
    };
    return await withLock(dirname(file), basename(file, ".node"), work, options.onWait);
  } catch (error) {
    throw explainCache(kind, error);
  }
}

async function findRecipe(kind: AddonKind): Promise<Recipe> {
  const wants = kinds[kind];
  const wrapper = findMpi();
  if (wants.mpi && !wrapper) throw absence(kind, `there is no MPI here: no mpicxx on the PATH. ${howToGet("mpi")}`);
  const headers = wrapper && (await identifyMpi(wrapper.wrapper));
  if (wants.mpi && typeof headers === "string") throw explainCompiler(kind, wrapper!.wrapper, headers);
  const mpi = wrapper && typeof headers === "object" ? { ...wrapper, ...headers } : undefined;
  if (!wants.hdf5) return { compiler: wrapper!.wrapper, mpi, hdf5: undefined };

  const plain = plainCompiler();
  if (!plain && !mpi) throw absence(kind, `there is no C++ compiler here. ${howToGet("compiler")}`);
  const hdf5 = await findHdf5(kind, { plain, mpi: mpi?.wrapper, family: mpi?.family });
  if ("compiler" in hdf5) {
    const usesMpi = wants.mpi || hdf5.parallel;
    return { compiler: usesMpi ? mpi!.wrapper : hdf5.compiler, mpi: usesMpi ? mpi : undefined, hdf5 };
  }
  const what = wants.hdf5 === "parallel" ? `parallel HDF5 for ${mpi!.library}` : "HDF5 with its headers";
  const tried = hdf5.map((line) => `\n  ${line}`).join("");
  throw absence(
    kind,
    `there is no ${what} here. ${howToGet(wants.hdf5 === "parallel" ? "parallel hdf5" : "hdf5")}\nLooked at:${tried}`,
  );
}

/** `CXX`, or the first of the usual names. */
function plainCompiler(): string | undefined {
  const given = process.env["CXX"];
  if (given) return given.includes("/") ? (isProgram(given) ? given : undefined) : onPath(process.env, given);
  return onPath(process.env, "c++", "g++", "clang++");
}

/** Has what the addon is for, so that builds for several libraries lie beside each other: `mpi-open-mpi-4.1.4-0123456789ab.node`. */
function fileName(kind: AddonKind, { compiler, mpi, hdf5 }: Recipe): string {
  const names = [mpi?.library, hdf5 && `${hdf5.library}${hdf5.parallel ? "-parallel" : ""}`].filter(
    (one) => one !== undefined,
  );
  const readable = names.map((name) => name.toLowerCase().replaceAll(/[^a-z0-9.]+/g, "-"));
  const decides = [kind, sourceHash(kind), real(compiler), mpi?.real, ...names, hdf5?.include, hdf5?.lib];
  const hash = createHash("sha256").update(JSON.stringify(decides)).digest("hex").slice(0, 12);
  return `${[kind, ...readable, hash].join("-")}.node`;
}

async function make(kind: AddonKind, recipe: Recipe, file: string, index: string): Promise<Build> {
  const { mpi, hdf5, compiler } = recipe;
  const folder = mkdtempSync(join(dirname(file), `${remains}${hostname()}-${process.pid}-`));
  try {
    const output = join(folder, "addon.node");
    const said = await ask(compiler, compilerArguments(kind, recipe, output), "", { ...process.env, TMPDIR: folder });
    if (!said.ok || !existsSync(output)) throw explainCompiler(kind, compiler, said.problem ?? said.stderr);
    const libraries = await tryToLoad(kind, output, recipe);
    const build: Build = {
      kind,
      file: basename(file),
      mpi: mpi && { library: mpi.library, wrapper: mpi.wrapper, real: mpi.real },
      hdf5: hdf5 && { library: hdf5.library, parallel: hdf5.parallel, from: hdf5.from },
      libraries: libraries.map((path) => ({ path, bytes: statSync(path).size })),
      source: sourceHash(kind),
    };
    const record = join(folder, "index.json");
    writeFileSync(record, JSON.stringify(build, undefined, 2));
    // Complete on the disk before it has its name: after a crash or on another node, a name leads to the whole.
    for (const [from, to] of [
      [output, file],
      [record, index],
    ] as const) {
      sync(from);
      renameSync(from, to);
    }
    return { ...build, file };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compilerArguments(kind: AddonKind, { hdf5 }: Recipe, output: string): string[] {
  const headers = (createRequire(import.meta.url)("node-api-headers") as { include_dir: string }).include_dir;
  const shared = process.platform === "darwin" ? ["-bundle", "-undefined", "dynamic_lookup"] : ["-shared"];
  return [
    ...["-O2", "-std=c++17", "-fPIC", "-fvisibility=hidden", "-pthread", ...shared],
    // The C++ interfaces that old MPIs have would tie the addon to one compiler.
    ...["NAPI_VERSION=9", "OMPI_SKIP_MPICXX", "MPICH_SKIP_MPICXX", ...kinds[kind].defines].map((name) => `-D${name}`),
    `-I${headers}`,
    ...(hdf5?.include ?? []).map((folder) => `-I${folder}`),
    sourceFile(kind),
    ...(hdf5?.lib ?? []).flatMap((folder) => [`-L${folder}`, `-Wl,-rpath,${folder}`]),
    ...(hdf5 ? ["-lhdf5"] : []),
    ...(process.platform === "linux" ? ["-ldl", "-Wl,-z,lazy"] : []),
    ...["-o", output],
  ];
}

/** In a process of its own, as a rank will load it: what it prints are the libraries of MPI and HDF5 that came with it. */
const loads = `
  process.dlopen({ exports: {} }, process.argv[1]);
  const maps = require("node:fs").readFileSync("/proc/self/maps", "utf8");
  console.log(JSON.stringify([...new Set(maps.match(/\\/\\S*\\/lib(?:mpi|mpich|hdf5)[^/\\s]*$/gm))]));
`;

async function tryToLoad(kind: AddonKind, file: string, { mpi, hdf5 }: Recipe): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const said = await ask(process.execPath, ["-e", loads, file], "", { ...process.env, NODE_OPTIONS: "" });
  const what = librariesOf({ mpi, hdf5 });
  if (!said.ok) {
    const reason = said.stderr.match(/Error: (.*)/)?.[1] ?? said.problem ?? said.stderr.trim();
    throw failure(
      kind,
      `the addon for ${what} compiles, and does not load: ${reason}. The library that is found when it runs is another than the compiler's: load the same modules for both, or set LD_LIBRARY_PATH.`,
    );
  }
  const libraries = JSON.parse(said.stdout) as string[];
  const messagePassing = libraries.filter((path) => /\/libmpi(?:ch)?\.so/.test(path));
  if (messagePassing.length > 1)
    throw absence(
      kind,
      `${hdf5?.library} (${hdf5?.from}) is built for another MPI than ${mpi?.library} (${mpi?.wrapper}): together they load ${messagePassing.join(" and ")}. Use an HDF5 for this MPI (GIRONA_HDF5_DIR), or this HDF5's MPI (GIRONA_MPICXX).`,
    );
  return libraries;
}

function sync(file: string): void {
  const descriptor = openSync(file, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const remains = ".building-";

/** Of builds that were killed on this host. */
function removeRemains(folder: string): void {
  const own = `${remains}${hostname()}-`;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(own)) continue;
    const pid = Number.parseInt(name.slice(own.length), 10);
    if (!existsSync(`/proc/${pid}`)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
