/**
 * `common/`: what every part shares and depends on: errors, units, element types.
 *
 * @example
 * import { seconds, UsageError } from "../common/index.js";
 * seconds("1.5h", "timeout"); // 5400; a UsageError names the parameter otherwise
 */
export * from "./dtype.js";
export * from "./errors.js";
export * from "./machine.js";
export * from "./ndarray.js";
export * from "./nearest.js";
export * from "./output-file.js";
export * from "./types.js";
export * from "./units.js";
