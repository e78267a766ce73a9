import { describe } from "vitest";
import { declareRows, inPlace, type Runtime } from "./support/runtimes.ts";

const stripped = { files: ["core", "esm"], prepare: inPlace, mapped: true } as const;

const runtimes: Runtime[] = [
  { ...stripped, name: "node 24, types stripped", node: "24" },
  { ...stripped, name: "node 26, types stripped", node: "26" },
];

for (const runtime of runtimes) await describe(runtime.name, () => declareRows(runtime));
