/** Builds `dist/` from `src/`, and removes from it what `src/` no longer has. */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { execute, root } from "./common.ts";

const dist = join(root, "dist");

const compiled = await execute(["node", "node_modules/typescript/bin/tsc", "-p", ".", "--noEmitOnError"], {
  show: true,
});
if (compiled.exitCode !== 0) process.exit(compiled.exitCode);

/** What package.json leads to: each door's bundle, of the module that its types are of. */
function doors(): Record<string, string> {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Record<string, string | { types: string; default: string }>;
  };
  return Object.fromEntries(
    Object.values(exports)
      .filter((targets) => typeof targets !== "string")
      .map((targets) => [basename(targets.default, ".js"), join(root, targets.types.replace(/\.d\.ts$/, ".js"))]),
  );
}

// What programs and workers import is a few files, not a hundred: start-up reads less, which a shared file system and 64
// workers feel. With splitting, both have the same classes.
const bundled = await build({
  entryPoints: { ...doors(), worker: join(dist, "worker/main.js") },
  outdir: join(dist, "bundle"),
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  sourcemap: true,
  logLevel: "warning",
  // A captured function's imports are only known when it runs.
  logOverride: { "unsupported-dynamic-import": "silent" },
  metafile: true,
});
const current = new Set(
  Object.keys(bundled.metafile.outputs).map((file) => relative(join(root, "dist"), resolve(file))),
);

// Not emptied before: programs that run from it meanwhile would lose their files.
for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  if (file === "bundle" || current.has(file)) continue;
  const source = join(root, "src", file.replace(/(\.d\.ts|\.js)(\.map)?$/, ".ts"));
  if (!existsSync(source) && existsSync(join(dist, file))) rmSync(join(dist, file), { recursive: true });
}

const command = join(dist, "cli/main.js");
if (existsSync(command)) chmodSync(command, 0o755);
