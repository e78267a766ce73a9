/** Compares what the package exports with the list in `test/house/exports.txt`, so that no name becomes public by accident. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { report, root } from "./common.ts";
import { entries } from "./entries.ts";

const list = "test/house/exports.txt";
const accept = "node --import tsx scripts/check-exports.ts --accept";

const all = await entries();
const now = all.flatMap(({ specifier, values, types, internal }) => [
  ...values.map((name) => `${specifier}  ${name}`),
  ...types.map((name) => `${specifier}  type ${name}`),
  ...internal.map((name) => `${specifier}  internal ${name}`),
]);
if (process.argv.includes("--accept")) writeFileSync(join(root, list), `${now.join("\n")}\n`);

const listed = existsSync(join(root, list)) ? readFileSync(join(root, list), "utf8").split("\n").filter(Boolean) : [];
const added = now.filter((name) => !listed.includes(name));
const removed = listed.filter((name) => !now.includes(name));
report([
  ...added.map((name) => `${list}: now exported, not listed: ${name}`),
  ...removed.map((name) => `${list}: listed, no longer exported: ${name}`),
]);
if (added.length + removed.length > 0)
  console.error(`If that is on purpose: ${accept} (a removed name breaks programs: say so in a changeset)`);
