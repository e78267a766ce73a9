/** Which library the headers belong to, by what the compiler says they define: right for every wrapper, whatever its options. */

import type { MpiFamily } from "./mpi.js";
import { ask } from "./process.js";

export interface MpiHeaders {
  readonly family: MpiFamily | undefined;
  /** `"Open MPI 4.1.4"`. */
  readonly library: string;
}

/** The macros after including `header`; a text says why there are none. */
async function macros(
  compiler: string,
  flags: readonly string[],
  header: string,
): Promise<Map<string, string> | string> {
  const said = await ask(compiler, [...flags, "-E", "-dM", "-x", "c++", "-"], `#include <${header}>\n`);
  if (!said.ok) return said.problem ?? said.stderr;
  const lines = said.stdout.matchAll(/^#define (\w+) (.*)$/gm);
  return new Map(Array.from(lines, ([, name, value]) => [name!, value!.replaceAll('"', "").trim()]));
}

/** A text is what the compiler said instead. */
export async function identifyMpi(wrapper: string): Promise<MpiHeaders | string> {
  const found = await macros(wrapper, ["-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX"], "mpi.h");
  if (typeof found === "string") return found;
  const open = ["MAJOR", "MINOR", "RELEASE"].map((part) => found.get(`OMPI_${part}_VERSION`));
  if (open[0] !== undefined) return { family: "Open MPI", library: `Open MPI ${open.join(".")}` };
  // Relatives of MPICH define its version as well.
  const [relative] = [
    ["I_MPI_VERSION", "Intel MPI"],
    ["MVAPICH_VERSION", "MVAPICH"],
    ["MVAPICH2_VERSION", "MVAPICH2"],
    ["CRAY_MPICH_VERSION", "Cray MPICH"],
    ["MPICH_VERSION", "MPICH"],
  ].filter(([macro]) => found.has(macro!));
  if (relative) return { family: "MPICH", library: `${relative[1]} ${found.get(relative[0]!)}` };
  return { family: undefined, library: `an MPI of version ${found.get("MPI_VERSION") ?? "unknown"}` };
}

export interface Hdf5Headers {
  /** `"HDF5 1.10.8"`. */
  readonly library: string;
  readonly parallel: boolean;
}

export async function identifyHdf5(compiler: string, flags: readonly string[]): Promise<Hdf5Headers | string> {
  const found = await macros(compiler, flags, "hdf5.h");
  if (typeof found === "string") return found;
  const version = ["MAJOR", "MINOR", "RELEASE"].map((part) => found.get(`H5_VERS_${part}`));
  const parallel = found.get("H5_HAVE_PARALLEL");
  return { library: `HDF5 ${version.join(".")}`, parallel: parallel !== undefined && parallel !== "0" };
}
