/**
 * A value to bytes and back. V8's own serialisation does the work (cycles, -0, lone surrogates, holes, BigInt are exact);
 * large arrays, references, instances and errors are taken care of around it.
 */
import { Deserializer, Serializer } from "node:v8";
import { GironaError, UsageError } from "../../common/index.js";
import type { Held } from "../held.js";
import { type Encoded, Form, type HandleRef, isPrimitive, Payload, type Segment, type Side } from "./payload.js";
import { type ClassRef, type EncodeHost, type Finish, prepare, Token } from "./prepare.js";
import { bytesOf, viewKind, viewKinds } from "./views.js";

// Typed at one place: @types/node knows the methods, but not that a host overrides them.
interface HostSerializer extends Serializer {
  _setTreatArrayBufferViewsAsHostObjects(flag: boolean): void;
}
interface HostDeserializer extends Deserializer {
  readRawBytes(length: number): Buffer;
}

class ValueSerializer extends Serializer {
  constructor() {
    super();
    (this as unknown as HostSerializer)._setTreatArrayBufferViewsAsHostObjects(true);
  }

  _writeHostObject(value: object): void {
    if (value instanceof Token) {
      this.writeUint32(value.view >= 0 ? 1 : 2);
      this.writeUint32(value.side);
      if (value.view >= 0) this.writeUint32(value.view);
      return;
    }
    const kind = ArrayBuffer.isView(value) ? viewKind(value) : undefined;
    if (kind === undefined) {
      const name = (value as { constructor?: { name?: string } }).constructor?.name ?? "native object";
      throw new Error(`an instance of ${name} cannot be copied`);
    }
    const bytes = bytesOf(value as ArrayBufferView);
    this.writeUint32(0);
    this.writeUint32(kind);
    this.writeUint32(bytes.byteLength);
    this.writeRawBytes(bytes);
  }

  _getDataCloneError = Error;
}

class ValueDeserializer extends Deserializer {
  readonly #sides: readonly unknown[];

  constructor(bytes: Uint8Array, sides: readonly unknown[]) {
    super(bytes);
    this.#sides = sides;
  }

  _readHostObject(): unknown {
    switch (this.readUint32()) {
      case 0: {
        const kind = viewKinds[this.readUint32()]!;
        const length = this.readUint32();
        // A copy: the elements need their alignment, and the message must not stay in memory for them.
        const bytes = new Uint8Array(length);
        bytes.set((this as unknown as HostDeserializer).readRawBytes(length));
        return kind.make(bytes.buffer, length);
      }
      case 1: {
        const segment = this.#sides[this.readUint32()] as Segment;
        return viewKinds[this.readUint32()]!.make(segment.map(), segment.bytes);
      }
      default:
        return this.#sides[this.readUint32()];
    }
  }
}

function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/.test(error.message);
}

function serialise(value: unknown, what: string): Uint8Array {
  const serializer = new ValueSerializer();
  try {
    serializer.writeHeader();
    serializer.writeValue(value);
  } catch (error) {
    const why = isStackOverflow(error)
      ? "it is nested too deeply or too large for one message (2 GB)"
      : String((error as Error).message);
    throw new UsageError(`${what} cannot be copied to another process: ${why}.`, { parameter: what, cause: error });
  }
  return serializer.releaseBuffer();
}

/** Items of a chunk, or its results: an array of our own, so that only its elements count. Numbers go as doubles. */
export function encodeList(list: readonly unknown[], host: EncodeHost, what: string): Encoded {
  for (let i = 0; i < list.length; i++) if (typeof list[i] !== "number") return encode(list, host, what);
  const doubles = Float64Array.from(list as number[]);
  return new Payload(Form.numbers, new Uint8Array(doubles.buffer));
}

/**
 * Copies a value for its way to another process.
 *
 * @param what names the value in errors, such as `argument 2 of resize`
 * @throws UsageError naming the path of what cannot travel
 */
export function encode(value: unknown, host: EncodeHost, what: string): Encoded {
  if (isPrimitive(value)) return value;
  let prepared: ReturnType<typeof prepare>;
  try {
    prepared = prepare(value, host, what);
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    throw new UsageError(`${what} cannot be copied to another process: it is nested too deeply.`, {
      parameter: what,
      cause: error,
    });
  }
  if (!prepared) return new Payload(Form.plain, serialise(value, what));
  const { root, finish } = prepared;
  const { instances, errors, sides } = finish;
  if (instances.length === 0 && errors.length === 0) return new Payload(Form.plain, serialise(root, what), sides);
  return new Payload(Form.finished, serialise([root, instances, errors], what), sides);
}

/** What the decoder must know of the process it runs in. */
export interface DecodeHost {
  /** The class itself; `undefined` when this process has not got it. */
  classAt(ref: ClassRef): ((...args: never) => unknown) | undefined;
  handle(ref: HandleRef): unknown;
  held(side: Held): unknown;
}

function side(value: Side, host: DecodeHost): unknown {
  if ("map" in value) return value;
  if ("kind" in value) return value.kind === "code" ? undefined : host.handle(value);
  return host.held(value);
}

function finishErrors(errors: Finish["errors"], host: DecodeHost): void {
  for (const [error, properties, ref, name] of errors) {
    for (const [key, value] of Object.entries(properties)) {
      const enumerable = !["message", "stack", "cause", "errors", "ref"].includes(key);
      Object.defineProperty(error, key, { value, enumerable, configurable: true, writable: true });
    }
    const own = ref && host.classAt(ref);
    const builtin = (globalThis as { [name: string]: unknown })[name ?? "Error"];
    const found = own ?? (typeof builtin === "function" && builtin.prototype instanceof Error ? builtin : undefined);
    if (found) Object.setPrototypeOf(error, found.prototype as object);
    // Without its class the name is all that tells what it was.
    if (error.name !== name && name !== undefined) {
      Object.defineProperty(error, "name", { value: name, enumerable: false, configurable: true, writable: true });
    }
    GironaError.restore(error);
  }
}

/** A fresh copy of the value; large arrays are mapped, not copied. */
export function decode(value: Encoded, host: DecodeHost): unknown {
  if (!(value instanceof Payload)) return value;
  const { bytes } = value;
  if (value.form === Form.numbers) {
    // A copy when it starts in between elements; `Buffer.slice` would not copy.
    const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
    return Array.from(new Float64Array(aligned.buffer, aligned.byteOffset, bytes.byteLength / 8));
  }
  const deserializer = new ValueDeserializer(
    bytes,
    value.sides.map((item) => side(item, host)),
  );
  deserializer.readHeader();
  const root: unknown = deserializer.readValue();
  if (value.form === Form.plain) return root;
  const [result, instances, errors] = root as [unknown, Finish["instances"], Finish["errors"]];
  for (const [copy, ref] of instances) {
    const prototype = ref.code === -1 ? null : (host.classAt(ref)?.prototype as object | undefined);
    if (prototype !== undefined) Object.setPrototypeOf(copy, prototype);
  }
  finishErrors(errors, host);
  return result;
}
