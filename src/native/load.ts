/** Loading an addon: by its index file, without starting a process, and never compiling. */
import { fstatSync } from "node:fs";
import { constants } from "node:os";
import { failure } from "./advice.js";
import { type Build, builds, cacheFolder, changedLibrary, indexFile, librariesOf, readBuild } from "./cache.js";
import { sizeOfFile } from "./files.js";
import { type AddonKind, kinds } from "./kinds.js";
import { findMpi, launcherOf, type MpiFamily } from "./mpi.js";

interface Loaded {
  readonly exports: unknown;
  readonly build: Build;
}
const loaded = new Map<AddonKind, Loaded>();

/** The build for the MPI and HDF5 that are meant here; `undefined` when there is none that can be used. Loads nothing. */
export function findBuild(kind: AddonKind, env: NodeJS.ProcessEnv = process.env): Build | undefined {
  const build = readBuild(indexFile(kind, env));
  return build && sizeOfFile(build.file) !== undefined && !changedLibrary(build) ? build : undefined;
}

/** What the addon in this process was built for, once it is loaded. */
export function loadedBuild(kind: AddonKind): Build | undefined {
  return loaded.get(kind)?.build;
}

/**
 * The addon's exports.
 *
 * @throws EngineError when there is no build for the libraries found, or one for another MPI than the launcher's; its message
 * names both, and the command that makes one
 */
export function loadAddon(kind: AddonKind): unknown {
  const known = loaded.get(kind);
  if (known) return known.exports;
  const build = findBuild(kind);
  if (!build) throw failure(kind, whyNone(kind));
  checkLauncher(kind, build);
  if (kinds[kind].mpi) tameMemoryHooks();
  const module = { exports: {} };
  try {
    process.dlopen(module, build.file, flags(kind));
  } catch (error) {
    const what = `the build for ${librariesOf(build)} does not load: ${(error as Error).message}`;
    throw failure(
      kind,
      `${what}. Load the modules that it was built with, or build it anew for those that are loaded: ${command(kind)}`,
      error,
    );
  }
  loaded.set(kind, { exports: module.exports, build });
  return module.exports;
}

/**
 * UCX, which MPICH and Open MPI use for networks, watches memory by rewriting the code of mmap and munmap in the process. V8's
 * threads are in that code at any time: of 100 starts of 8 ranks, 7 ended in a segmentation fault. The other way, through the
 * tables by which libraries find these functions, replaces one pointer at a time. UCX reads the variable when it is loaded.
 */
function tameMemoryHooks(): void {
  process.env["UCX_MEM_MMAP_HOOK_MODE"] ??= "reloc";
}

function flags(kind: AddonKind): number {
  const { RTLD_LAZY, RTLD_GLOBAL } = constants.dlopen;
  return kinds[kind].isGlobal ? RTLD_LAZY | RTLD_GLOBAL : RTLD_LAZY;
}

const command = (kind: AddonKind): string => `npx girona build ${kinds[kind].command}`;

/** In words: what is here, what the builds are for. */
function whyNone(kind: AddonKind): string {
  const build = readBuild(indexFile(kind));
  const changed = build && sizeOfFile(build.file) !== undefined && changedLibrary(build);
  if (changed)
    return `it is built for ${librariesOf(build)}, and ${changed} is another one now. Build it anew, which takes some seconds: ${command(kind)}`;
  const { mpi: needsMpi, hdf5 } = kinds[kind];
  const mpi = needsMpi ? findMpi() : undefined;
  const here = needsMpi
    ? mpi
      ? `the MPI of ${mpi.wrapper} (found by ${mpi.from})`
      : "an MPI, and none is found"
    : "this HDF5";
  const others = builds().filter((one) => one.kind === kind);
  const has = others.map((one) => `${librariesOf(one)} (${one.mpi?.wrapper ?? one.hdf5?.from})`).join(", ");
  const cache = has ? `The cache has it for ${has}.` : `The cache (${cacheFolder()}) has none.`;
  const what = hdf5 && needsMpi ? `parallel HDF5 and ${here}` : here;
  return `there is no build for ${what}. ${cache} Build it once, which takes some seconds: ${command(kind)}`;
}

/** Hydra talks with its ranks through a socket that they inherit, the number of which stands in `PMI_FD`. */
function hasItsLine({ PMI_FD: descriptor }: NodeJS.ProcessEnv): boolean {
  if (descriptor === undefined) return true;
  try {
    return fstatSync(Number(descriptor)).isSocket();
  } catch {
    return false;
  }
}

/** Ranks of one MPI's launcher that load another MPI would each think they are alone. */
function checkLauncher(kind: AddonKind, { mpi }: Build): void {
  const launcher = mpi && launcherOf();
  if (!launcher?.family) return;
  if (!hasItsLine(process.env))
    throw failure(
      kind,
      `the line to MPICH's launcher (PMI_FD) did not reach this process: what stands between, such as npx, closes it. Start ranks with "npx girona mpirun -n ${launcher.size} FILE", or with node itself after mpirun.`,
    );
  const family: MpiFamily = mpi!.library.startsWith("Open MPI") ? "Open MPI" : "MPICH";
  if (family === launcher.family) return;
  const by = launcher.program ? ` (${launcher.program})` : "";
  throw failure(
    kind,
    `this process is one of ${launcher.size} ranks of ${launcher.family}'s launcher${by}, and the addon is built for ${mpi!.library} (${mpi!.wrapper}): each rank would be alone. Start it with that MPI's launcher, "npx girona mpirun -n ${launcher.size} FILE", or build it for the other: GIRONA_MPICXX=/path/of/its/mpicxx ${command(kind)}, with the same variable when it runs.`,
  );
}
