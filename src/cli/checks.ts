/** What `girona doctor` looks at: each with what it is for, how to look, and how to add it. */
import { existsSync, globSync as _globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { showBytes, usableCores, usableMemory } from "../common/index.js";
import { sharedMemory } from "../engine/embedded/index.js";
import { cluster, distribute, get } from "../tasks/index.js";
import type { Packages } from "./packages.js";
import { ask, type Finding, find, isProgram, lastLine, longestMs, onPath, real } from "./probe.js";

export interface Check {
  /** What it is needed for. */
  readonly for: string;
  /** girona itself does not run without it. */
  readonly core?: boolean;
  readonly look: () => Finding | Promise<Finding>;
  /** How to get it: per package manager, or one command everywhere. */
  readonly add: Packages | string;
}
