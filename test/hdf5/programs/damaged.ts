/** Reads everything of damaged copies of a file; prints how each ended. Never more than an error may come of it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { File } from "../../../src/hdf5/index.ts";

const [source = "", folder = "", kind, from = "0", to = "16"] = process.argv.slice(2);
const whole = readFileSync(source);

/** Marsaglia's xorshift32 ("Xorshift RNGs", 2003): the same damage every time. */
function random(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function damage(i: number): Uint8Array {
  if (kind === "truncated") return whole.subarray(0, Math.floor((whole.length * i) / 16));
  const bytes = Uint8Array.from(whole);
  const next = random(i + 1);
  for (let k = 0; k < 8; k++) bytes[Math.floor(next() * bytes.length)]! ^= 1 << Math.floor(next() * 8);
  return bytes;
}

function readAll(path: string): string {
  using file = new File(path);
  const problems: string[] = [];
  const attempt = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      if (!["Hdf5Error", "UsageError"].includes((error as Error).name)) throw error;
      problems.push((error as Error).name);
    }
  };
  const look = (node: { attributes: File["attributes"] }) => attempt(() => node.attributes.entries());
  look(file);
  attempt(() =>
    file.visit((_path, node) => {
      look(node);
      // A shape that is damaged may be of any size.
      if (node.kind === "dataset") attempt(() => node.size < 1e6 && node.read());
    }),
  );
  return problems.length === 0 ? "read" : "errors";
}

for (let i = Number(from); i < Number(to); i++) {
  const path = join(folder, "damaged.h5");
  writeFileSync(path, damage(i));
  let outcome: string;
  try {
    outcome = readAll(path);
  } catch (error) {
    if ((error as Error).name !== "Hdf5Error") throw error;
    outcome = "refused";
  }
  console.log(`${i} ${outcome}`);
}
