/**
 * Which HDF5 is meant: that of a variable, of `h5cc` or `h5pcc` on the PATH, of pkg-config, of Debian's folders for several
 * HDF5s beside each other, or the compiler's own. The first that has the wanted kind counts.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { hdf5Variables, hdf5Wrapper } from "./cache.js";
import { onPath } from "./files.js";
import { identifyHdf5 } from "./identify.js";
import type { AddonKind } from "./kinds.js";
import { kinds } from "./kinds.js";
import type { MpiFamily } from "./mpi.js";
import { ask } from "./process.js";

interface Place {
  /** In words. */
  readonly from: string;
  readonly include: readonly string[];
  readonly lib: readonly string[];
}

export interface Hdf5 extends Place {
  readonly library: string;
  readonly parallel: boolean;
  readonly compiler: string;
}

export interface Compilers {
  /** For C++ without MPI; `undefined` when there is none. */
  readonly plain: string | undefined;
  /** MPI's wrapper. */
  readonly mpi: string | undefined;
  readonly family: MpiFamily | undefined;
}

/** An array says what was tried and why it was not taken, a line each. */
export async function findHdf5(kind: AddonKind, compilers: Compilers): Promise<Hdf5 | readonly string[]> {
  const wantsParallel = kinds[kind].hdf5 === "parallel";
  const tried: string[] = [];
  // A parallel HDF5 reads and writes as a serial one too, where it is the only one.
  let second: Hdf5 | undefined;
  for await (const place of places(kind, compilers.family)) {
    const found = await look(place, compilers);
    if (typeof found === "string") tried.push(`${place.from}: ${found}`);
    else if (found.parallel === wantsParallel) return found;
    else if (wantsParallel) tried.push(`${place.from}: ${found.library} is serial, without MPI`);
    else second ??= found;
  }
  return second ?? tried;
}

async function look(place: Place, { plain, mpi }: Compilers): Promise<Hdf5 | string> {
  const flags = place.include.map((folder) => `-I${folder}`);
  let problem = "no C++ compiler";
  // The headers of a parallel HDF5 include those of MPI, which only MPI's wrapper finds.
  for (const compiler of [plain, mpi]) {
    if (!compiler) continue;
    const found = await identifyHdf5(compiler, flags);
    if (typeof found !== "string") {
      const usable = found.parallel ? mpi : (plain ?? mpi);
      if (usable) return { ...place, ...found, compiler: usable };
      problem = `${found.library} is parallel, and there is no MPI`;
    } else problem = /fatal error: hdf5\.h/.test(found) ? "no hdf5.h" : lastError(found);
  }
  return problem;
}

function lastError(text: string): string {
  return text.match(/^.*error:.*$/m)?.[0] ?? text.trim().split("\n").at(-1) ?? "";
}

async function* places(kind: AddonKind, family: MpiFamily | undefined): AsyncGenerator<Place> {
  const env = process.env;
  const variable = hdf5Variables.find((name) => env[name]);
  // Who names a folder wants that one and no other.
  if (variable) return yield inFolder(resolve(env[variable]!), `${variable}=${env[variable]}`);
  const wantsParallel = kinds[kind].hdf5 === "parallel";
  // Debian has one for each MPI, and the plain name leads to the one chosen last.
  const suffix = family === "MPICH" ? "mpich" : "openmpi";
  const wrapper = (wantsParallel ? onPath(env, `h5pcc.${suffix}`) : undefined) ?? hdf5Wrapper(kind, env);
  if (wrapper) yield* fromFlags((await ask(wrapper, ["-show"])).stdout, wrapper);

  const pkgConfig = onPath(env, "pkg-config", "pkgconf");
  const packages = wantsParallel ? [`hdf5-${suffix}`, "hdf5-mpi", "hdf5"] : ["hdf5-serial", "hdf5"];
  for (const name of pkgConfig ? packages : []) {
    const said = await ask(pkgConfig!, ["--cflags", "--libs", name]);
    if (said.ok) yield* fromFlags(said.stdout, `pkg-config ${name}`);
  }

  const triplet = { x64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu" }[process.arch as string] ?? process.arch;
  const folder = `/usr/lib/${triplet}/hdf5/${wantsParallel ? suffix : "serial"}`;
  if (existsSync(folder)) yield inFolder(folder, folder);
  yield { from: "the compiler's own folders", include: [], lib: [] };
}

function inFolder(folder: string, from: string): Place {
  return {
    from,
    include: [join(folder, "include")],
    lib: ["lib", "lib64"].map((name) => join(folder, name)).filter(existsSync),
  };
}

/** From a line of compiler options; libraries may be named by their path. */
function* fromFlags(text: string, from: string): Generator<Place> {
  const words = text.trim().split(/\s+/);
  const include = words.filter((word) => word.startsWith("-I")).map((word) => word.slice(2));
  const named = words.filter((word) => /\/libhdf5[^/]*\.(?:a|so|dylib)$/.test(word)).map((word) => dirname(word));
  const lib = [...words.filter((word) => word.startsWith("-L")).map((word) => word.slice(2)), ...named];
  yield { from, include: [...new Set(include)], lib: [...new Set(lib)] };
}
