/** Element types and HDF5's own: which one stands for which, in the file and in memory. */
import { type DType, dtypes, isDType, nearest, UsageError } from "../common/index.js";
import type { ElementType, IntegerType, PlainType, StringType } from "./element-types.js";
import type { RawType } from "./raw.js";
import type { StoredAs } from "./types.js";

const padding = ["terminated", "zeros", "spaces"] as const;
const booleanNames = ["FALSE", "TRUE"];

function rawNumber(dtype: DType, big: boolean): RawType {
  const { bytes: size, kind } = dtypes[dtype];
  return kind === "float" ? { class: "float", size, big } : { class: "integer", size, signed: kind === "signed", big };
}

/** The type in memory, which is also the one in the file unless `storedAs` says otherwise. */
export function rawType(type: ElementType): RawType {
  if (isDType(type)) return rawNumber(type, false);
  switch (type) {
    case "bool":
      return { class: "enum", base: rawNumber("i1", false), names: booleanNames, values: [0, 1] };
    case "str":
      return { class: "string", size: 0, utf8: true, pad: 0 };
    case "ref":
      return { class: "reference" };
  }
  switch (type?.kind) {
    case "string": {
      const utf8 = type.encoding === "utf8";
      if (type.length === undefined) return { class: "string", size: 0, utf8, pad: 0 };
      return { class: "string", size: type.length, utf8, pad: padding.indexOf(type.padding) };
    }
    case "enum":
      return {
        class: "enum",
        base: rawNumber(type.base, false),
        names: Object.keys(type.members),
        values: Object.values(type.members),
      };
    case "compound":
      return { class: "compound", names: Object.keys(type.fields), types: Object.values(type.fields).map(rawType) };
    case "array":
      return { class: "array", base: rawType(type.base), shape: [...type.shape] };
    case "vlen":
      return { class: "vlen", base: rawType(type.base) };
    case "opaque":
      return { class: "opaque", size: type.bytes, tag: type.tag };
  }
  throw unknownType(type);
}

/**
 * The type in memory for what is stored. HDF5 converts numbers, but no strings of one length or encoding to another, so `"str"`
 * is in memory whatever string is in the file.
 */
export function memoryType(type: ElementType, stored: RawType | undefined): RawType {
  const own = rawType(type);
  return stored === undefined ? own : withStrings(own, stored);
}

function withStrings(own: RawType, stored: RawType): RawType {
  if (own.class === "string" && stored.class === "string") return stored;
  if (own.class === "compound" && stored.class === "compound") {
    const fieldOf = (name: string): RawType | undefined => stored.types[stored.names.indexOf(name)];
    const types = own.types.map((type, i) => withStrings(type, fieldOf(own.names[i]!) ?? type));
    return { class: "compound", names: own.names, types };
  }
  if (own.class === "array" && stored.class === "array") return { ...own, base: withStrings(own.base, stored.base) };
  if (own.class === "vlen" && stored.class === "vlen") return { ...own, base: withStrings(own.base, stored.base) };
  return own;
}

function unknownType(type: unknown): UsageError {
  const names = [...Object.keys(dtypes), "bool", "str", "ref"];
  const near = typeof type === "string" ? nearest(type, names) : undefined;
  const given = typeof type === "string" ? `"${type}"` : String(type);
  const hint = near ? ` Did you mean "${near}"?` : "";
  const others = "or what stringType, enumType, compoundType, arrayType, vlenType or opaqueType make";
  return new UsageError(`dtype: ${given} is no element type.${hint} There are ${names.join(", ")}, ${others}.`, {
    parameter: "dtype",
  });
}

/** The type in the file. @throws UsageError when `storedAs` is of another kind than the type */
export function storedType(type: ElementType, storedAs: StoredAs | undefined): RawType {
  if (storedAs === undefined) return rawType(type);
  if (typeof type === "object" && type.kind === "array")
    return { class: "array", base: storedType(type.base, storedAs), shape: [...type.shape] };
  const match = /^([<>]?)(\w\d)$/.exec(storedAs);
  const name = match?.[2] ?? "";
  const big = match?.[1] === ">";
  if (name === "f2" && (type === "f4" || type === "f8")) return { class: "float", size: 2, big };
  if (isDType(type) && isDType(name) && (dtypes[name].kind === "float") === (dtypes[type].kind === "float"))
    return rawNumber(name, big);
  throw new UsageError(
    `storedAs: "${storedAs}" was given for ${nameOf(type)}; it takes ">f8", "<i2" and the like for numbers: "<" or ">" and a number type of the same kind, or "f2" for f4 and f8.`,
    { parameter: "storedAs" },
  );
}

/** The element type of what a file holds; `undefined` where JavaScript has nothing for it. */
export function elementType(raw: RawType): ElementType | undefined {
  switch (raw.class) {
    case "integer":
      return `${raw.signed ? "i" : "u"}${raw.size}` as DType;
    case "float":
      return raw.size === 2 ? "f4" : (`f${raw.size}` as DType);
    case "string":
      return stringOf(raw);
    case "reference":
      return "ref";
    case "opaque":
      return { kind: "opaque", bytes: raw.size, tag: raw.tag };
    case "enum":
      return enumOf(raw);
    case "compound": {
      const types = raw.types.map(elementType);
      if (types.includes(undefined)) return undefined;
      return { kind: "compound", fields: Object.fromEntries(raw.names.map((name, i) => [name, types[i]!])) };
    }
    case "array": {
      const base = elementType(raw.base);
      if (base === undefined) return undefined;
      // Arrays of arrays are one, as in NumPy.
      if (typeof base === "object" && base.kind === "array")
        return { kind: "array", base: base.base, shape: [...raw.shape, ...base.shape] };
      return { kind: "array", base, shape: raw.shape };
    }
    case "vlen": {
      const base = elementType(raw.base);
      return base === undefined ? undefined : { kind: "vlen", base };
    }
    case "other":
      return undefined;
  }
}

function stringOf(raw: RawType & { class: "string" }): "str" | StringType {
  if (raw.size === 0 && raw.utf8) return "str";
  return {
    kind: "string",
    length: raw.size === 0 ? undefined : raw.size,
    encoding: raw.utf8 ? "utf8" : "ascii",
    // Each string's own length leaves nothing to fill up.
    padding: raw.size === 0 ? "zeros" : (padding[raw.pad] ?? "zeros"),
  };
}

function enumOf(raw: RawType & { class: "enum" }): ElementType | undefined {
  const base = elementType(raw.base) as DType | undefined;
  if (base === "i1" && raw.names.join() === booleanNames.join() && raw.values[0] === 0 && raw.values[1] === 1)
    return "bool";
  if (base === undefined || dtypes[base].bytes === 8) return base;
  return {
    kind: "enum",
    base: base as IntegerType,
    members: Object.fromEntries(raw.names.map((name, i) => [name, raw.values[i]!])),
  };
}

/** How a number type is stored, `">f8"`; `undefined` for what is no number. */
export function storageOf(raw: RawType): StoredAs | undefined {
  if (raw.class === "array") return storageOf(raw.base);
  if (raw.class !== "integer" && raw.class !== "float") return undefined;
  const letter = raw.class === "float" ? "f" : raw.signed ? "i" : "u";
  return `${raw.big ? ">" : "<"}${letter as "f"}${raw.size as 8}`;
}

/** A type in the words of a message. */
export function nameOf(type: ElementType | RawType): string {
  if (typeof type === "string") return type;
  if ("class" in type) return rawName(type);
  switch (type.kind) {
    case "string":
      return `a string of ${type.length === undefined ? "any length" : `${type.length} bytes`}, ${type.encoding}`;
    case "enum":
      return `an enumeration of ${type.base} (${Object.keys(type.members).join(", ")})`;
    case "compound":
      return `a compound of ${Object.entries(type.fields)
        .map(([name, field]) => `${name}: ${nameOf(field)}`)
        .join(", ")}`;
    case "array":
      return `an array [${type.shape.join(", ")}] of ${nameOf(type.base)}`;
    case "vlen":
      return `sequences of ${nameOf(type.base)}`;
    case "opaque":
      return `${type.bytes} opaque bytes${type.tag ? ` "${type.tag}"` : ""}`;
  }
}

function rawName(raw: RawType): string {
  const type = elementType(raw);
  if (raw.class === "float" && raw.size === 2) return "half precision (f2)";
  return type === undefined
    ? `a type without a counterpart in JavaScript (${"size" in raw ? raw.size : "?"} bytes)`
    : nameOf(type);
}

/** Elements that lie in a typed array, and in which: numbers, enumerations, arrays of those. */
export function numericBase(type: ElementType): DType | undefined {
  if (typeof type === "string") return isDType(type) ? type : undefined;
  if (type.kind === "enum") return type.base;
  return type.kind === "array" ? numericBase(type.base) : undefined;
}

/** The type within an array type, else the type itself. */
export function plainType(type: ElementType): PlainType {
  return typeof type === "object" && type.kind === "array" ? type.base : type;
}

/** The axes that each element adds to a shape. */
export function innerShape(type: ElementType): readonly number[] {
  return typeof type === "object" && type.kind === "array" ? type.shape : [];
}

/** May what is stored be opened as this type, so that every element keeps its value? */
export function opensAs(stored: RawType, type: ElementType): boolean {
  const own = elementType(stored);
  if (own === undefined) return false;
  if (type === "str") return stored.class === "string";
  if (stored.class === "enum" && isDType(type))
    return elementType(stored.base) === type || (own === "bool" && type === "u1");
  return sameType(own, type);
}

function sameType(a: ElementType, b: ElementType): boolean {
  if (typeof a === "string" || typeof b === "string") return a === b;
  if (a.kind !== b.kind) return false;
  const same = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);
  switch (a.kind) {
    case "enum":
      return (
        a.base === (b as typeof a).base &&
        same(Object.entries(a.members).sort(), Object.entries((b as typeof a).members).sort())
      );
    case "compound": {
      const fields = Object.entries(a.fields);
      const others = Object.entries((b as typeof a).fields);
      return (
        fields.length === others.length &&
        fields.every(([name, type], i) => others[i]![0] === name && fieldFits(type, others[i]![1]))
      );
    }
    case "array":
      return same(a.shape, (b as typeof a).shape) && fieldFits(a.base, (b as typeof a).base);
    case "string":
      if (a.length === undefined)
        return (b as typeof a).length === undefined && a.encoding === (b as typeof a).encoding;
      return same(a, b);
    case "vlen":
      return fieldFits(a.base, (b as typeof a).base);
    default:
      return same(a, b);
  }
}

/** Within other types too, `"str"` stands for strings of every kind. */
function fieldFits(stored: ElementType, type: ElementType): boolean {
  if (type === "str" && typeof stored === "object" && stored.kind === "string") return true;
  return sameType(stored, type);
}
