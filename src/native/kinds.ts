/** The addons there are: where each one's source lies, and what it is compiled against. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface KindOptions {
  /** The folder of its source in `native/`, all of which it is made of. */
  readonly folder: string;
  /** The one file in it that is compiled. */
  readonly source: string;
  readonly mpi: boolean;
  readonly hdf5: "serial" | "parallel" | false;
  readonly defines: readonly string[];
  /** What `girona build` takes. */
  readonly command: "mpi" | "hdf5";
  /** Whom a message is from. */
  readonly door: string;
  /** Its functions stand before those of the same name in libraries that are loaded later. */
  readonly isGlobal: boolean;
}

/** By the name under which a part of girona asks for it. */
export const kinds = {
  mpi: {
    ...{ folder: "mpi", source: "mpi.cc", mpi: true, hdf5: false, defines: [] },
    ...{ command: "mpi", door: "girona/mpi", isGlobal: false },
  },
  // Counts calls of MPI, also of programs in other languages through LD_PRELOAD; Node loads it before the addon.
  "mpi-profile": {
    ...{ folder: "mpi", source: "profile.cc", mpi: true, hdf5: false, defines: [] },
    ...{ command: "mpi", door: "girona/mpi", isGlobal: true },
  },
  hdf5: {
    ...{ folder: "hdf5", source: "hdf5.cc", mpi: false, hdf5: "serial", defines: [] },
    ...{ command: "hdf5", door: "girona/hdf5", isGlobal: false },
  },
  "hdf5-mpi": {
    ...{ folder: "hdf5", source: "hdf5.cc", mpi: true, hdf5: "parallel", defines: ["GIRONA_HDF5_MPI"] },
    ...{ command: "hdf5", door: "girona/hdf5", isGlobal: false },
  },
} as const satisfies Readonly<Record<string, KindOptions>>;

export type AddonKind = keyof typeof kinds;

/** As deep below the package's folder from `src/native/` as from `dist/native/` and `dist/bundle/`. */
const sources = fileURLToPath(new URL("../../native/", import.meta.url));

/** The file to compile. */
export function sourceFile(kind: AddonKind): string {
  const { folder, source } = kinds[kind];
  return join(sources, folder, source);
}

const hashes = new Map<string, string>();

/** Changes with each byte of the kind's source, so that a newer girona never loads an older one's build. */
export function sourceHash(kind: AddonKind): string {
  const { folder } = kinds[kind];
  const known = hashes.get(folder);
  if (known) return known;
  const hash = createHash("sha256");
  for (const name of readdirSync(join(sources, folder)).sort()) {
    if (/\.(?:cc|h)$/.test(name)) hash.update(`${name}\0`).update(readFileSync(join(sources, folder, name)));
  }
  const text = hash.digest("hex").slice(0, 16);
  hashes.set(folder, text);
  return text;
}
