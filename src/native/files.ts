/** Looking for programs and files without starting anything. */
import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The first of these names that a folder of the PATH has; earlier names win over earlier folders. */
export function onPath(env: NodeJS.ProcessEnv, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    for (const folder of (env["PATH"] ?? "").split(delimiter)) {
      const path = join(folder, name);
      if (folder !== "" && isProgram(path)) return path;
    }
  }
  return undefined;
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Without symbolic links; as given when it is not there. */
export function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** Bytes; `undefined` when it is not there. */
export function sizeOfFile(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
