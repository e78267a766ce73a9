/**
 * `engine/`: the contract that every engine keeps, and the engines.
 *
 * @example
 * const ref = engine.submit(engine.define(work, undefined), [1, 2], spec);
 * const [value] = await engine.get([ref], { timeoutMs: undefined, signal: undefined }, "get");
 */
export {
  type AnyClass,
  type AnyFunction,
  type CodeSource,
  type HandleDescription,
  type HandleKinds,
  type ModuleSource,
  setHandleKinds,
} from "./code.js";
export type {
  ActorHandle,
  ActorSpec,
  ChunkRun,
  Code,
  EachResult,
  Engine,
  EngineSnapshot,
  FunctionSnapshot,
  Later,
  LostItem,
  Step,
  TaskSpec,
  WaitLimits,
  WorkerSnapshot,
} from "./engine.js";
export type { EngineEvent } from "./events.js";
export { Held, type HeldState } from "./held.js";
export { forEver, limited } from "./limits.js";
