/** OpenBLAS through koffi: its C interface (CBLAS), under the names that its builds have. */
import { createRequire } from "node:module";
import { usableCores } from "../common/index.js";
import type { MatmulSizes, Real } from "../kernels/index.js";

export type Gemm = (a: Real, b: Real, out: Real, sizes: MatmulSizes) => void;

export interface OpenBlas {
  readonly path: string;
  /** What it says about itself: version, options, processor. */
  readonly config: string;
  readonly threads: number;
  readonly gemm: Gemm;
}

interface Library {
  func(signature: string): (...args: unknown[]) => unknown;
}

/** Prefix and suffix of each name, and the type of sizes: plain, with 64-bit sizes, and those of the wheels of SciPy. */
const forms = [
  { prefix: "", suffix: "", int: "int" },
  { prefix: "", suffix: "64_", int: "int64_t" },
  { prefix: "scipy_", suffix: "64_", int: "int64_t" },
  { prefix: "scipy_", suffix: "", int: "int" },
] as const;

// CBLAS_ORDER and CBLAS_TRANSPOSE of cblas.h.
const rowMajor = 101;
const noTranspose = 111;

/** Loads it; a text says why not. */
export function openBlas(path: string): OpenBlas | string {
  const threads = threadCount();
  try {
    const koffi = createRequire(import.meta.url)("koffi") as { load(path: string): Library };
    const library = withThreads(threads, () => koffi.load(path));
    const form = forms.find(({ prefix, suffix }) => has(library, `void ${prefix}cblas_dgemm${suffix}()`));
    if (!form) return "it has no cblas_dgemm";
    const { prefix, suffix } = form;
    if (threads !== undefined) library.func(`void ${prefix}openblas_set_num_threads${suffix}(int n)`)(threads);
    const count = library.func(`int ${prefix}openblas_get_num_threads${suffix}()`)() as number;
    const config = library.func(`const char *${prefix}openblas_get_config${suffix}()`)() as string;
    return { path, config: config.trim(), threads: count, gemm: gemmOf(library, form) };
  } catch (error) {
    return (error as Error).message.split("\n")[0] ?? "it does not load";
  }
}

function has(library: Library, signature: string): boolean {
  try {
    library.func(signature);
    return true;
  } catch {
    return false;
  }
}

function gemmOf(library: Library, { prefix, suffix, int }: (typeof forms)[number]): Gemm {
  const declared = (name: string, real: string) =>
    library.func(
      `void ${prefix}cblas_${name}${suffix}(int order, int transA, int transB, ${int} m, ${int} n, ${int} k, ${real} alpha, const ${real} *a, ${int} lda, const ${real} *b, ${int} ldb, ${real} beta, ${real} *c, ${int} ldc)`,
    );
  const [double, single] = [declared("dgemm", "double"), declared("sgemm", "float")];
  return (a, b, out, { m, k, n }) => {
    const call = a instanceof Float64Array ? double : single;
    call(rowMajor, noTranspose, noTranspose, m, n, k, 1, a, k, b, n, 0, out, n);
  };
}

/** Variables by which the user decides; OpenBLAS reads them in this order. */
const threadVariables = ["OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"];
/** How many ranks share this host, as Open MPI, Hydra (MPICH) and Slurm say. */
const localRanks = ["OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"];

/** All cores that this process may use, divided among the ranks on this host; `undefined` where the user has decided. */
function threadCount(env: NodeJS.ProcessEnv = process.env): number | undefined {
  if (threadVariables.some((name) => Number(env[name]) > 0)) return undefined;
  const ranks = localRanks.map((name) => Number(env[name])).find((count) => count > 0) ?? 1;
  return Math.max(1, Math.floor(usableCores().value / ranks));
}

/** OpenBLAS starts its threads when it is loaded: with the variable it starts no more than are used. */
function withThreads<T>(threads: number | undefined, load: () => T): T {
  if (threads === undefined) return load();
  const [name] = threadVariables as [string];
  const before = process.env[name];
  process.env[name] = String(threads);
  try {
    return load();
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
}
