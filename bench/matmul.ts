/**
 * `node --import tsx bench/matmul.ts [rounds]`: a product of two 2048² matrices of doubles, girona and numpy in turn, both on
 * the OpenBLAS that numpy carries; and girona's own kernel. GFLOP/s, the median of the rounds.
 *
 * `OPENBLAS_CORETYPE` and `OPENBLAS_L2_SIZE` are left out for both: they choose other kernels than the processor's own.
 */
import { execFileSync } from "node:child_process";
import { median } from "./stats.ts";

const sizes = JSON.stringify({ n: 2048, repeats: 7 });
const { OPENBLAS_CORETYPE: _, OPENBLAS_L2_SIZE: __, ...env } = process.env;

function ask(command: readonly string[], blas?: string): Record<string, unknown> {
  const [program = "", ...args] = command;
  const own = blas === undefined ? env : { ...env, GIRONA_BLAS: blas };
  return JSON.parse(execFileSync(program, args, { env: own, encoding: "utf8" }));
}

const numpy = (argument: string) => ask([".venv/bin/python", "bench/peers/matmul_peer.py", argument]);
const girona = (blas: string) => ask([process.execPath, "--import", "tsx", "bench/cases/matmul.ts", sizes], blas);

const library = numpy("library")["library"] as string;
const found: Record<"girona" | "numpy" | "wasm", number[]> = { girona: [], numpy: [], wasm: [] };
for (let round = 0; round < Number(process.argv[2] ?? 5); round++) {
  found.girona.push(girona(library)["matmul"] as number);
  found.numpy.push(numpy(sizes)["matmul"] as number);
}
found.wasm.push(girona("wasm")["matmul"] as number);
const [ours, theirs, wasm] = [median(found.girona), median(found.numpy), median(found.wasm)];
console.log(
  `matmul 2048²: girona ${ours.toFixed(1)}, numpy ${theirs.toFixed(1)}, WebAssembly ${wasm.toFixed(1)} GFLOP/s; ${(ours / theirs).toFixed(2)}x numpy (target ≥ 0.95x)`,
);
process.exitCode = ours / theirs >= 0.95 ? 0 : 1;
