/** girona with the small addons of `rig/`, as an installed package in a folder of its own: the command, and programs that load. */
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Finished, type Running, type RunOptions, run, start, tempDir } from "../support/index.ts";
import { environmentOf, type MpiName } from "../support/ranks.ts";

export interface Row {
  kind: string;
  state: "built" | "cached" | "missing" | "failed";
  libraries: string | null;
  file: string | null;
  seconds: number | null;
  detail: string | null;
}
export interface Report {
  ok: boolean;
  cache: string;
  builds: Row[];
}

/** What the tests of a machine's own settings must not see. */
const unset = {
  ...{ MPICXX: undefined, MPI_HOME: undefined, HDF5_DIR: undefined, HDF5_ROOT: undefined, EBROOTHDF5: undefined },
  ...{ CXX: undefined, NODE_OPTIONS: undefined },
};

export class Rig {
  readonly folder = tempDir();
  /** `GIRONA_CACHE`. */
  readonly cache = join(this.folder, "cache");

  constructor() {
    for (const part of ["cli", "common", "native"])
      cpSync(resolve("dist", part), join(this.folder, "dist", part), { recursive: true });
    cpSync(resolve("test/native/rig"), join(this.folder, "native"), { recursive: true });
    cpSync(resolve("package.json"), join(this.folder, "package.json"));
    symlinkSync(resolve("node_modules"), join(this.folder, "node_modules"));
  }

  env(mpi?: MpiName): Record<string, string | undefined> {
    return { ...unset, ...environmentOf(mpi), GIRONA_CACHE: this.cache };
  }

  command(...args: readonly string[]): string[] {
    return ["node", join(this.folder, "dist/cli/main.js"), ...args];
  }

  girona(args: readonly string[], mpi: MpiName | undefined, options: RunOptions = {}): Promise<Finished> {
    return run(this.command(...args), { ...options, env: { ...this.env(mpi), ...options.env } });
  }

  start(args: readonly string[], mpi: MpiName | undefined, options: RunOptions = {}): Running {
    return start(this.command(...args), { ...options, env: { ...this.env(mpi), ...options.env } });
  }

  /** `girona build … --json`, read. */
  async build(what: string, mpi?: MpiName, options: RunOptions = {}): Promise<Report & { row: Row; stderr: string }> {
    const { stdout, stderr } = await this.girona(["build", what, "--json"], mpi, options);
    const report = JSON.parse(stdout) as Report;
    return { ...report, row: report.builds[0]!, stderr };
  }

  /** A program in the folder, which finds `load(kind)`. */
  program(name: string, text: string): string {
    const path = join(this.folder, name);
    const head = `import { loadAddon as load } from ${JSON.stringify(join(this.folder, "dist/native/index.js"))};\n`;
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, head + text);
    return path;
  }

  /** Names of the files in the cache. */
  files(): string[] {
    const system = join(this.cache, "native", `${process.platform}-${process.arch}`);
    return readdirSync(system).sort();
  }
}
