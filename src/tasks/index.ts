/**
 * `tasks/`: what a user holds. Knows nothing of an engine but its contract.
 *
 * @example
 * const squared = distribute((x: number) => x * x);
 * const values = await get([1, 2, 3].map((x) => squared(x))); // [1, 4, 9]
 */
export { getActor, kill } from "./actors.js";
export { asCompleted, cancel, get, put, wait } from "./collect.js";
export { distribute } from "./distribute.js";
export { progress } from "./progress.js";
export { cluster, setWorkerEngine } from "./session.js";
export type {
  Actor,
  ActorOptions,
  Advice,
  Arg,
  Captured,
  Checked,
  Cluster,
  ClusterOptions,
  Completed,
  Cost,
  Distribute,
  Distributed,
  Explanation,
  FunctionProfile,
  GetOptions,
  Gettable,
  Got,
  MapMethod,
  MapOptions,
  Ref,
  RefArray,
  RefStream,
  RefValue,
  RemoteArgs,
  RemoteClass,
  RemoteFunction,
  StepTime,
  TaskOptions,
  WaitOptions,
} from "./types/index.js";
