/** Ranks of a test's program, on each MPI that is set up: real mpirun, real libraries. */
import { mkdirSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { environmentOf, found, type MpiName, mpiNames, mpiOf } from "../../scripts/mpi.ts";
import { type AddonKind, findBuild } from "../../src/native/index.ts";
import { needs } from "./needs.ts";
import { type Finished, type Running, type RunOptions, run, start } from "./processes.ts";

export { environmentOf, type MpiName, mpiNames };

/** The interpreter with numpy, h5py (serial) and mpi4py (for Open MPI). */
export const python = found["PYTHON"] ?? "python3";
export const h5dump = found["H5DUMP"] ?? "h5dump";

const setUp = "make test, or bash scripts/setup-mpi.sh";

/** First line of a test: what it needs of MPI and HDF5 must be there. */
export function needsMpi(name: MpiName = "Open MPI"): void {
  needs(`needs ${name}: ${setUp}`, mpiOf(name) !== undefined);
}

export interface RankOptions extends RunOptions {
  /** Default: Open MPI. */
  mpi?: MpiName;
  /** The program's own arguments. */
  args?: readonly string[];
  /** Options of node, before the program. */
  node?: readonly string[];
  /** Options of mpirun. */
  mpirun?: readonly string[];
  /** The addons it uses, which are built first when there is no build. Default: `["mpi"]`. */
  addons?: readonly AddonKind[];
}

/**
 * Runs `ranks` ranks of a TypeScript program to their end: `await mpirun(4, "test/mpi/programs/ring.ts")`. It may import
 * `girona/mpi` (from `dist/`) or files of `src/` and of the test's folder.
 */
export async function mpirun(ranks: number, program: string, options: RankOptions = {}): Promise<Finished> {
  return run(...(await call(ranks, program, options)));
}

/** As `mpirun`, in the background of the test. */
export async function startRanks(ranks: number, program: string, options: RankOptions = {}): Promise<Running> {
  return start(...(await call(ranks, program, options)));
}

/** One process without a launcher, with the same addons: rank 0 of 1. */
export async function runAlone(program: string, options: RankOptions = {}): Promise<Finished> {
  const { mpi, node = [], args = [], addons = ["mpi"] } = options;
  await builtFor(mpi ?? "Open MPI", addons);
  const env = { ...environmentOf(mpi ?? "Open MPI"), ...options.env };
  return run(["node", ...node, await compiled(program), ...args], { ...options, env });
}

async function call(
  ranks: number,
  program: string,
  options: RankOptions,
): Promise<[command: readonly string[], options: RunOptions]> {
  const { mpi: name = "Open MPI", node = [], args = [], mpirun: extra = [], addons = ["mpi"], ...rest } = options;
  const mpi = mpiOf(name);
  if (!mpi) throw new Error(`${name} is not set up: ${setUp}; a test states it with needsMpi()`);
  await builtFor(name, addons);
  const file = await compiled(program);
  const command = [mpi.mpirun, "-n", String(ranks), ...extra, process.execPath, ...node, file, ...args];
  return [command, { ...rest, env: { ...environmentOf(name), ...options.env } }];
}

const builds = new Map<string, Promise<void>>();

/** Only after a change of the source is there anything to build here. */
export function builtFor(name: MpiName, addons: readonly AddonKind[]): Promise<void> {
  const missing = addons.filter((kind) => !findBuild(kind, { ...process.env, ...environmentOf(name) }));
  if (missing.length === 0) return Promise.resolve();
  const key = `${name} ${missing}`;
  const known = builds.get(key) ?? buildFor(name);
  builds.set(key, known);
  return known;
}

async function buildFor(name: MpiName): Promise<void> {
  const command = ["node", "--import", "tsx", "src/cli/main.ts", "build", "all"];
  const { exitCode, stdout, stderr } = await run(command, { env: environmentOf(name), timeoutMs: 120_000 });
  if (exitCode !== 0) throw new Error(`girona build for ${name} fails:\n${stdout}${stderr}`);
}

const programs = new Map<string, Promise<string>>();

/** One file of JavaScript, which starts in 50 ms where tsx takes 500. It lies as deep as `dist/bundle/` does. */
function compiled(program: string): Promise<string> {
  if (!/\.[cm]?ts$/.test(program)) return Promise.resolve(program);
  const known = programs.get(program) ?? compile(program);
  programs.set(program, known);
  return known;
}

async function compile(program: string): Promise<string> {
  const folder = resolve(".cache/ranks");
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${basename(program).replace(/\.[cm]?ts$/, "")}-${process.pid}.mjs`);
  const { build } = await import("esbuild");
  await build({
    ...{ entryPoints: [program], outfile, bundle: true, packages: "external", platform: "node", format: "esm" },
    ...{ target: "node20", sourcemap: "inline", logLevel: "error" },
  });
  process.once("exit", () => rmSync(outfile, { force: true }));
  return outfile;
}
