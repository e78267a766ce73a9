/**
 * Values to bytes, as `structuredClone` would copy them. What most messages are (numbers, texts, plain objects and arrays of
 * them, typed arrays) has a form of its own, several times faster than V8's, which takes the rest: cycles, maps, dates, errors.
 */
import { serialize } from "node:v8";
import { throwUsageError } from "./errors.js";
import { aligned, besideBytes, form, scratchBytes, tag, typedKinds } from "./wire.js";

/** Where values are encoded. It grows; the addon reads from it before the next value is encoded. */
export let bytes = Buffer.alloc(scratchBytes);
let view = viewOf(bytes);
/** Arrays that belong to the value encoded last, sent from where they lie. */
export let beside: Uint8Array[] | undefined;

let at = 0;
let mayLieBeside = false;
// An object that is met twice is left to V8, which keeps it one. Few are compared; many go into a set.
let seen: object[] = [];
let many: Set<object> | undefined;
const fewObjects = 16;
const deepest = 100;

function viewOf(memory: Uint8Array): DataView {
  return new DataView(memory.buffer, memory.byteOffset, memory.byteLength);
}

function room(needed: number): void {
  if (at + needed <= bytes.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(at + needed, 2 * bytes.length));
  larger.set(bytes.subarray(0, at));
  bytes = larger;
  view = viewOf(larger);
}

/**
 * Encodes into `bytes` from `start` on and returns where it ends. With `lieBeside`, large typed arrays stay where they are, in
 * `beside`; the value must not change until they are sent.
 *
 * @throws UsageError when something in the value cannot be copied, such as a function.
 */
export function encode(operation: string, value: unknown, lieBeside = false, start = 0): number {
  // What one large value needed is given back with the next small one.
  if (start === 0 && bytes.length > 64 * scratchBytes) {
    bytes = Buffer.alloc(scratchBytes);
    view = viewOf(bytes);
  }
  at = start;
  beside = undefined;
  mayLieBeside = lieBeside;
  room(16);
  // Room for the length, which is known when the arrays are; without arrays it is not sent.
  const began = lieBeside && isLarge(value) ? start + 5 : start + 1;
  at = began;
  const own = put(value, 0);
  if (seen.length > 0) seen = [];
  many = undefined;
  if (!own) return encodeByV8(operation, value, start);
  if (began === start + 1) {
    bytes[start] = form.own;
    return at;
  }
  bytes[start] = form.ownWithArrays;
  view.setUint32(start + 1, at - start, true);
  return at;
}

/** Arrays are laid beside only when the value is one, or holds some at the top: looking deeper costs more than it saves. */
function isLarge(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (ArrayBuffer.isView(value)) return value.byteLength >= besideBytes;
  for (const one of Object.values(value).slice(0, 32))
    if (ArrayBuffer.isView(one) && one.byteLength >= besideBytes) return true;
  mayLieBeside = false;
  return false;
}

function encodeByV8(operation: string, value: unknown, start: number): number {
  beside = undefined;
  let made: Buffer;
  try {
    made = serialize(value);
  } catch (cause) {
    throwUsageError(
      operation,
      "value",
      `cannot travel: ${(cause as Error).message} Values are copied as by structuredClone: no functions, no symbols`,
    );
  }
  at = start;
  room(made.length + 1);
  bytes[start] = form.v8;
  bytes.set(made, start + 1);
  return start + 1 + made.length;
}

/** Writes the value; false when it has no form of its own. */
function put(value: unknown, depth: number): boolean {
  if (at + 16 > bytes.length) room(16);
  switch (typeof value) {
    case "number":
      if ((value | 0) === value && (value !== 0 || 1 / value > 0)) {
        bytes[at] = tag.integer;
        view.setInt32(at + 1, value, true);
        at += 5;
      } else {
        bytes[at] = tag.double;
        view.setFloat64(at + 1, value, true);
        at += 9;
      }
      return true;
    case "string":
      putText(value);
      return true;
    case "boolean":
      bytes[at++] = value ? tag.true : tag.false;
      return true;
    case "undefined":
      bytes[at++] = tag.undefined;
      return true;
    case "bigint":
      if (BigInt.asIntN(64, value) !== value) return false;
      bytes[at] = tag.bigint;
      view.setBigInt64(at + 1, value, true);
      at += 9;
      return true;
    case "object":
      if (value === null) {
        bytes[at++] = tag.null;
        return true;
      }
      if (depth > deepest) return false;
      return putObject(value, depth + 1);
    default:
      return false;
  }
}

function putObject(value: object, depth: number): boolean {
  if (isSeen(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) {
    const keys = Object.keys(value);
    bytes[at] = tag.object;
    view.setUint32(at + 1, keys.length, true);
    at += 5;
    for (const key of keys) {
      // Assigning it would set the prototype.
      if (key === "__proto__") return false;
      putText(key);
      if (!put((value as Record<string, unknown>)[key], depth)) return false;
    }
    return true;
  }
  if (prototype === Array.prototype) return putArray(value as unknown[], depth);
  if (ArrayBuffer.isView(value)) return putTyped(value);
  return false;
}

function isSeen(value: object): boolean {
  if (many) {
    if (many.has(value)) return true;
    many.add(value);
    return false;
  }
  if (seen.includes(value)) return true;
  seen.push(value);
  if (seen.length > fewObjects) many = new Set(seen);
  return false;
}

function putArray(values: unknown[], depth: number): boolean {
  const { length } = values;
  // What a regular expression matches, for one, has more than its elements.
  if (length <= 64 && Object.keys(values).length !== length) return false;
  if (length > 4 && typeof values[0] === "number" && values.every(isNumber)) {
    room(5 + 8 * length);
    bytes[at] = tag.doubles;
    view.setUint32(at + 1, length, true);
    at += 5;
    for (let i = 0; i < length; i++, at += 8) view.setFloat64(at, values[i] as number, true);
    return true;
  }
  bytes[at] = tag.array;
  view.setUint32(at + 1, length, true);
  at += 5;
  for (let i = 0; i < length; i++) {
    const value = values[i];
    if (value === undefined && !(i in values)) return false;
    if (!put(value, depth)) return false;
  }
  return true;
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

function putTyped(value: ArrayBufferView): boolean {
  const kind = typedKinds.indexOf(value.constructor as never);
  if (kind < 0) return false;
  const { byteLength } = value;
  const memory = new Uint8Array(value.buffer, value.byteOffset, byteLength);
  if (mayLieBeside && byteLength >= besideBytes) {
    beside ??= [];
    beside.push(memory);
    bytes[at] = tag.typedBeside;
    bytes[at + 1] = kind;
    view.setFloat64(at + 2, byteLength, true);
    at += 10;
    return true;
  }
  if (byteLength > 0xffff_ffff) return false;
  room(6 + byteLength);
  bytes[at] = tag.typed;
  bytes[at + 1] = kind;
  view.setUint32(at + 2, byteLength, true);
  bytes.set(memory, at + 6);
  at += 6 + byteLength;
  return true;
}

function putText(text: string): void {
  const { length } = text;
  room(6 + 2 * length);
  if (length < 48) {
    let i = 0;
    for (let to = at + 2; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 255) break;
      bytes[to++] = code;
    }
    if (i === length) {
      bytes[at] = tag.short;
      bytes[at + 1] = length;
      at += 2 + length;
      return;
    }
  }
  const latin = /^[\x00-\xff]*$/.test(text);
  bytes[at] = latin ? tag.latin : tag.wide;
  // As UTF-16, so that half of a pair arrives as it is.
  const written = latin ? bytes.write(text, at + 5, "latin1") : bytes.write(text, at + 5, "utf16le");
  view.setUint32(at + 1, written, true);
  at += 5 + written;
}

/** Several values after each other, from multiples of 8 on, and the length of each: for ranks in order. */
export function encodeAll(operation: string, values: readonly unknown[]): Float64Array {
  const lengths = new Float64Array(values.length);
  let start = 0;
  values.forEach((value, index) => {
    at = start;
    room(16);
    const end = encode(operation, value, false, start);
    lengths[index] = end - start;
    start = aligned(end);
  });
  return lengths;
}

/** The value encoded last, with memory of its own: for a request. */
export function copyOfEncoded(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.prototype.slice.call(bytes, 0, length) as Uint8Array<ArrayBuffer>;
}
