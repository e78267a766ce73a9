import { describe } from "vitest";
import { declareRows, insideVitest, type Runtime } from "./support/runtimes.ts";

const runtimes: Runtime[] = [
  {
    name: "vitest, forks",
    node: "20",
    files: ["core", "typescript"],
    prepare: insideVitest("forks"),
    mapped: true,
  },
  { name: "vitest, threads", node: "20", files: ["core"], prepare: insideVitest("threads"), mapped: true },
];

for (const runtime of runtimes) await describe(runtime.name, () => declareRows(runtime));
