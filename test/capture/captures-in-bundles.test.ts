import { describe } from "vitest";
import { bundled, declareRows, type Runtime } from "./support/runtimes.ts";

const files = ["core", "typescript", "decorators"] as const;

const runtimes: Runtime[] = [
  {
    name: "esbuild, ES module, source map",
    node: "20",
    files: [...files, "esm"],
    prepare: bundled({ format: "esm", sourcemap: true }),
    mapped: true,
  },
  {
    name: "esbuild, CommonJS, no source map",
    node: "20",
    files,
    prepare: bundled({ format: "cjs", sourcemap: false }),
    mapped: false,
  },
  {
    name: "esbuild, minified, source map",
    node: "20",
    files,
    prepare: bundled({ format: "esm", minify: true, sourcemap: true }),
    mapped: true,
  },
  {
    name: "esbuild, minified CommonJS, no source map",
    node: "24",
    files,
    prepare: bundled({ format: "cjs", minify: true, sourcemap: false }),
    mapped: false,
    relaxed: true,
  },
];

for (const runtime of runtimes) await describe(runtime.name, () => declareRows(runtime));
