/** Elements on their way between JavaScript and the library: what a read gives, and checks of what is written. */
import { type DType, dtypeOf, dtypes, isDType, type TypedArray } from "../common/index.js";
import { show, showShape, usage } from "./check.js";
import type { RawLibrary, RawSelection } from "./raw.js";
import { allocate, type Selected } from "./selection.js";
import { innerShape, nameOf, numericBase, plainType } from "./type-mapping.js";
import type { AnyData, AnyElement, AnyElements, ElementType } from "./types.js";

/** A dataset or attribute, its elements in memory, and whether all ranks take part. */
export interface Place {
  readonly handle: number;
  readonly memory: number;
  readonly type: ElementType;
  /** The one field of a compound type that is meant. */
  readonly field: string | undefined;
  readonly collective: boolean;
  /** There is no element at all, for any rank: HDF5 with MPI fails to write none of none, so nothing is asked of it. */
  readonly isEmpty: boolean;
}

const sizeOfShape = (shape: readonly number[]): number => shape.reduce((size, length) => size * length, 1);

/** The typed array, or array, for so many elements of a type. */
export function readData(raw: RawLibrary, place: Place, selected: Selected, into?: unknown): AnyData {
  const inner = sizeOfShape(innerShape(place.type));
  const count = selected.count * inner;
  const base = numericBase(place.type);
  if (into !== undefined) checkTarget(into, place.type, count);
  if (base !== undefined || into !== undefined) {
    const data = (into as TypedArray | undefined) ?? allocate(base!, count);
    if (!place.isEmpty) raw.readNumbers(place.handle, place.memory, selected.raw, data, place.collective);
    return data as AnyData;
  }
  if (place.isEmpty) return [];
  const values = raw.readValues(place.handle, place.memory, selected.raw, undefined, place.collective);
  const picked =
    place.field === undefined ? values : values.map((one) => (one as Record<string, AnyElement>)[place.field!]!);
  return inner === 1 && innerShape(place.type).length === 0 ? picked : (picked as AnyElements[]).flat();
}

/** @throws UsageError unless `into` is a typed array for so many elements of the type */
function checkTarget(into: unknown, type: ElementType, count: number): void {
  const base = numericBase(type);
  const accepted: readonly (DType | undefined)[] = type === "bool" ? ["u1", "i1"] : [base];
  const given = dtypeOf(into);
  if (accepted[0] === undefined)
    throw usage("into", `elements of ${nameOf(type)} do not lie in a typed array; leave it out`);
  if (!accepted.includes(given))
    throw usage(
      "into",
      `${show(into)} was given; elements of ${nameOf(type)} are read into a ${dtypes[accepted[0]].array.name}`,
    );
  const { length } = into as TypedArray;
  if (length !== count) throw usage("into", `it has ${length} elements, and the selection has ${count}`);
}

/** Writes values after checking that they are of the type and as many as selected. */
export function writeData(raw: RawLibrary, place: Place, selected: Selected, given: unknown): void {
  const values = unwrap(given, place.type, selected);
  const base = numericBase(place.type);
  const count = selected.count * sizeOfShape(innerShape(place.type));
  if (base === undefined) {
    const elements = elementsOf(values, place.type, count);
    const grouped = regroup(elements, innerShape(place.type));
    if (!place.isEmpty)
      raw.writeValues(place.handle, place.memory, selected.raw, inField(grouped, place.field), place.collective);
    return;
  }
  const numbers = numbersOf(values, place.type, base, count);
  if (!place.isEmpty) raw.writeNumbers(place.handle, place.memory, selected.raw, numbers, place.collective);
}

/** The data of an NDArray or of what a read gave, its shape compared with the selection's. */
function unwrap(given: unknown, type: ElementType, selected: Selected): unknown {
  if (typeof given !== "object" || given === null || ArrayBuffer.isView(given) || Array.isArray(given)) return given;
  const { dtype, shape, data } = given as { dtype?: unknown; shape?: unknown; data?: unknown };
  if (dtype === undefined || !Array.isArray(shape) || data === undefined) return given;
  if (isDType(dtype) && dtype !== numericBase(type))
    throw usage("values", `an NDArray of ${dtype} was given; ${acceptedFor(type)}`);
  const long = (lengths: readonly number[]) => lengths.filter((length) => length !== 1).join();
  const wanted = [...selected.shape, ...innerShape(type)];
  if (long(shape) !== long(wanted))
    throw usage("values", `their shape is ${showShape(shape)}, and that of the selection ${showShape(wanted)}`);
  return data;
}

function acceptedFor(type: ElementType): string {
  const base = numericBase(type);
  if (base !== undefined)
    return `a dataset of ${nameOf(type)} takes a ${dtypes[base].array.name} or an NDArray of ${base}`;
  return `a dataset of ${nameOf(type)} takes an array of its elements`;
}

function numbersOf(values: unknown, type: ElementType, base: DType, count: number): TypedArray {
  const { array: Kind, bytes, kind } = dtypes[base];
  const isBig = bytes === 8 && kind !== "float";
  if (typeof values === (isBig ? "bigint" : "number")) {
    if (count !== 1) throw usage("values", `one value was given, and ${count} elements are selected`);
    checkNumber(values as number | bigint, base);
    return new Kind([values as never]);
  }
  if (typeof values === "number" || typeof values === "bigint") checkNumber(values, base);
  if (dtypeOf(values) !== base) throw usage("values", `${show(values)} was given; ${acceptedFor(type)}`);
  const { length } = values as TypedArray;
  if (length !== count) throw usage("values", `${length} were given, and ${count} elements are selected`);
  return values as TypedArray;
}

/** One number that the type can hold: a typed array would wrap it around in silence. */
export function checkNumber(value: number | bigint, base: DType, parameter = "values"): void {
  const { array: Kind, bytes, kind } = dtypes[base];
  const isBig = bytes === 8 && kind !== "float";
  if (typeof value !== (isBig ? "bigint" : "number"))
    throw usage(
      parameter,
      `${show(value)} was given; a value of ${base} is a ${isBig ? "bigint, such as 5n" : "number"}`,
    );
  if (kind !== "float" && new Kind([value as never])[0] !== value)
    throw usage(parameter, `${show(value)} was given, which ${base} does not hold`);
}

function elementsOf(values: unknown, type: ElementType, count: number): AnyElements {
  const isList = Array.isArray(values);
  const plain = plainType(type);
  // A sequence is one element and an array; alone it cannot be told from a list of elements.
  if (!isList && count === 1 && !(typeof plain === "object" && plain.kind === "vlen")) return [values as AnyElement];
  if (!isList && plain === "bool" && (dtypeOf(values) === "u1" || dtypeOf(values) === "i1"))
    return elementsOf(
      Array.from(values as Uint8Array, (one) => one !== 0),
      type,
      count,
    );
  if (!isList) throw usage("values", `${show(values)} was given; ${acceptedFor(type)}`);
  if (values.length !== count) throw usage("values", `${values.length} were given, and ${count} elements are selected`);
  return values;
}

/** Arrays in elements: `[3]` with six values is two elements. */
function regroup(values: AnyElements, inner: readonly number[]): AnyElements {
  if (inner.length === 0) return values;
  const size = sizeOfShape(inner);
  return Array.from({ length: values.length / size }, (_, i) => values.slice(i * size, (i + 1) * size));
}

function inField(values: AnyElements, field: string | undefined): AnyElements {
  return field === undefined ? values : values.map((one) => ({ [field]: one }));
}

/** All of something of so many elements. */
export const everything = (shape: readonly number[]): Selected & { raw: RawSelection } => ({
  raw: undefined,
  shape,
  count: sizeOfShape(shape),
});
