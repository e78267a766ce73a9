/** What `girona doctor` says about native libraries: the MPI that is meant, the addons built for it, OpenBLAS. */
import {
  type AddonKind,
  builds,
  cacheFolder,
  findBuild,
  findMpi,
  kinds,
  launcherFor,
  librariesOf,
} from "../native/index.js";
import { ask, type Finding, find, lastLine, onPath } from "./probe.js";

export async function mpi(): Promise<Finding> {
  const compiler = findMpi()?.wrapper;
  const run = (compiler && launcherFor(compiler)) ?? onPath("mpirun", "mpiexec");
  if (!run && !compiler) return { state: "missing" };
  if (!run) return { state: "broken", path: compiler, detail: "mpicxx is there, and mpirun is not" };
  const said = await ask(run, "--version");
  if (!said.ok) return { state: "broken", path: run, detail: `mpirun ${said.why}` };
  const open = find(said.text, /\((?:Open MPI|OpenRTE)\) (\S+)/);
  const version = open ? `Open MPI ${open}` : (find(said.text, /(?:Version|version):?\s+(\S+)/) ?? lastLine(said.text));
  if (!compiler) return { state: "broken", version, path: run, detail: "mpirun is there, and mpicxx is not" };
  return { state: "ok", version, path: run, detail: `compiler ${compiler}` };
}

/** For the MPI and HDF5 that are meant here; where there are none, what the cache has for others. */
export function addons(): Finding {
  const path = cacheFolder();
  const here = (Object.keys(kinds) as AddonKind[])
    .map((kind) => findBuild(kind))
    .filter((build) => build !== undefined && build.kind !== "mpi-profile")
    .map((build) => `${build!.kind} for ${librariesOf(build!)}`);
  if (here.length > 0) return { state: "ok", path, detail: here.join(", ") };
  const others = [...new Set(builds().map(librariesOf))];
  const detail = others.length > 0 ? `the cache has them for ${others.join(", ")} alone` : "none is built yet";
  return { state: "missing", path, detail };
}

/** Which `girona/linalg` takes, as it says itself. */
export async function openblas(): Promise<Finding> {
  const { library } = await import("../linalg/index.js");
  if (!library) return { state: "missing", detail: "girona/linalg runs on WebAssembly, several times slower" };
  const version = find(library.config, /OpenBLAS (\S+)/);
  return { state: "ok", version, path: library.path, detail: `threads: ${library.threads}` };
}
