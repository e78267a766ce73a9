/**
 * `girona/hdf5`: HDF5 files, on one process or written by all ranks together. What h5py does with NumPy arrays, with typed
 * arrays: docs/hdf5.md has both side by side.
 *
 * @example
 * import { File } from "girona/hdf5";
 *
 * {
 *   using file = new File("weather.h5", "w");
 *   const temperature = file.createDataset("run/temperature", { shape: [24, 3], dtype: "f4", chunks: [24, 1] });
 *   temperature.write(new Float32Array(24).fill(15), [null, 0]); // the first column
 *   temperature.attributes.set("unit", "°C");
 * }
 * using file = new File("weather.h5");
 * const { shape, data } = file.dataset("run/temperature", "f4").read([{ start: 0, end: 12 }]); // [12, 3], a Float32Array
 * console.log(shape, data[0], file.get("run/temperature").attributes.get("unit"));
 */
export { type DType, Hdf5Error, type NDArray } from "../common/index.js";
export { arrayType, compoundType, enumType, opaqueType, stringType, vlenType } from "./element-types.js";
export { File, isHdf5 } from "./file.js";
export { backend, library } from "./library.js";
export { Reference } from "./reference.js";
export type * from "./types.js";
