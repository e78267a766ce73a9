/**
 * The cache of builds: `$GIRONA_CACHE/native/<system>`, else `$XDG_CACHE_HOME/girona/native/<system>`, else below `~/.cache`.
 *
 * Two files per build. The addon's name has the library and its version. The index file's name is a hash of what decides which
 * library is meant here (paths and variables), so that a rank finds its build without asking a compiler.
 */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { onPath, readJson, real, sizeOfFile } from "./files.js";
import { type AddonKind, kinds, sourceHash } from "./kinds.js";
import { findMpi } from "./mpi.js";

/** One build, as its index file has it. */
export interface Build {
  readonly kind: AddonKind;
  /** The addon's path. */
  readonly file: string;
  readonly mpi?: { readonly library: string; readonly wrapper: string; readonly real: string } | undefined;
  readonly hdf5?: { readonly library: string; readonly parallel: boolean; readonly from: string } | undefined;
  /** The shared libraries of MPI and HDF5 that it loaded when it was built: another size is another version. */
  readonly libraries: readonly { readonly path: string; readonly bytes: number }[];
  readonly source: string;
}

/** Where builds for this system lie. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base = env["GIRONA_CACHE"]
    ? resolve(env["GIRONA_CACHE"])
    : join(env["XDG_CACHE_HOME"] || join(env["HOME"] || homedir(), ".cache"), "girona");
  return join(base, "native", `${process.platform}-${process.arch}`);
}

/** Variables that name HDF5's folder, ours first; the last two are those of CMake and EasyBuild. */
export const hdf5Variables = ["GIRONA_HDF5_DIR", "HDF5_DIR", "HDF5_ROOT", "EBROOTHDF5"] as const;

/** HDF5's compiler wrapper: the serial one first for the serial kind. */
export function hdf5Wrapper(kind: AddonKind, env: NodeJS.ProcessEnv = process.env): string | undefined {
  return kinds[kind].hdf5 === "parallel" ? onPath(env, "h5pcc") : onPath(env, "h5cc", "h5pcc");
}

/** The index file for the MPI and HDF5 that are meant here. */
export function indexFile(kind: AddonKind, env: NodeJS.ProcessEnv = process.env): string {
  const { mpi, hdf5 } = kinds[kind];
  const decides: (string | undefined)[] = [sourceHash(kind)];
  if (mpi) decides.push("mpi", findMpi(env)?.real);
  if (hdf5) {
    const folder = hdf5Variables.map((name) => env[name]).find(Boolean);
    const wrapper = folder ? undefined : hdf5Wrapper(kind, env);
    decides.push("hdf5", folder && real(folder), wrapper && real(wrapper), folder ? undefined : env["PKG_CONFIG_PATH"]);
  }
  const hash = createHash("sha256").update(JSON.stringify(decides)).digest("hex").slice(0, 16);
  return join(cacheFolder(env), `${kind}-${hash}.json`);
}

export function readBuild(index: string): Build | undefined {
  const build = readJson(index) as Build | undefined;
  // Moved with its folder, the addon still lies beside the index file.
  return build && { ...build, file: join(index, "..", build.file) };
}

/** All builds from this girona's source, those for other libraries than the ones meant here as well. */
export function builds(env: NodeJS.ProcessEnv = process.env): Build[] {
  const folder = cacheFolder(env);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(".json"))
    .map((name) => readBuild(join(folder, name)))
    .filter((build) => build !== undefined)
    .filter(({ kind, source, file }) => kind in kinds && source === sourceHash(kind) && sizeOfFile(file) !== undefined);
}

/** A library that has changed since the build, or is gone. */
export function changedLibrary({ libraries }: Build): string | undefined {
  return libraries.find(({ path, bytes }) => sizeOfFile(path) !== bytes)?.path;
}

/** The libraries of a build in words: `"HDF5 1.10.8 (parallel) and Open MPI 4.1.4"`. */
export function librariesOf({ mpi, hdf5 }: Pick<Build, "mpi" | "hdf5">): string {
  const names = [hdf5 && `${hdf5.library}${hdf5.parallel ? " (parallel)" : ""}`, mpi?.library];
  return names.filter(Boolean).join(" and ");
}
