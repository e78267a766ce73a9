/** The OpenBLAS to use: decided once, when the module is loaded. */
import { UsageError } from "../common/index.js";
import { candidates } from "./find.js";
import { type OpenBlas, openBlas } from "./openblas.js";

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

/** The library in use; `undefined` for kernels in WebAssembly. */
export const library: OpenBlas | undefined = choose();
