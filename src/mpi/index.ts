/**
 * `girona/mpi`: message passing, as mpi4py has it. Upper-case calls move typed arrays without a copy; lower-case calls
 * move any value. Both block; `I...` calls return a request to await.
 */
export { MpiError } from "../common/index.js";
export type * from "./comm-types.js";
export type * from "./mpi-types.js";
export type * from "./types.js";
export type * from "./window-types.js";
