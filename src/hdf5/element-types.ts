/**
 * What one element of a dataset or attribute is, and what it becomes in JavaScript: the types, and the functions that make
 * those which have parts.
 */
import { type DType, isDType, type Scalar, type TypedArrays, UsageError } from "../common/index.js";
import type { Reference } from "./reference.js";

/** A string type other than `"str"`. Made by `stringType`. */
export interface StringType {
  readonly kind: "string";
  /** Bytes of each string; `undefined` when each has its own length. */
  readonly length: number | undefined;
  readonly encoding: "utf8" | "ascii";
  /** What fills a fixed string up. HDF5's C programs write `"terminated"`, Fortran's `"spaces"`, h5py `"zeros"`. */
  readonly padding: "zeros" | "terminated" | "spaces";
}

/** Integers with names. Made by `enumType`. */
export interface EnumType<
  M extends Readonly<Record<string, number>> = Readonly<Record<string, number>>,
  B extends IntegerType = IntegerType,
> {
  readonly kind: "enum";
  readonly base: B;
  /** Each name with its integer. */
  readonly members: M;
}

/** The integer types that an enumeration may have: those whose values are numbers. */
export type IntegerType = "i1" | "i2" | "i4" | "u1" | "u2" | "u4";

/** Each field's name with its type. */
export type Fields = { readonly [name: string]: ElementType };

/** Records with named fields. Made by `compoundType`. */
export interface CompoundType<F extends Fields = Fields> {
  readonly kind: "compound";
  readonly fields: F;
}

/** A fixed-shape array in each element. Made by `arrayType`. */
export interface ArrayType<B extends PlainType = PlainType> {
  readonly kind: "array";
  readonly base: B;
  readonly shape: readonly number[];
}

/** A sequence of any length in each element. Made by `vlenType`. */
export interface VlenType<B extends ElementType = ElementType> {
  readonly kind: "vlen";
  readonly base: B;
}

/** Bytes that only their writer understands. Made by `opaqueType`. */
export interface OpaqueType {
  readonly kind: "opaque";
  readonly bytes: number;
  readonly tag: string;
}

/**
 * What one element is:
 *
 * - `"f8"` … `"u1"`: a number;
 * - `"bool"`: as h5py stores it, an enumeration of FALSE and TRUE;
 * - `"str"`: a string of any length, UTF-8; for others `stringType`;
 * - `"ref"`: a reference to a group or dataset of the file;
 * - what `enumType`, `compoundType`, `arrayType`, `vlenType` and `opaqueType` make.
 */
export type ElementType = PlainType | ArrayType;
/** Every type but that of arrays, whose elements are one of these. */
export type PlainType = DType | "bool" | "str" | "ref" | StringType | EnumType | CompoundType | VlenType | OpaqueType;

/** A record of a compound type, each field as its `Element`. */
export type RecordOf<F extends Fields> = { -readonly [N in keyof F]: Element<F[N]> };

/** An element of a type that is only known when the program runs. */
export type AnyElement = number | bigint | boolean | string | Reference | null | AnyRecord | AnyData;
export interface AnyRecord {
  [field: string]: AnyElement;
}
export interface AnyElements extends Array<AnyElement> {}
export type AnyData = TypedArrays[DType] | AnyElements;

/** One element in JavaScript. */
export type Element<T extends ElementType> = [ElementType] extends [T] ? AnyElement : ElementOf<T>;
type ElementOf<T extends ElementType> = T extends DType
  ? Scalar<T>
  : T extends "bool"
    ? boolean
    : T extends "str" | StringType
      ? string
      : T extends "ref"
        ? Reference | null
        : T extends EnumType<infer _M, infer B>
          ? Scalar<B>
          : T extends CompoundType<infer F>
            ? RecordOf<F>
            : T extends ArrayType<infer B> | VlenType<infer B>
              ? Data<B>
              : T extends OpaqueType
                ? Uint8Array<ArrayBuffer>
                : never;

/** Many elements in JavaScript, row after row: a typed array for numbers, an array otherwise. */
export type Data<T extends ElementType> = [ElementType] extends [T] ? AnyData : DataOf<T>;
type DataOf<T extends ElementType> = T extends DType
  ? TypedArrays[T]
  : T extends EnumType<infer _M, infer B>
    ? TypedArrays[B]
    : T extends ArrayType<infer B>
      ? Data<B>
      : Element<T>[];

/**
 * What a read gives: the elements with their shape. Of a number type it is an `NDArray`. An array type's axes come after
 * those of the selection, and `dtype` is the type in the array: 100 elements of `arrayType("f8", [3])` are an `NDArray<"f8">`
 * of shape `[100, 3]`.
 */
export type Values<T extends ElementType> = [ElementType] extends [T]
  ? ValuesAs<ElementType, AnyData>
  : T extends ArrayType<infer B>
    ? ValuesAs<B, Data<B>>
    : ValuesAs<T, Data<T>>;

/** Elements in a container of their own kind. */
export interface ValuesAs<T extends ElementType, A> {
  readonly dtype: T;
  readonly shape: readonly number[];
  /** The elements, row after row. */
  readonly data: A;
}

/**
 * The type of strings that are not `"str"`: of fixed length, or ASCII.
 *
 * @param options `length`: bytes of each string, longer ones are refused; without it each has its own length
 * @example
 * stringType({ length: 8 }); // eight bytes of UTF-8 each, filled up with zeros
 * @throws UsageError for a length that is not a whole number from 1
 */
export function stringType(
  options: {
    length?: number | undefined;
    encoding?: StringType["encoding"] | undefined;
    padding?: StringType["padding"] | undefined;
  } = {},
): StringType {
  const { length, encoding = "utf8", padding = "zeros" } = options;
  if (length !== undefined) checkLength("stringType", "length", length);
  if (encoding !== "utf8" && encoding !== "ascii")
    refuse("stringType", "encoding", `it is "utf8" or "ascii", not ${String(encoding)}`);
  if (!["zeros", "terminated", "spaces"].includes(padding))
    refuse("stringType", "padding", `it is "zeros", "terminated" or "spaces", not ${String(padding)}`);
  return { kind: "string", length, encoding, padding };
}

/**
 * The type of integers with names. Values in JavaScript are the integers.
 *
 * @param base default `"i4"`
 * @example
 * const Phase = enumType({ solid: 0, liquid: 1, gas: 2 }, "u1");
 * Phase.members.gas; // 2
 * @throws UsageError for no names at all, or a value that `base` cannot hold
 */
export function enumType<const M extends Readonly<Record<string, number>>, B extends IntegerType = "i4">(
  members: M,
  base: B = "i4" as B,
): EnumType<M, B> {
  const bits = Number(base[1]) * 8;
  const least = base[0] === "i" ? -(2 ** (bits - 1)) : 0;
  const most = base[0] === "i" ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  if (!isDType(base) || base[0] === "f" || bits > 32)
    refuse("enumType", "base", `it is one of i1, i2, i4, u1, u2, u4, not ${String(base)}`);
  if (Object.keys(members).length === 0) refuse("enumType", "members", "there must be at least one name");
  for (const name of Object.keys(members)) checkPartName("enumType", "members", name);
  if (new Set(Object.values(members)).size < Object.keys(members).length)
    refuse("enumType", "members", "each name has a number of its own");
  for (const [name, value] of Object.entries(members)) {
    if (!Number.isInteger(value) || value < least || value > most)
      refuse("enumType", "members", `${name} is ${value}, and ${base} holds whole numbers from ${least} to ${most}`);
  }
  return { kind: "enum", base, members };
}

/**
 * The type of records with named fields.
 *
 * @example
 * const Particle = compoundType({ mass: "f8", position: arrayType("f4", [3]), name: "str" });
 * @throws UsageError for no fields at all
 */
export function compoundType<const F extends Fields>(fields: F): CompoundType<F> {
  if (Object.keys(fields).length === 0) refuse("compoundType", "fields", "there must be at least one field");
  for (const name of Object.keys(fields)) checkPartName("compoundType", "fields", name);
  return { kind: "compound", fields };
}

/**
 * The type of elements that are arrays of one shape.
 *
 * @example
 * arrayType("f8", [3, 3]); // a 3 by 3 matrix in each element
 * @throws UsageError for a shape without axes, or with an empty one
 */
export function arrayType<const B extends PlainType>(base: B, shape: readonly number[]): ArrayType<B> {
  if (!Array.isArray(shape) || shape.length === 0)
    refuse("arrayType", "shape", "it is a list of one or more lengths, such as [3]");
  if (shape.length > 32) refuse("arrayType", "shape", `it has ${shape.length} axes, and HDF5 has at most 32`);
  if ((base as { kind?: string } | null)?.kind === "array")
    refuse("arrayType", "base", "it is an array itself; one arrayType has all axes");
  for (const length of shape) checkLength("arrayType", "shape", length);
  return { kind: "array", base, shape: [...shape] };
}

/** The type of elements that are sequences of any length: `vlenType("i4")` for an `Int32Array` in each. */
export function vlenType<const B extends ElementType>(base: B): VlenType<B> {
  return { kind: "vlen", base };
}

/**
 * The type of elements that are so many bytes, with a tag that says what they are.
 *
 * @throws UsageError for a number of bytes that is not a whole number from 1
 */
export function opaqueType(bytes: number, tag = ""): OpaqueType {
  checkLength("opaqueType", "bytes", bytes);
  if (typeof tag !== "string" || tag.includes("\0") || new TextEncoder().encode(tag).length > 255)
    refuse("opaqueType", "tag", "it is a text of at most 255 bytes");
  return { kind: "opaque", bytes, tag };
}

/** HDF5 ends names at a zero. */
function checkPartName(call: string, parameter: string, name: string): void {
  if (name === "" || name.includes("\0") || !name.isWellFormed())
    refuse(call, parameter, `${JSON.stringify(name)} is no name; it has one letter and more, and no "\\0"`);
}

function checkLength(call: string, parameter: string, value: unknown): void {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    refuse(call, parameter, `${String(value)} was given; it takes whole numbers from 1`);
}

function refuse(call: string, parameter: string, help: string): never {
  throw new UsageError(`${call}: ${parameter}: ${help}.`, { parameter });
}
