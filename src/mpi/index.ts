/**
 * `girona/mpi`: message passing, as mpi4py has it. Upper-case calls move typed arrays without a copy; lower-case calls
 * move any value. Both block; `I...` calls return a request to await.
 *
 * @example
 * import { MPI } from "girona/mpi";
 *
 * const comm = MPI.COMM_WORLD;
 * const local = Float64Array.of(comm.rank);
 * const total = new Float64Array(1);
 * comm.Allreduce(local, total, { op: MPI.SUM });
 * console.log(`rank ${comm.rank} of ${comm.size}: ${total[0]}`);
 */
export { MpiError } from "../common/index.js";
export type * from "./comm-types.js";
/** @internal For girona/hdf5: see native.ts. */
export { atFinalize } from "./lifecycle.js";
export { MPI } from "./mpi.js";
export type * from "./mpi-types.js";
/** @internal */
export { nativeComm, nativeInfo } from "./native.js";
export type * from "./types.js";
export type * from "./window-types.js";
