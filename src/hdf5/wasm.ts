/** h5wasm: HDF5 compiled to WebAssembly, where no native build is there. */
import type { RawLibrary } from "./raw.js";

/** `"h5wasm 0.10.3"`; `undefined` when the package is not installed. */
export function wasmVersion(): string | undefined {
  return undefined;
}

/** `undefined` when the package is not installed. */
export function startWasm(): RawLibrary | undefined {
  return undefined;
}
