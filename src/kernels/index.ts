/**
 * `kernels/`: arithmetic on typed arrays in WebAssembly, generated at run time as the bytes of a module, which V8 compiles in
 * about a millisecond. Works wherever Node does, on one thread.
 *
 * @example
 * import { matmul } from "./index.js";
 * const [a, b, out] = [new Float64Array(5000), new Float64Array(1000), new Float64Array(2000)];
 * matmul(a, b, out, { m: 100, k: 50, n: 20 }); // out becomes the product, (100, 50) times (50, 20)
 */
export { type MatmulSizes, matmul, type Real } from "./matmul.js";
