/** How a dataset is to be made: options checked, chunks chosen. */
import { type DType, dtypeOf, isNDArray, type NDArray, type TypedArray } from "../common/index.js";
import { checkLengths, checkNames, show, showShape, usage } from "./check.js";
import { checkNumber } from "./data.js";
import type { Library } from "./library.js";
import type { RawDatasetOptions, RawType } from "./raw.js";
import { numericBase, plainType, rawType, storedType } from "./type-mapping.js";
import type { AnyElement, DatasetOptions, ElementType, StoredAs } from "./types.js";

/** A dataset that can be made. */
export interface DatasetPlan {
  readonly stored: RawType;
  readonly shape: readonly number[] | null;
  readonly maxShape: readonly number[] | undefined;
  readonly options: RawDatasetOptions;
}

const names = [
  "shape",
  "dtype",
  "maxShape",
  "chunks",
  "compression",
  "shuffle",
  "fletcher32",
  "fillValue",
  "storedAs",
  "trackOrder",
];

/** @throws UsageError for options that do not go together, or are none */
export function planDataset(
  library: Library,
  given: DatasetOptions<ElementType>,
  trackOrder: boolean,
  call = "createDataset",
): DatasetPlan {
  checkNames(call, given, names);
  const { shape, dtype, maxShape } = given;
  if (shape !== null) checkLengths("shape", shape);
  if (dtype === undefined) throw usage("dtype", 'nothing was given; it takes an element type such as "f8"');
  const stored = storedType(dtype, given.storedAs);
  if (maxShape !== undefined) checkMaxShape(shape, maxShape);
  const gzip = gzipLevel(given.compression);
  if (gzip !== undefined && !library.gzip) throw usage("compression", `${library.description} was built without gzip`);
  const filtered = gzip !== undefined || given.shuffle === true || given.fletcher32 === true;
  const options: RawDatasetOptions = {
    chunks: chooseChunks(given, filtered, bytesOf(stored)),
    gzip,
    shuffle: given.shuffle === true,
    fletcher32: given.fletcher32 === true,
    trackOrder: given.trackOrder ?? trackOrder,
    fillValue: checkFill(given.fillValue as AnyElement | undefined, dtype),
    memoryType: library.memoryType(dtype),
    virtual: undefined,
  };
  return { stored, shape, maxShape: maxShape?.map((length) => length ?? -1), options };
}

export function checkMaxShape(shape: readonly number[] | null, maxShape: readonly (number | null)[]): void {
  checkLengths("maxShape", Array.isArray(maxShape) ? maxShape.map((length) => length ?? 0) : maxShape);
  const fits = shape?.length === maxShape.length && shape.every((length, i) => length <= (maxShape[i] ?? length));
  if (!fits)
    throw usage(
      "maxShape",
      `${showShape(maxShape)} was given for the shape ${shape === null ? "null" : showShape(shape)}; it has the same axes, each as long or longer, or null for no limit`,
    );
}

function gzipLevel(given: DatasetOptions<ElementType>["compression"]): number | undefined {
  if (given === undefined) return undefined;
  const level = given === "gzip" ? 4 : (given as { gzip?: unknown } | null)?.gzip;
  if (!Number.isInteger(level) || (level as number) < 0 || (level as number) > 9)
    throw usage(
      "compression",
      `${show(given)} was given; it takes "gzip", or { gzip: level } with a level from 0 to 9`,
    );
  return level as number;
}

/** A fill value of a number type is one number that it holds. */
export function checkFill(fillValue: AnyElement | undefined, dtype: ElementType): AnyElement | undefined {
  const base = numericBase(plainType(dtype));
  if (fillValue !== undefined && base !== undefined && plainType(dtype) === dtype) {
    if (typeof fillValue !== "number" && typeof fillValue !== "bigint")
      throw usage("fillValue", `${show(fillValue)} was given; it takes a value of ${base}`);
    checkNumber(fillValue, base, "fillValue");
  }
  return fillValue;
}

function chooseChunks(
  given: DatasetOptions<ElementType>,
  filtered: boolean,
  bytes: number,
): readonly number[] | undefined {
  const { shape, chunks, maxShape } = given;
  const needed =
    filtered || chunks === true || (maxShape !== undefined && showShape(maxShape) !== showShape(shape ?? []));
  if (chunks === undefined && !needed) return undefined;
  if (shape === null || shape.length === 0)
    throw usage(
      chunks === undefined ? "shape" : "chunks",
      "a dataset without axes has no chunks, and so no compression or checksum",
    );
  if (chunks === undefined || chunks === true) return guessChunks(shape, maxShape, bytes);
  checkLengths("chunks", chunks, 1);
  const fits =
    chunks.length === shape.length &&
    chunks.every((length, i) => maxShape?.[i] === null || length <= Math.max(maxShape?.[i] ?? shape[i]!, 1));
  if (!fits)
    throw usage(
      "chunks",
      `${showShape(chunks)} was given for the shape ${showShape(shape)}; it has the same axes, none longer than the dataset can be`,
    );
  return chunks;
}

/**
 * The shape of chunks as h5py chooses it (`guess_chunk` of its filters.py): between 8 KiB and 1 MiB, more for larger datasets,
 * by halving one axis after another.
 */
export function guessChunks(
  shape: readonly number[],
  maxShape: readonly (number | null)[] | undefined,
  bytes: number,
): number[] {
  // An axis that can grow is guessed at 1024.
  const chunks = shape.map((length, i) => Math.max(length === 0 && maxShape?.[i] === null ? 1024 : length, 1));
  const size = () => chunks.reduce((all, length) => all * length, bytes);
  const target = Math.min(Math.max(16 * 1024 * 2 ** Math.log10(size() / (1024 * 1024)), 8 * 1024), 1024 * 1024);
  for (let i = 0; ; i++) {
    const near = size() < target || Math.abs(size() - target) / target < 0.5;
    if ((near && size() < 1024 * 1024) || size() === bytes) return chunks;
    const axis = i % chunks.length;
    chunks[axis] = Math.ceil(chunks[axis]! / 2);
  }
}

/** Bytes of one element in the file; 16 for what has no size of its own, as HDF5 stores it. */
export function bytesOf(raw: RawType): number {
  switch (raw.class) {
    case "enum":
      return bytesOf(raw.base);
    case "compound":
      return raw.types.reduce((bytes, type) => bytes + bytesOf(type), 0);
    case "array":
      return raw.shape.reduce((bytes, length) => bytes * length, bytesOf(raw.base));
    case "vlen":
      return 16;
    case "reference":
      return 8;
    default:
      return raw.size || 16;
  }
}

/** The type and shape that values have by themselves; `undefined` for what has none. */
export function typeOfValues(
  values: unknown,
): { dtype: ElementType; shape: readonly number[]; data: unknown } | undefined {
  const dtype = dtypeOf(values);
  if (dtype) return { dtype, shape: [(values as TypedArray).length], data: values };
  if (isNDArray(values)) return { dtype: values.dtype, shape: values.shape, data: (values as NDArray<DType>).data };
  if (Array.isArray(values)) {
    const shape = [values.length];
    if (values.length > 0 && values.every((one) => typeof one === "string"))
      return { dtype: "str", shape, data: values };
    if (values.length > 0 && values.every((one) => typeof one === "boolean"))
      return { dtype: "bool", shape, data: values };
    if (values.every((one) => typeof one === "number")) return { dtype: "f8", shape, data: Float64Array.from(values) };
    if (values.every((one) => typeof one === "bigint")) return { dtype: "i8", shape, data: BigInt64Array.from(values) };
    return undefined;
  }
  const simple: Readonly<Record<string, ElementType>> = { string: "str", number: "f8", bigint: "i8", boolean: "bool" };
  const scalar = simple[typeof values];
  return scalar && { dtype: scalar, shape: [], data: values };
}

/** @throws UsageError for a byte order or size that the type does not have */
export function checkStored(dtype: ElementType, storedAs: StoredAs | undefined): RawType {
  return storedAs === undefined ? rawType(dtype) : storedType(dtype, storedAs);
}
