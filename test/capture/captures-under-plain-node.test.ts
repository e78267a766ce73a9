import { describe } from "vitest";
import { compiled, declareRows, inPlace, type Runtime } from "./support/runtimes.ts";

const esm = { files: ["core", "esm"], prepare: compiled("esm"), mapped: true } as const;
const cjs = { files: ["core", "typescript"], prepare: compiled("cjs"), mapped: true } as const;

const plain = { files: ["plain"], prepare: inPlace, mapped: true } as const;

const runtimes: Runtime[] = [
  { ...plain, name: "node, CommonJS as written", node: "20" },
  { ...plain, name: "node 24, CommonJS as written", node: "24" },
  { ...plain, name: "node 26, CommonJS as written", node: "26" },
  { ...esm, name: "node, ES modules", node: "20" },
  { ...cjs, name: "node, CommonJS", node: "20" },
  { ...esm, name: "node 24, ES modules", node: "24" },
  { ...cjs, name: "node 24, CommonJS", node: "24" },
  { ...esm, name: "node 26, ES modules", node: "26" },
  { ...cjs, name: "node 26, CommonJS", node: "26" },
];

for (const runtime of runtimes) await describe(runtime.name, () => declareRows(runtime));
