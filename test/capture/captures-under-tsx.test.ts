import { describe } from "vitest";
import { copied, declareRows, inPlace, type Runtime, tsxArgs } from "./support/runtimes.ts";

const esm = {
  args: tsxArgs,
  files: ["core", "typescript", "decorators", "esm"],
  prepare: inPlace,
  mapped: true,
} as const;
const cjs = { args: tsxArgs, files: ["core", "typescript"], prepare: copied("commonjs"), mapped: true } as const;

const runtimes: Runtime[] = [
  { ...esm, name: "tsx, ES modules", node: "20" },
  { ...cjs, name: "tsx, CommonJS", node: "20" },
  { ...esm, name: "tsx, ES modules, Node 24", node: "24" },
  { ...esm, name: "tsx, ES modules, Node 26", node: "26" },
  { ...cjs, name: "tsx, CommonJS, Node 26", node: "26" },
];

for (const runtime of runtimes) await describe(runtime.name, () => declareRows(runtime));
