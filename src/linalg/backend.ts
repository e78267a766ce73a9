/** Which kernels are in use: decided once, when the module is loaded. */
import { UsageError } from "../common/index.js";
import { matmul as wasmMatmul } from "../kernels/index.js";
import { candidates } from "./find.js";
import { type Gemm, type OpenBlas, openBlas } from "./openblas.js";

/** `GIRONA_BLAS`: the path of a library that must be used, or `"wasm"`. */
const variable = "GIRONA_BLAS";

function choose(): OpenBlas | undefined {
  const given = process.env[variable];
  if (given === "wasm" || (!given && process.env["GIRONA_NO_NATIVE"])) return undefined;
  if (!given) {
    for (const path of candidates()) {
      const found = openBlas(path);
      if (typeof found !== "string") return found;
    }
    return undefined;
  }
  const found = openBlas(given);
  if (typeof found !== "string") return found;
  const message = `${variable} is ${given}, which cannot be used: ${found}. Name the file of an OpenBLAS, such as /usr/lib/libopenblas.so.0, or "wasm", or unset it.`;
  throw new UsageError(message, { parameter: variable });
}

const blas = choose();

/** Which kernels are in use. */
export const backend: "openblas" | "wasm" = blas ? "openblas" : "wasm";

/** @internal The OpenBLAS in use: where it was found, its version and processor as it says itself, its threads. */
export const library: Pick<OpenBlas, "path" | "config" | "threads"> | undefined = blas && {
  path: blas.path,
  config: blas.config,
  threads: blas.threads,
};

/** `out` = `a` times `b`, all of one type and row after row, none empty. */
export const gemm: Gemm = blas ? blas.gemm : wasmMatmul;
