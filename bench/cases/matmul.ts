/** A matrix product, on the OpenBLAS that `GIRONA_BLAS` names. */
import { backend, matmul } from "girona/linalg";
import { expectEqual, report, sizesFromArguments } from "../case.ts";

const { n, repeats } = sizesFromArguments<{ n: number; repeats: number }>();
expectEqual(backend, process.env["GIRONA_BLAS"] === "wasm" ? "wasm" : "openblas");

const a = Float64Array.from({ length: n * n }, (_, i) => i % 7);
const b = Float64Array.from({ length: n * n }, (_, i) => i % 5);
const out = new Float64Array(n * n);
let best = Number.POSITIVE_INFINITY;
// The first one warms up.
for (let repeat = -1; repeat < repeats; repeat++) {
  const start = performance.now();
  matmul(a, b, { m: n, k: n, n, out });
  if (repeat >= 0) best = Math.min(best, performance.now() - start);
}
let sum = 0;
for (let p = 0; p < n; p++) sum += a[p]! * b[p * n + 1]!;
expectEqual(out[1], sum);
report({ matmul: (2 * n ** 3) / best / 1e6 });
