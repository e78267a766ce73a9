/** Element types as h5wasm describes them, and elements in the bytes it gives. */
import type { TypedArray } from "../../common/index.js";
import type { RawType } from "../raw.js";
import type { AnyElement, AnyRecord } from "../types.js";
import { type Remote, rawError } from "./remote.js";

/** What h5wasm says of a dataset or attribute; class numbers are HDF5's (H5T_class_t). */
export interface Metadata {
  type: number;
  size: number;
  signed: boolean;
  littleEndian: boolean;
  vlen: boolean;
  cset?: number;
  strpad?: number;
  shape: number[] | null;
  maxshape: number[] | null;
  total_size: number;
  chunks: number[] | null;
  ref_type?: "object" | "region";
  array_type?: Metadata;
  vlen_type?: Metadata;
  enum_type?: { type: number; members: Record<string, number> };
  compound_type?: { members: (Metadata & { name: string; offset: number })[] };
  virtual_sources?: { file_name: string; dset_name: string }[];
}

const classes = { integer: 0, float: 1, string: 3, opaque: 5, compound: 6, reference: 7, enum: 8, vlen: 9, array: 10 };

export function rawOf(meta: Metadata): RawType {
  const { size, signed } = meta;
  const big = !meta.littleEndian && size > 1;
  switch (meta.type) {
    case classes.integer:
      return { class: "integer", size, signed, big };
    case classes.float:
      return size <= 8 ? { class: "float", size, big } : { class: "other", size };
    case classes.string:
      return { class: "string", size: meta.vlen ? 0 : size, utf8: meta.cset === 1, pad: meta.strpad ?? 0 };
    case classes.enum: {
      const { members } = meta.enum_type!;
      const base = { class: "integer", size, signed, big } as const;
      return { class: "enum", size, base, names: Object.keys(members), values: Object.values(members) };
    }
    case classes.compound: {
      const { members } = meta.compound_type!;
      return { class: "compound", size, names: members.map((one) => one.name), types: members.map(rawOf) };
    }
    case classes.array:
      return { class: "array", size, base: rawOf(meta.array_type!), shape: meta.array_type!.shape ?? [] };
    case classes.vlen:
      return { class: "vlen", size, base: rawOf(meta.vlen_type!) };
    case classes.opaque:
      return { class: "opaque", size, tag: "" };
    default:
      return { class: "other", size };
  }
}

/** How h5wasm is asked to make a type. @throws what it cannot make */
export function metadataOf(raw: RawType): {
  type: number;
  size: number;
  signed: boolean;
  vlen: boolean;
  cset?: number;
  littleEndian: true;
} {
  const common = { signed: false, vlen: false, littleEndian: true } as const;
  if ((raw.class === "integer" || raw.class === "float") && raw.big) throw cannot("big-endian numbers");
  if (raw.class === "integer") return { ...common, type: classes.integer, size: raw.size, signed: raw.signed };
  if (raw.class === "float" && raw.size > 2) return { ...common, type: classes.float, size: raw.size };
  if (raw.class === "string") {
    if (raw.size === 0) return { ...common, type: classes.string, size: 4, vlen: true, cset: raw.utf8 ? 1 : 0 };
    // It makes UTF-8 as Fortran does, ASCII as C does, and no other.
    if (raw.pad === (raw.utf8 ? 2 : 0))
      return { ...common, type: classes.string, size: raw.size, cset: raw.utf8 ? 1 : 0 };
    throw cannot('strings of fixed length other than UTF-8 with padding "spaces" and ASCII with padding "terminated"');
  }
  throw cannot(raw.class === "float" ? "half precision" : `elements of the class ${raw.class}`);
}

/** Refuses in words. */
export function cannot(what: string): Error {
  return rawError("usage", `h5wasm: it does not write ${what}; the native HDF5 does: npx girona build hdf5`);
}

/** Elements out of the bytes that h5wasm has read, in little-endian order but for fields of records. */
export function decode(remote: Remote, meta: Metadata, bytes: Uint8Array): AnyElement[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = meta.size === 0 ? 0 : bytes.byteLength / meta.size;
  const starts = Array.from({ length: count }, (_, i) => i * meta.size);
  switch (meta.type) {
    case classes.string:
      if (meta.vlen)
        return remote.ask(
          "texts",
          starts.map((at) => view.getUint32(at, true)),
        );
      return starts.map((at) => fixedText(meta, bytes.subarray(at, at + meta.size)));
    case classes.compound:
      return records(remote, meta, bytes, starts);
    case classes.array: {
      const base = meta.array_type!;
      return starts.map((at) => numbersOrValues(remote, base, bytes.slice(at, at + meta.size)));
    }
    case classes.vlen: {
      const base = meta.vlen_type!;
      const lengths = starts.map((at) => view.getUint32(at, true));
      const pointers = starts.map((at) => view.getUint32(at + 4, true));
      const parts = remote.ask<Uint8Array[]>(
        "parts",
        pointers,
        lengths.map((n) => n * base.size),
      );
      return parts.map((part) => numbersOrValues(remote, base, part));
    }
    case classes.opaque:
      return starts.map((at) => bytes.slice(at, at + meta.size));
    case classes.enum:
      if (isBoolean(meta)) return starts.map((at) => bytes[at] !== 0);
      return Array.from(typedArray(meta, bytes) as Float64Array);
    default:
      return Array.from(typedArray(meta, bytes) as Float64Array);
  }
}

function records(remote: Remote, meta: Metadata, bytes: Uint8Array, starts: number[]): AnyRecord[] {
  const rows = starts.map((): AnyRecord => ({}));
  for (const field of meta.compound_type!.members) {
    const column = new Uint8Array(starts.length * field.size);
    for (const [i, at] of starts.entries())
      column.set(bytes.subarray(at + field.offset, at + field.offset + field.size), i * field.size);
    swapIfBig(field, column);
    for (const [i, value] of decode(remote, field, column).entries()) rows[i]![field.name] = value;
  }
  return rows;
}

/** Fields keep the byte order of the file. */
function swapIfBig(meta: Metadata, bytes: Uint8Array): void {
  const { size } = meta.type === classes.array ? meta.array_type! : meta;
  const isBig = meta.type === classes.array ? !meta.array_type!.littleEndian : !meta.littleEndian;
  const numeric: number[] = [classes.integer, classes.float, classes.enum];
  if (!isBig || !numeric.includes(meta.type === classes.array ? meta.array_type!.type : meta.type)) return;
  for (let at = 0; at < bytes.length; at += size) bytes.subarray(at, at + size).reverse();
}

function numbersOrValues(remote: Remote, base: Metadata, bytes: Uint8Array): AnyElement {
  const isNumber =
    base.type === classes.integer || base.type === classes.float || (base.type === classes.enum && !isBoolean(base));
  return (isNumber ? typedArray(base, bytes) : decode(remote, base, bytes)) as AnyElement;
}

function isBoolean(meta: Metadata): boolean {
  const { members } = meta.enum_type!;
  return meta.size === 1 && Object.keys(members).length === 2 && members["FALSE"] === 0 && members["TRUE"] === 1;
}

function fixedText(meta: Metadata, bytes: Uint8Array): string {
  const filler = meta.strpad === 2 ? 32 : 0;
  let end = meta.strpad === 0 ? bytes.indexOf(0) : bytes.length;
  if (end < 0) end = bytes.length;
  while (end > 0 && bytes[end - 1] === filler) end--;
  return new TextDecoder().decode(bytes.subarray(0, end));
}

/** Numbers in a typed array of their own kind; half precision as single. */
export function typedArray(meta: Metadata, bytes: Uint8Array): TypedArray {
  const { buffer } = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
  if (meta.type === classes.float) {
    if (meta.size === 8) return new Float64Array(buffer);
    return meta.size === 4 ? new Float32Array(buffer) : Float32Array.from(new Uint16Array(buffer), half);
  }
  const kinds = meta.signed
    ? { 1: Int8Array, 2: Int16Array, 4: Int32Array, 8: BigInt64Array }
    : { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array };
  const Kind = kinds[meta.size as 1];
  if (!Kind) throw rawError("file", "numbers of a size that JavaScript has nothing for");
  return new Kind(buffer as ArrayBuffer);
}

/** IEEE 754 binary16. */
function half(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
