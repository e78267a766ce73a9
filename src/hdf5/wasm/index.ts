/** h5wasm: HDF5 compiled to WebAssembly, where no native build is there. */
export { startWasm } from "./library.js";
export { wasmVersion } from "./remote.js";
