/**
 * `girona/linalg`: dense linear algebra on this machine, on OpenBLAS where there is one, else on kernels of girona's own in
 * WebAssembly. `backend` says which.
 *
 * @example
 * import { backend, matmul } from "girona/linalg";
 *
 * const product = matmul(Float64Array.of(1, 2, 3, 4), Float64Array.of(5, 6, 7, 8), { m: 2, k: 2, n: 2 });
 * console.log(backend, product); // 19 22 in the first row, 43 50 in the second
 */
export { backend } from "./backend.js";
/** @internal For `girona doctor`. */
export { library } from "./library.js";
export { type MatmulSizes, matmul } from "./matmul.js";
