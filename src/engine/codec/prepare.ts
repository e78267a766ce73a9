/**
 * What V8's serialisation would lose or refuse is found before: the walk over a value either says that it is plain, or
 * copies the containers around what is special (references, large arrays, instances of classes, errors) and lists it.
 */
import { types } from "node:util";
import { UsageError } from "../../common/index.js";
import { Held } from "../held.js";
import type { HandleRef, Side } from "./payload.js";
import { viewKind } from "./views.js";

/** Typed arrays and buffers from this size on travel beside the message. */
export const segmentBytes = 64 * 1024;

/** Stands in a message for something that lies beside it; a typed array, because those V8 hands to its host. */
export class Token extends Uint8Array {
  side = 0;
  view = -1;
}

/** Which class, in words that every process of the cluster understands. */
export interface ClassRef {
  readonly code: number;
  readonly index: number;
}

/** What the encoder must know of the process it runs in. */
export interface EncodeHost {
  store(bytes: Uint8Array): Side;
  handle(value: object): HandleRef | undefined;
  /** `undefined` when no other process could find the class. */
  classOf(
    Class: (...args: never) => unknown,
  ): { readonly ref: ClassRef; readonly side: Side; readonly problem: string | undefined } | undefined;
  /** A reference inside a value; an error in words when it belongs to another cluster. */
  held(value: Held): Held;
  /** A large array was met; the same one in many calls is worth an advice. */
  large?(value: object, bytes: number): void;
}

/** Beside the value: what the receiver has to finish. */
export interface Finish {
  /** Plain copies of instances, with the class of each. */
  readonly instances: [object, ClassRef][];
  /** Errors, with own properties and the class of each. */
  readonly errors: [Error, { [name: string]: unknown }, ClassRef | undefined, string | undefined][];
  /** Functions beside the value are needed before it can be read. */
  readonly sides: Side[];
}

const plainPrototypes = new Set<object | null>([Object.prototype, null]);

/** Copied by V8 without loss? Does not look beside the value for what it cannot tell quickly. */
function isPlain(value: unknown, seen: Set<object>): boolean {
  switch (typeof value) {
    case "object":
      break;
    case "function":
    case "symbol":
      return false;
    default:
      return true;
  }
  if (value === null || seen.has(value)) return true;
  if (types.isProxy(value)) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (Array.isArray(value)) {
    if (prototype !== Array.prototype) return false;
    // Arrays of numbers are common and long: only what is not a primitive is remembered and entered.
    seen.add(value);
    for (const item of value) {
      if ((typeof item === "object" && item !== null) || typeof item === "function" || typeof item === "symbol") {
        if (!isPlain(item, seen)) return false;
      }
    }
    return true;
  }
  if (plainPrototypes.has(prototype)) {
    if (prototype === null) return false;
    seen.add(value);
    for (const key in value) if (!isPlain((value as Record<string, unknown>)[key], seen)) return false;
    return Object.getOwnPropertySymbols(value).length === 0;
  }
  if (ArrayBuffer.isView(value)) return value.byteLength < segmentBytes && viewKind(value) !== undefined;
  if (prototype === ArrayBuffer.prototype) return (value as ArrayBuffer).byteLength < segmentBytes;
  if (prototype === Date.prototype) return true;
  if (prototype === Map.prototype && types.isMap(value)) {
    seen.add(value);
    for (const [key, item] of value) if (!isPlain(key, seen) || !isPlain(item, seen)) return false;
    return true;
  }
  if (prototype === Set.prototype && types.isSet(value)) {
    seen.add(value);
    for (const item of value) if (!isPlain(item, seen)) return false;
    return true;
  }
  return prototype === RegExp.prototype && (value as RegExp).lastIndex === 0;
}

const accepted =
  "Accepted are plain data (objects, arrays, Map, Set, Date, RegExp, BigInt, typed arrays, errors), refs, actors and instances of classes without #private fields.";

/** Why a value of a kind that lives in its process cannot be copied, and what to do instead. */
function livingReason(value: object): string | undefined {
  if (types.isProxy(value)) return "is a Proxy; pass the object behind it";
  if (types.isPromise(value)) return "is a promise; await it first";
  if (types.isWeakMap(value) || types.isWeakSet(value) || value instanceof WeakRef) {
    return "is a weak collection, which cannot be copied to another process";
  }
  if (types.isGeneratorObject(value) || typeof (value as { next?: unknown }).next === "function")
    return "is a running iterator; collect it into an array first";
  if (types.isSharedArrayBuffer(value))
    return "is a SharedArrayBuffer, which other processes cannot share; put() a typed array instead";
  if (value instanceof AbortSignal || value instanceof AbortController) {
    return "cannot be copied to another process; give the signal as an option: f.options({ signal })";
  }
  if (value instanceof URL) return "is a URL; pass url.href";
  if (types.isModuleNamespaceObject(value)) return "is a module; import it in the function's module instead";
  return undefined;
}

/** Why a value cannot be copied. */
function reason(value: object): string {
  const living = livingReason(value);
  if (living) return living;
  const name = (Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null)?.constructor?.name;
  return `is an instance of ${name || "a class without a name"}, which cannot be made again in another process (its class is built in, or defined inside a task); pass plain data`;
}

/** Walks a value that is not plain. */
class Preparation {
  readonly sides: Side[] = [];
  readonly finish: Finish = { instances: [], errors: [], sides: this.sides };
  readonly #copies = new Map<object, unknown>();
  readonly #path: string[];
  readonly #host: EncodeHost;

  constructor(host: EncodeHost, what: string) {
    this.#host = host;
    this.#path = [what];
  }

  #refuse(why: string): never {
    const path = this.#path.join("");
    throw new UsageError(`${path} ${why}. ${accepted}`, { parameter: path });
  }

  #at(key: string, value: unknown): unknown {
    if (typeof value !== "object" && typeof value !== "function" && typeof value !== "symbol") return value;
    this.#path.push(key);
    const copy = this.copy(value);
    this.#path.pop();
    return copy;
  }

  #token(side: Side): Token {
    const token = new Token(0);
    token.side = this.sides.push(side) - 1;
    return token;
  }

  copy(value: unknown): unknown {
    if (typeof value === "symbol") return this.#refuse("is a symbol, which has no identity in another process");
    if (typeof value === "function") {
      const handle = this.#host.handle(value);
      if (handle) return this.#token(handle);
      return this.#refuse(
        `is a function (${value.name || "without a name"}); functions are captured, not passed: name it in the body of the distributed function`,
      );
    }
    if (typeof value !== "object" || value === null) return value;
    const before = this.#copies.get(value);
    if (before !== undefined) return before;
    const copy = this.#object(value);
    this.#copies.set(value, copy);
    return copy;
  }

  #object(value: object): unknown {
    if (value instanceof Held) return this.#token(this.#host.held(value));
    const handle = this.#host.handle(value);
    if (handle) return this.#token(handle);
    if (types.isProxy(value)) return this.#refuse(reason(value));
    const prototype = Object.getPrototypeOf(value) as object | null;
    if (ArrayBuffer.isView(value) || prototype === ArrayBuffer.prototype) return this.#buffer(value as ArrayBuffer);
    if (types.isNativeError(value)) return this.#error(value);
    if (Array.isArray(value)) {
      if (prototype !== Array.prototype) return this.#refuse(reason(value));
      const copy: unknown[] = new Array(value.length);
      this.#copies.set(value, copy);
      for (const key of Object.keys(value))
        copy[key as unknown as number] = this.#at(`[${key}]`, value[key as unknown as number]);
      return copy;
    }
    if (types.isMap(value)) {
      if (prototype !== Map.prototype) return this.#refuse(reason(value));
      const copy = new Map();
      this.#copies.set(value, copy);
      for (const [key, item] of value) copy.set(this.#at(" (a key)", key), this.#at(`.get(${showKey(key)})`, item));
      return copy;
    }
    if (types.isSet(value)) {
      if (prototype !== Set.prototype) return this.#refuse(reason(value));
      const copy = new Set();
      this.#copies.set(value, copy);
      for (const item of value) copy.add(this.#at(" (an element)", item));
      return copy;
    }
    if (prototype === Date.prototype || prototype === RegExp.prototype || types.isBoxedPrimitive(value)) return value;
    if (prototype === Object.prototype || prototype === null) {
      const copy: Record<string, unknown> = {};
      this.#copies.set(value, copy);
      this.#properties(value, copy);
      // V8 forgets the missing prototype; -1 is no code and stands for null.
      if (prototype === null) this.finish.instances.push([copy, { code: -1, index: 0 }]);
      return copy;
    }
    return this.#instance(value, prototype);
  }

  #properties(from: object, to: Record<string, unknown>): void {
    for (const key of Object.keys(from)) {
      const copy = this.#at(showProperty(key), (from as Record<string, unknown>)[key]);
      if (key === "__proto__")
        Object.defineProperty(to, key, { value: copy, enumerable: true, configurable: true, writable: true });
      else to[key] = copy;
    }
    for (const key of Object.getOwnPropertySymbols(from)) {
      if (Object.prototype.propertyIsEnumerable.call(from, key))
        this.#refuse(`has a property named by a symbol (${String(key)})`);
    }
  }

  #buffer(value: ArrayBuffer | ArrayBufferView): unknown {
    const kind = viewKind(value);
    if (kind === undefined) return this.#refuse(reason(value));
    if (value.byteLength < segmentBytes) return value;
    this.#host.large?.(value, value.byteLength);
    const bytes = ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : new Uint8Array(value);
    const token = this.#token(this.#host.store(bytes));
    token.view = kind;
    return token;
  }

  #error(value: Error): Error {
    // V8 keeps name, message and stack; own properties, the cause and the class are added by the receiver.
    const copy = new Error();
    this.#copies.set(value, copy);
    copy.message = "";
    const properties: Record<string, unknown> = {};
    for (const key of Object.getOwnPropertyNames(value)) {
      const { value: item } = Object.getOwnPropertyDescriptor(value, key)!;
      properties[key] = key === "stack" ? String(value.stack) : this.#lenient(`.${key}`, item);
    }
    const { constructor: Class } = value as { constructor?: unknown };
    const known = typeof Class === "function" ? this.#class(Class as (...args: never) => unknown) : undefined;
    this.finish.errors.push([copy, properties, known, value.name]);
    return copy;
  }

  /** An error must come back whatever hangs on it (a socket, a request): what cannot be copied is described in words. */
  #lenient(key: string, value: unknown): unknown {
    const depth = this.#path.length;
    try {
      return this.#at(key, value);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.#path.length = depth;
      return `[${typeof value === "function" ? "function" : Object.prototype.toString.call(value).slice(8, -1)}, left in its process]`;
    }
  }

  #instance(value: object, prototype: object): object {
    const living = livingReason(value);
    if (living) this.#refuse(living);
    const { constructor: Class } = prototype as { constructor?: unknown };
    if (typeof Class !== "function" || Class.prototype !== prototype || isNative(Class)) this.#refuse(reason(value));
    const about = this.#host.classOf(Class as (...args: never) => unknown);
    if (about?.problem)
      this.#refuse(`is an instance of ${Class.name} that cannot be copied: ${about.problem.replace(/\.$/, "")}`);
    const known = this.#class(Class as (...args: never) => unknown);
    if (!known) this.#refuse(reason(value));
    const copy: Record<string, unknown> = {};
    this.#copies.set(value, copy);
    this.#properties(value, copy);
    this.finish.instances.push([copy, known]);
    return copy;
  }

  #class(Class: (...args: never) => unknown): ClassRef | undefined {
    const known = this.#host.classOf(Class);
    if (known && !this.sides.includes(known.side)) this.sides.push(known.side);
    return known?.ref;
  }
}

const isNative = (fn: unknown): boolean => /\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(fn));
const showKey = (key: unknown): string => (typeof key === "string" ? JSON.stringify(key) : String(key));
const showProperty = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`);

/** `undefined` when the value is plain, else what to serialise in its place. `what` names the value in errors. */
export function prepare(value: unknown, host: EncodeHost, what: string): { root: unknown; finish: Finish } | undefined {
  if (isPlain(value, new Set())) return undefined;
  const preparation = new Preparation(host, what);
  const root = preparation.copy(value);
  return { root, finish: preparation.finish };
}
