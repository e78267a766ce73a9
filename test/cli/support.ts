import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Finished, type RunOptions, run, tempDir } from "../support/index.ts";

/** The command as it is installed. */
export const girona = ["node", resolve("dist/cli/main.js")] as const;

export function call(args: readonly string[], options?: RunOptions): Promise<Finished> {
  return run([...girona, ...args], options);
}

/** A new folder with these files, by their paths. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = tempDir();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    if (text.startsWith("#!")) chmodSync(join(folder, name), 0o755);
  }
  return folder;
}
