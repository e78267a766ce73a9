/**
 * `capture/`: a function or class, with all it names from outside, as plain data; and alive again in another process.
 *
 * What cannot travel is refused with a `CaptureError` that names the variable, file and line; nothing is guessed.
 *
 * @example
 * import { capture, revive } from "./index.js";
 *
 * const factor = 3;
 * const { portable } = capture((x: number) => x * factor, { isExternal: () => false });
 * // `portable` is structured-clonable: send it anywhere, then
 * const { value } = await revive(portable, { large: portable.large, external: [] });
 * value(14); // 42
 */
export { capture } from "./capture.js";
export { type Captured, type Explanation, explain } from "./explain.js";
export { instanceProblem } from "./instances.js";
export type {
  AnyFunction,
  Capture,
  CaptureHost,
  ModuleSource,
  Parts,
  Portable,
  Positions,
  Revived,
} from "./portable.js";
export { userStack } from "./positions.js";
export { revive } from "./revive.js";
