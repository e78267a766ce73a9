/**
 * `native/`: the addons for MPI and HDF5. `girona build` compiles them (`build.ts`) against the libraries found (`mpi.ts`,
 * `hdf5.ts`) into a cache (`cache.ts`); programs load them from there (`load.ts`) and never compile, so that a thousand ranks
 * can start at once.
 *
 * @example
 * import { loadAddon } from "./index.js";
 * const addon = loadAddon("mpi") as { start(): number }; // an EngineError names the libraries found and the command to build
 */
export { isAbsence } from "./advice.js";
export { type BuildOptions, type Built, buildAddon } from "./build.js";
export { type Build, builds, cacheFolder, librariesOf } from "./cache.js";
export { type AddonKind, kinds } from "./kinds.js";
export { type LaunchOptions, type LaunchPlan, launcherFor, planLaunch } from "./launch.js";
export { findBuild, loadAddon, loadedBuild } from "./load.js";
export { findMpi, type Launcher, launcherOf, type MpiFamily, type MpiWrapper } from "./mpi.js";
