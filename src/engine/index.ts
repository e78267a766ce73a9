/**
 * `engine/`: the contract that every engine keeps, and the engines.
 *
 * @example
 * import { type Engine, forEver, type TaskSpec } from "./index.js";
 *
 * async function product(engine: Engine, spec: TaskSpec): Promise<unknown> {
 *   const code = engine.define((a: number, b: number) => a * b, undefined);
 *   const [value] = await engine.get([engine.submit(code, [6, 7], spec)], forEver, "get");
 *   return value; // 42
 * }
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
export { EmbeddedEngine, type EmbeddedOptions, startEmbedded } from "./embedded/index.js";
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
export { Frozen } from "./frozen.js";
export { Held, type HeldState } from "./held.js";
export { forEver, limited } from "./limits.js";
