/** Which HDF5 the tables run on, decided before girona/hdf5 is loaded. */
import { builtFor, environmentOf } from "../../support/ranks.ts";

export async function loadEnvironment(backend: "native" | "wasm"): Promise<void> {
  process.env["GIRONA_HDF5"] = backend;
  if (backend === "wasm") return;
  // A serial build of its own: that of the MPIs would do as well, and is tested by the ranks.
  await builtFor("Open MPI", ["hdf5"]);
  for (const [name, value] of Object.entries(environmentOf("Open MPI"))) process.env[name] ??= value;
}
