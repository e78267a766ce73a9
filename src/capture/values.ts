/**
 * Values by copy. Plain data goes as it is, for V8 to serialise; anything that would lose something there (functions,
 * instances, frozen flags, symbols) is written down piece by piece. What cannot be copied is refused, never guessed.
 */
import { types } from "node:util";
import { Buffers } from "./buffers.js";
import { builtinNamespace, knownValue } from "./known.js";
import { isBundlerExport, isClass, isNative } from "./native.js";
import { originOf } from "./origins.js";
import { isPlainData } from "./plain.js";
import type {
  AnyFunction,
  BufferPlan,
  CaptureHost,
  Encoded,
  Import,
  Integrity,
  Make,
  Node,
  Property,
} from "./portable.js";
import { below, refuse, type Trail } from "./trail.js";

/** What values ask of the part that captures functions. */
export interface FunctionEncoder {
  add(fn: AnyFunction, trail: Trail): Encoded;
  /** Why an instance of the class cannot be copied from outside, in words; `undefined` when it can. */
  closedReason(owner: AnyFunction): { reason: string; advice: string } | undefined;
}

type Draft = { -readonly [K in keyof Node]: Node[K] };

export class Values {
  readonly nodes: Draft[] = [];
  readonly external: unknown[] = [];
  readonly imports: Import[] = [];
  readonly classes = new Map<AnyFunction, Encoded>();
  readonly #host: CaptureHost;
  readonly #functions: FunctionEncoder;
  readonly #known = new Map<object, Encoded>();
  readonly #importIndex = new Map<string, number>();
  readonly #queue: (() => void)[] = [];
  readonly #buffers = new Buffers();
  readonly #notPlain = new WeakSet<object>();

  constructor(host: CaptureHost, functions: FunctionEncoder) {
    this.#host = host;
    this.#functions = functions;
  }

  /** Work that may wait until what is being written down has its number, so that cycles end. */
  later(work: () => void): void {
    this.#queue.push(work);
  }

  finish(): { buffers: BufferPlan[]; large: (ArrayBufferView | ArrayBuffer)[] } {
    for (let work = this.#queue.shift(); work; work = this.#queue.shift()) work();
    const { plans, large } = this.#buffers.finish();
    return { buffers: plans, large };
  }

  has(value: object): boolean {
    return this.#known.has(value);
  }

  know(value: object, encoded: Encoded): void {
    this.#known.set(value, encoded);
  }

  isExternal(value: object): boolean {
    return this.#host.isExternal(value);
  }

  importIndex(wanted: Import): number {
    const key = JSON.stringify([wanted.specifier, wanted.parent, wanted.kind, wanted.attributes]);
    let index = this.#importIndex.get(key);
    if (index === undefined) {
      index = this.imports.push(wanted) - 1;
      this.#importIndex.set(key, index);
    }
    return index;
  }

  encode(value: unknown, trail: Trail): Encoded {
    if (typeof value === "symbol") return symbol(value, trail);
    if ((typeof value !== "object" || value === null) && typeof value !== "function") return value as Encoded;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const encoded = this.#counterpart(value) ?? this.#copy(value, trail);
    this.#known.set(value, encoded);
    if (isClass(value) && !this.#host.isExternal(value)) this.classes.set(value, encoded);
    return encoded;
  }

  /** What the worker has already, or gets from the host. */
  #counterpart(value: object): Encoded {
    if (this.#host.isExternal(value)) return ["external", this.external.push(value) - 1];
    const origin = originOf(value);
    if (origin && "helper" in origin) return origin.helper;
    if (origin) {
      const index = this.importIndex(origin.import);
      return origin.member === undefined ? ["import", index] : ["import", index, origin.member];
    }
    const known = knownValue(value);
    if (known !== undefined) return known;
    return types.isModuleNamespaceObject(value) ? builtinNamespace(value) : undefined;
  }

  #copy(value: object, trail: Trail): Encoded {
    if (types.isProxy(value)) {
      return refuse(trail, "it is a Proxy, whose handler cannot be seen", "Capture the object behind it instead.");
    }
    if (typeof value === "function") return this.#functions.add(value, trail);
    const made = this.#special(value, trail);
    if (made) return made;
    const special = (inner: object): boolean => this.#host.isExternal(inner) || originOf(inner) !== undefined;
    if (isPlainData(value, special, this.#notPlain)) {
      return this.node(value, ["data", value]);
    }
    return this.#pieces(value, trail);
  }

  /** Adds a node for a value; the node may be completed later. */
  node(value: object, make: Make): Encoded {
    const encoded = ["node", this.nodes.push({ make }) - 1] as const;
    this.#known.set(value, encoded);
    return encoded;
  }

  #draft(encoded: Encoded): Draft {
    const draft = Array.isArray(encoded) ? this.nodes[encoded[1] as number] : undefined;
    if (!draft) throw new Error("not a node");
    return draft;
  }

  #special(value: object, trail: Trail): Encoded {
    refuseLiving(value, trail);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return this.#bytes(value, trail);
    const prototype = Object.getPrototypeOf(value) as object | null;
    if (prototype === URL.prototype) return this.node(value, ["url", (value as URL).href]);
    if (prototype === URLSearchParams.prototype) return this.node(value, ["search", String(value)]);
    if (prototype === TextEncoder.prototype) return this.node(value, ["encoder"]);
    if (prototype === TextDecoder.prototype) {
      const { encoding, fatal, ignoreBOM } = value as InstanceType<typeof TextDecoder>;
      return this.node(value, ["decoder", encoding, { fatal, ignoreBOM }]);
    }
    return undefined;
  }

  #bytes(value: ArrayBufferView | ArrayBuffer, trail: Trail): Encoded {
    const name = Object.prototype.toString.call(value).slice("[object ".length, -1);
    const standard = (globalThis as unknown as Record<string, { prototype: object } | undefined>)[name]?.prototype;
    const prototype = Object.getPrototypeOf(value) as object;
    if (prototype !== standard && prototype !== Buffer.prototype) {
      refuse(trail, `it is an instance of a subclass of ${name}`, `Capture a plain ${name} of the same elements.`);
    }
    const buffer = value instanceof ArrayBuffer ? value : value.buffer;
    if (types.isSharedArrayBuffer(buffer)) refuseShared(trail);
    if ((buffer as ArrayBuffer).resizable) {
      refuse(trail, "its ArrayBuffer is resizable, and the copy would not be", "Capture a copy made with slice().");
    }
    const encoded = this.node(value, ["object", null]);
    this.#buffers.add(value, (make) => {
      this.#draft(encoded).make = make;
    });
    return encoded;
  }

  #pieces(value: object, trail: Trail): Encoded {
    const parent = Object.getPrototypeOf(value) as object | null;
    const owner = Object.getOwnPropertyDescriptor(value, "constructor")?.value as unknown;
    if (typeof owner === "function" && owner.prototype === value && !isNative(owner)) {
      return ["prototype", this.encode(owner, below(trail, "constructor"))];
    }
    this.#refuseClosed(value, trail);
    const prototype = this.encode(parent, below(trail, "[[Prototype]]"));
    const make = makeOf(value, prototype);
    const encoded = this.node(value, make);
    this.later(() => {
      const draft = this.#draft(encoded);
      if (types.isMap(value)) {
        draft.make = [
          "map",
          [...value].map(([key, item]) => [
            this.encode(key, below(trail, "(key)")),
            this.encode(item, { ...trail, variable: `${trail.variable}.get(${label(key)})` }),
          ]),
        ];
      } else if (types.isSet(value)) {
        draft.make = ["set", [...value].map((item) => this.encode(item, below(trail, "(element)")))];
      }
      const properties = types.isNativeError(value)
        ? this.#errorProperties(value, trail)
        : this.properties(value, trail, Array.isArray(value) ? isLength : types.isRegExp(value) ? isLastIndex : never);
      if (properties.length > 0) draft.properties = properties;
      const integrity = integrityOf(value);
      if (integrity) draft.integrity = integrity;
    });
    return encoded;
  }

  /** Own properties but those left out. */
  properties(
    owner: object,
    trail: Trail,
    leaveOut: (key: string | symbol, descriptor: PropertyDescriptor) => boolean,
    accessors = false,
  ): Property[] {
    const found: Property[] = [];
    for (const key of Reflect.ownKeys(owner)) {
      const descriptor = Object.getOwnPropertyDescriptor(owner, key);
      if (!descriptor || leaveOut(key, descriptor)) continue;
      const at = below(trail, key);
      const name = typeof key === "symbol" ? symbol(key, at) : key;
      const flags = flagsOf(descriptor);
      if (descriptor.get || descriptor.set) {
        if (!accessors && !isBundlerExport(descriptor)) {
          refuse(
            at,
            "it is a getter or setter, which runs code of this process",
            "Capture its value instead: read it into a const first.",
          );
        }
        found.push([name, this.encode(descriptor.get, at), flags, this.encode(descriptor.set, at)]);
      } else {
        const value = this.encode(descriptor.value, at);
        found.push(flags === usualFlags ? [name, value] : [name, value, flags]);
      }
    }
    return found;
  }

  /** Node's own errors have internal properties of their own: what counts is what a user set, and the standard ones. */
  #errorProperties(error: Error, trail: Trail): Property[] {
    const standard = ["message", "cause", "errors"];
    const found = this.properties(
      error,
      trail,
      (key, { enumerable }) => key === "stack" || !(enumerable || standard.includes(String(key))),
    );
    found.push(["stack", String(error.stack), hiddenFlags]);
    return found;
  }

  #refuseClosed(value: object, trail: Trail): void {
    let below: AnyFunction | undefined;
    for (let level = Object.getPrototypeOf(value) as object | null; level && level !== Object.prototype; ) {
      const owner = Object.getOwnPropertyDescriptor(level, "constructor")?.value as unknown;
      const standard = Array.isArray(knownValue(level)) || (typeof owner === "function" && isNative(owner));
      const name = typeof owner === "function" ? owner.name : "native object";
      if (standard && !allowed(value, level)) {
        refuse(
          trail,
          below
            ? `it is an instance of ${below.name}, a subclass of ${name}, whose content cannot be copied from outside`
            : `it is ${article(name)} ${name}, which stays in its process`,
          adviceFor(name),
        );
      }
      if (!standard && typeof owner === "function" && owner.prototype === level) {
        const closed = this.#functions.closedReason(owner);
        if (closed) refuse(trail, closed.reason, closed.advice);
        below = owner;
      }
      level = Object.getPrototypeOf(level) as object | null;
    }
  }
}

/** Arrays, maps, sets, dates, regular expressions and errors are made by `makeOf`, unless a class of the user's stands between. */
function allowed(value: object, level: object): boolean {
  if (types.isNativeError(value)) return /Error$/.test((level as { constructor: AnyFunction }).constructor.name);
  return Object.getPrototypeOf(value) === level && isBuiltIn(value);
}

function isBuiltIn(value: object): boolean {
  return (
    Array.isArray(value) || types.isMap(value) || types.isSet(value) || types.isDate(value) || types.isRegExp(value)
  );
}

function makeOf(value: object, prototype: Encoded): Make {
  if (Array.isArray(value)) return ["array", value.length];
  if (types.isMap(value)) return ["map", []];
  if (types.isSet(value)) return ["set", []];
  if (types.isDate(value)) return ["date", value.getTime()];
  if (types.isRegExp(value)) return ["regexp", value.source, value.flags, value.lastIndex];
  return types.isNativeError(value) ? ["error", prototype] : ["object", prototype];
}

function refuseShared(trail: Trail): never {
  return refuse(
    trail,
    "it is shared memory (a SharedArrayBuffer), which cannot be shared with another process",
    "Copy it into an ordinary array, or store it once with put() and pass the ref.",
  );
}

function refuseLiving(value: object, trail: Trail): void {
  if (types.isSharedArrayBuffer(value)) refuseShared(trail);
  if (types.isPromise(value)) refuse(trail, "it is a Promise", "Await it first, and capture its value.");
  if (types.isWeakMap(value) || types.isWeakSet(value) || value instanceof WeakRef) {
    refuse(trail, "it is a weak collection, whose content cannot be listed", "Use a Map or Set, or make it inside.");
  }
  if (types.isGeneratorObject(value)) {
    refuse(trail, "it is a running generator", "Collect it into an array first, or call its function inside.");
  }
  const tag = Object.prototype.toString.call(value);
  if (/ Iterator(?: Helper)?\]$/.test(tag))
    refuse(trail, "it is a running iterator", "Collect it into an array first.");
  if (types.isBoxedPrimitive(value))
    refuse(trail, "it is an object around a primitive", "Capture the primitive itself.");
  if (types.isExternal(value)) refuse(trail, "it is an object of a native addon", "Make it inside the function.");
  if (types.isArgumentsObject(value)) refuse(trail, "it is an arguments object", "Copy it: [...arguments].");
  if (types.isModuleNamespaceObject(value)) {
    refuse(
      trail,
      "it is a module that was not imported by a static import",
      'Import it with `import * as name from "..."`, or import it inside the function.',
    );
  }
  if (value instanceof AbortController || value instanceof AbortSignal) {
    refuse(
      trail,
      `it is an ${value.constructor.name}, which works in its own process only`,
      "Pass it as an option instead: distribute(f, { signal }).",
    );
  }
}

function adviceFor(name: string): string {
  if (/^(?:Array|Map|Set|Date|RegExp|ArrayBuffer|[A-Za-z0-9]+Array)$/.test(name)) {
    return `Capture a plain ${name} of the same content, and make the instance inside the function.`;
  }
  return "Make it inside the function, from what it was made of.";
}

function article(name: string): string {
  return /^[AEIOU]/i.test(name) ? "an" : "a";
}

function symbol(value: symbol, trail: Trail): Encoded {
  const key = Symbol.keyFor(value);
  if (key !== undefined) return ["symbol", key];
  const { description = "" } = value;
  const name = description.replace(/^Symbol\./, "");
  if ((Symbol as unknown as Record<string, unknown>)[name] === value) return ["well-known", name];
  return refuse(
    trail,
    `${String(value)} is a unique symbol, which no other process can have`,
    `Make it with Symbol.for(${JSON.stringify(description || "name")}).`,
  );
}

function label(key: unknown): string {
  return typeof key === "string" ? JSON.stringify(key) : typeof key === "object" ? "…" : String(key);
}

const isLength = (key: string | symbol): boolean => key === "length";
const isLastIndex = (key: string | symbol): boolean => key === "lastIndex";
const never = (): boolean => false;

const flag = { writable: 1, enumerable: 2, configurable: 4 } as const;
const usualFlags = 7;
const hiddenFlags = flag.writable | flag.configurable;

function flagsOf({ writable, enumerable, configurable, get, set }: PropertyDescriptor): number {
  const canWrite = writable || get !== undefined || set !== undefined;
  return (canWrite ? flag.writable : 0) | (enumerable ? flag.enumerable : 0) | (configurable ? flag.configurable : 0);
}

/** Frozen, sealed, not extensible, or none of these. */
export function integrityOf(value: object): Integrity | undefined {
  if (Object.isExtensible(value)) return undefined;
  if (Object.isFrozen(value)) return "frozen";
  return Object.isSealed(value) ? "sealed" : "closed";
}
