/** h5wasm: HDF5 compiled to WebAssembly, where no native build is there. */
import type { RawLibrary } from "./raw.js";

/** `undefined` when the package is not installed. */
export async function loadWasm(): Promise<RawLibrary | undefined> {
  return undefined;
}
