/** girona's version; fails when it is not built. */
import { createRequire } from "node:module";
import { report } from "../case.ts";

await import("girona");
const { version } = createRequire(import.meta.url)("girona/package.json") as { version: string };
report({ girona: version });
