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
import type { AnyFunction, BufferPlan, CaptureHost, Encoded, Import, Make, Node, Property } from "./portable.js";
import { encodeSymbol, flagsOf, hiddenFlags, integrityOf, usualFlags } from "./properties.js";
import { refuseClosed, refuseLiving, refuseShared } from "./refusals.js";
import { below, refuse, type Trail } from "./trail.js";

/** What values ask of the part that captures functions. */
export interface FunctionEncoder {
  add(fn: AnyFunction, trail: Trail): Encoded;
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
  #queue: (() => void)[] = [];
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
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      for (const work of batch) work();
    }
    const { plans, large } = this.#buffers.finish();
    return { buffers: plans, large };
  }

  has(value: object): boolean {
    return this.#known.has(value);
  }

  know(value: object, encoded: Encoded): void {
    this.#known.set(value, encoded);
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
    if (typeof value === "symbol") return encodeSymbol(value, trail);
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
    const isSpecial = (inner: object): boolean =>
      this.#host.isExternal(inner) || originOf(inner) !== undefined || knownValue(inner) !== undefined;
    return isPlainData(value, isSpecial, this.#notPlain)
      ? this.node(value, ["data", value])
      : this.#pieces(value, trail);
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
    refuseClosed(value, trail);
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
      const name = typeof key === "symbol" ? encodeSymbol(key, at) : key;
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
}

function makeOf(value: object, prototype: Encoded): Make {
  if (Array.isArray(value)) return ["array", value.length];
  if (types.isMap(value)) return ["map", []];
  if (types.isSet(value)) return ["set", []];
  if (types.isDate(value)) return ["date", value.getTime()];
  if (types.isRegExp(value)) return ["regexp", value.source, value.flags, value.lastIndex];
  return types.isNativeError(value) ? ["error", prototype] : ["object", prototype];
}

function label(key: unknown): string {
  return typeof key === "string" ? JSON.stringify(key) : typeof key === "object" ? "…" : String(key);
}

const isLength = (key: string | symbol): boolean => key === "length";
const isLastIndex = (key: string | symbol): boolean => key === "lastIndex";
const never = (): boolean => false;
