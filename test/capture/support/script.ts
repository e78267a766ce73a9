import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type Finished, run } from "../../support/index.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
let count = 0;

/**
 * Runs ES modules in a process of their own, inside the project so that they find `girona` and its packages: the first
 * file is the program. `DIST` in them stands for the built `capture/` folder.
 */
export async function runScript(
  files: Readonly<Record<string, string>>,
  options: { args?: readonly string[]; node?: string; input?: string } = {},
): Promise<Finished> {
  const directory = join(root, ".cache/capture/scripts", `${process.pid}-${++count}`);
  mkdirSync(directory, { recursive: true });
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(directory, name), text.replaceAll("DIST", join(root, "dist/capture")));
  }
  const [entry = ""] = Object.keys(files);
  const command = [
    options.node ?? process.execPath,
    "--experimental-import-meta-resolve",
    "--no-warnings",
    ...(options.args ?? []),
    join(directory, entry),
  ];
  const env = { VITEST: undefined, NODE_OPTIONS: undefined };
  return await run(command, { cwd: directory, env, timeoutMs: 60_000, ...(options.input && { input: options.input }) });
}
