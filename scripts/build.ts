/** Builds `dist/` from `src/`, and removes from it what `src/` no longer has. */
import { chmodSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { execute, root } from "./common.ts";

const dist = join(root, "dist");

const compiled = await execute(["node", "node_modules/typescript/bin/tsc", "-p", ".", "--noEmitOnError"], {
  show: true,
});
if (compiled.exitCode !== 0) process.exit(compiled.exitCode);

// Not emptied before: programs that run from it meanwhile would lose their files.
for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  const source = join(root, "src", file.replace(/(\.d\.ts|\.js)(\.map)?$/, ".ts"));
  if (!existsSync(source) && existsSync(join(dist, file))) rmSync(join(dist, file), { recursive: true });
}

const command = join(dist, "cli/main.js");
if (existsSync(command)) chmodSync(command, 0o755);
