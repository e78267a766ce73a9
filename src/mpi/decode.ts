/** Bytes to values: the other half of encode.ts. */
import { deserialize } from "node:v8";
import { MpiError } from "../common/index.js";
import { aligned, form, scratchBytes, tag, typedKinds } from "./wire.js";

/** Where the addon puts what arrives, if it is small. */
export const scratch = Buffer.alloc(scratchBytes);
const scratchView = new DataView(scratch.buffer, scratch.byteOffset, scratch.byteLength);

let bytes: Buffer = scratch;
let view: DataView = scratchView;
let at = 0;
/** Where the arrays lie that are beside the value. */
let next = 0;
/** The memory is the value's alone: its arrays may stay in it. */
let owned = false;

/** The value that has arrived: in the scratch array, so many bytes of it, or in memory of its own. */
export function arrived<T>(where: number | ArrayBuffer): T {
  if (typeof where === "number") return decode(scratch, scratchView, 0, where, false) as T;
  return decodeFrom(Buffer.from(where), 0, where.byteLength, true) as T;
}

/** The value between two places. */
export function decodeFrom(memory: Buffer, start: number, end: number, alone: boolean): unknown {
  return decode(memory, new DataView(memory.buffer, memory.byteOffset, memory.byteLength), start, end, alone);
}

/** The values of a row, one after the other from multiples of 8 on. */
export function decodeRow<T>([memory, lengths]: readonly [ArrayBuffer, readonly number[]]): T[] {
  const all = Buffer.from(memory);
  let start = 0;
  return lengths.map((length) => {
    const from = start;
    start = aligned(start + length);
    // From nobody: a value has at least a byte.
    if (length === 0) return undefined as T;
    return decodeFrom(all, from, from + length, false) as T;
  });
}

function decode(memory: Buffer, memoryView: DataView, start: number, end: number, alone: boolean): unknown {
  try {
    return read(memory, memoryView, start, end, alone);
  } catch (cause) {
    throw new MpiError(
      "recv failed: what has arrived is no whole value of a lower-case call. A typed array sent by an upper-case call is received by one (MPI_ERR_TYPE)",
      { class: "MPI_ERR_TYPE", errorCode: 0, operation: "recv", peer: undefined, cause },
    );
  }
}

function read(memory: Buffer, memoryView: DataView, start: number, end: number, alone: boolean): unknown {
  if (memory[start] === form.v8) {
    // V8 leaves typed arrays in the memory that it reads, so that it gets memory of its own.
    return deserialize(Buffer.from(memory.buffer.slice(memory.byteOffset + start + 1, memory.byteOffset + end)));
  }
  if (memory[start] !== form.own && memory[start] !== form.ownWithArrays) throw new RangeError("no such form");
  bytes = memory;
  view = memoryView;
  owned = alone;
  at = start + 1;
  if (memory[start] === form.ownWithArrays) {
    next = start + aligned(view.getUint32(at, true));
    at += 4;
  }
  const value = take();
  // The arrays that lie beside come after it.
  if (memory[start] === form.own ? at !== end : at > end) throw new RangeError("not all of a value");
  bytes = scratch; // no hold on a large message
  view = scratchView;
  return value;
}

function take(): unknown {
  switch (bytes[at++]) {
    case tag.undefined:
      return undefined;
    case tag.null:
      return null;
    case tag.true:
      return true;
    case tag.false:
      return false;
    case tag.integer:
      at += 4;
      return view.getInt32(at - 4, true);
    case tag.double:
      at += 8;
      return view.getFloat64(at - 8, true);
    case tag.bigint:
      at += 8;
      return view.getBigInt64(at - 8, true);
    case tag.short: {
      const length = bytes[at++]!;
      at += length;
      return shortText(at - length, length);
    }
    case tag.latin: {
      const length = size();
      at += length;
      return bytes.toString("latin1", at - length, at);
    }
    case tag.wide: {
      const length = size();
      at += length;
      return bytes.toString("utf16le", at - length, at);
    }
    case tag.array: {
      const length = size();
      const values: unknown[] = [];
      for (let i = 0; i < length; i++) values.push(take());
      return values;
    }
    case tag.doubles: {
      const length = size();
      const values: number[] = [];
      for (let i = 0; i < length; i++, at += 8) values.push(view.getFloat64(at, true));
      return values;
    }
    case tag.object: {
      const length = size();
      const value: Record<string, unknown> = {};
      for (let i = 0; i < length; i++) {
        const key = take() as string;
        value[key] = take();
      }
      return value;
    }
    case tag.typed: {
      const kind = bytes[at]!;
      const length = view.getUint32(at + 1, true);
      at += 5 + length;
      return typed(kind, at - length, length, false);
    }
    case tag.typedBeside: {
      const kind = bytes[at]!;
      const length = view.getFloat64(at + 1, true);
      at += 9;
      const from = next;
      next = aligned(next + length);
      return typed(kind, from, length, owned);
    }
    default:
      throw new RangeError("no such tag");
  }
}

function size(): number {
  at += 4;
  return view.getUint32(at - 4, true);
}

function typed(kind: number, start: number, length: number, inPlace: boolean): unknown {
  const Kind = typedKinds[kind]!;
  const from = bytes.byteOffset + start;
  if (inPlace) return new Kind(bytes.buffer as ArrayBuffer, from, length / Kind.BYTES_PER_ELEMENT);
  return new Kind((bytes.buffer as ArrayBuffer).slice(from, from + length));
}

// The keys of objects come again and again: the same text is found by its bytes, without making a new one.
const known: (string | undefined)[] = new Array(1024);

function shortText(start: number, length: number): string {
  if (length === 0) return "";
  let hash = length;
  for (let i = 0; i < length; i++) hash = (Math.imul(hash, 31) + bytes[start + i]!) | 0;
  const place = (hash ^ (hash >>> 10)) & 1023;
  const before = known[place];
  if (before !== undefined && before.length === length) {
    let i = 0;
    while (i < length && before.charCodeAt(i) === bytes[start + i]) i++;
    if (i === length) return before;
  }
  const text = bytes.toString("latin1", start, start + length);
  known[place] = text;
  return text;
}
