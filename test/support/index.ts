/** What tests share: processes with a deadline, temporary directories, waiting for a condition, and what a test needs. */
export { needs } from "./needs.ts";
export { type Finished, type Running, type RunOptions, run, start } from "./processes.ts";
export { tempDir } from "./temp.ts";
export { waitFor } from "./wait.ts";
