/** Which kernels are in use. */
import { matmul } from "../kernels/index.js";
import { library } from "./library.js";
import type { Gemm } from "./openblas.js";

/** Which kernels are in use: those of OpenBLAS, or girona's own in WebAssembly. */
export const backend: "openblas" | "wasm" = library ? "openblas" : "wasm";

/** `out` = `a` times `b`, all of one type and row after row, none empty. */
export const gemm: Gemm = library ? library.gemm : matmul;
