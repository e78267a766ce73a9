/** Puts functions and values together after the steps of a plan. */
import { createRequire } from "node:module";
import { TextDecoder, TextEncoder } from "node:util";
import { remember } from "./origins.js";
import type {
  AnyFunction,
  Encoded,
  FunctionPlan,
  Integrity,
  Make,
  Parts,
  Plan,
  Property,
  Revived,
} from "./portable.js";

type Setter = (value: unknown) => void;
type Maker = (heritage: unknown, privates: (set: Setter) => void) => AnyFunction | [() => AnyFunction, Setter];

/** What the code of one module is once it has its parameters. */
export interface Group {
  readonly set: readonly Setter[];
  readonly make: readonly Maker[];
}

type Helper = (kind: "meta" | "import" | "require", url: string) => unknown;

const require = createRequire(import.meta.url);

export class Decoder {
  readonly #plan: Plan;
  readonly #groups: readonly Group[];
  readonly #imported: readonly unknown[];
  readonly #parts: Parts;
  readonly #helper: Helper;
  readonly #functions: AnyFunction[] = [];
  readonly #nodes: object[] = [];
  readonly #buffers: { buffer: ArrayBuffer; offset: number; length: number }[] = [];

  constructor(plan: Plan, groups: readonly Group[], imported: readonly unknown[], parts: Parts, helper: Helper) {
    this.#plan = plan;
    this.#groups = groups;
    this.#imported = imported;
    this.#parts = parts;
    this.#helper = helper;
  }

  decode(): Revived {
    const { functions, nodes, root, classes } = this.#plan;
    this.#readBuffers();
    for (const [index, { make }] of nodes.entries()) if (isEarly(make)) this.#nodes[index] = this.#make(make);
    this.#setModules((encoded) => this.#isReady(encoded));
    const finish = this.#makeFunctions();
    for (const [index, { make }] of nodes.entries()) this.#nodes[index] ??= this.#make(make);
    this.#setModules(() => true);
    for (const step of finish) step();
    for (const [index, node] of nodes.entries()) this.#fill(this.#nodes[index] ?? {}, node.make, node.properties);

    for (const [index, { integrity, prototype }] of functions.entries()) {
      const fn = this.#functions[index] as AnyFunction;
      close((fn as { prototype?: object }).prototype, prototype?.integrity);
      close(fn, integrity);
    }
    for (const [index, { integrity }] of nodes.entries()) close(this.#nodes[index], integrity);
    return {
      value: this.#value(root) as AnyFunction,
      classes: classes.map((encoded) => this.#value(encoded) as AnyFunction | undefined),
    };
  }

  /** Can the value be had before any function is made? */
  #isReady(encoded: Encoded): boolean {
    if (!Array.isArray(encoded)) return true;
    const [tag, index] = encoded as readonly [string, unknown];
    if (tag === "node") return isEarly(this.#plan.nodes[index as number]?.make ?? ["object", null]);
    return tag !== "function" && tag !== "prototype";
  }

  #setModules(which: (encoded: Encoded) => boolean): void {
    for (const [index, { values }] of this.#plan.modules.entries()) {
      for (const [slot, encoded] of values.entries()) {
        if (which(encoded)) this.#groups[index]?.set[slot]?.(this.#value(encoded));
      }
    }
  }

  /** Makes all functions, and returns what is to be done once the values exist. */
  #makeFunctions(): (() => void)[] {
    const finish: (() => void)[] = [];
    const next = this.#groups.map(() => 0);
    for (const [index, plan] of this.#plan.functions.entries()) {
      const position = next[plan.module] ?? 0;
      next[plan.module] = position + 1;
      const maker = this.#groups[plan.module]?.make[position];
      if (!maker) throw new Error(`the code has no function ${position} in its module ${plan.module}`);
      const privates: Setter[] = [];
      const made = maker(this.#value(plan.heritage), (set) => privates.push(set));
      let fn: AnyFunction;
      const { locals } = plan;
      if (locals && Array.isArray(made)) {
        const [define, setLocals] = made;
        // A class may need a symbol or a text as soon as it is defined.
        setLocals(locals.map((encoded) => (this.#isReady(encoded) ? this.#value(encoded) : undefined)));
        fn = define();
        finish.push(() => setLocals(locals.map((encoded) => this.#value(encoded))));
      } else fn = made as AnyFunction;
      this.#functions[index] = fn;
      finish.push(() => this.#complete(fn, plan, privates));
    }
    return finish;
  }

  #complete(
    fn: AnyFunction,
    { parent, properties, privates, prototype }: FunctionPlan,
    setters: readonly Setter[],
  ): void {
    if (privates) for (const set of setters) set(privates.map((encoded) => this.#value(encoded)));
    if (parent !== undefined) Object.setPrototypeOf(fn, this.#value(parent) as object | null);
    this.#define(fn, properties);
    const own = (fn as { prototype?: object }).prototype;
    if (!prototype || !own) return;
    if (prototype.parent !== undefined) Object.setPrototypeOf(own, this.#value(prototype.parent) as object | null);
    this.#define(own, prototype.properties);
  }

  #value(encoded: Encoded): unknown {
    if (!Array.isArray(encoded)) return encoded;
    const tagged = encoded as Exclude<Encoded, undefined | null | boolean | number | string | bigint>;
    switch (tagged[0]) {
      case "function":
        return this.#functions[tagged[1]];
      case "node":
        return this.#nodes[tagged[1]];
      case "external":
        return this.#parts.external[tagged[1]];
      case "import":
        return this.#imports(tagged[1], tagged[2]);
      case "global":
        return follow(globalThis, tagged.slice(1));
      case "builtin":
        return follow(require(`node:${tagged[1]}`), tagged.slice(2));
      case "package":
        return follow(require(tagged[1]), tagged.slice(2));
      case "prototype":
        return (this.#value(tagged[1]) as { prototype: unknown }).prototype;
      case "helper":
        return this.#helper(tagged[1], tagged[2]);
      case "symbol":
        return Symbol.for(tagged[1]);
      case "well-known":
        return (Symbol as unknown as Record<string, symbol>)[tagged[1]];
    }
  }

  #imports(index: number, member: string | undefined): unknown {
    const module = this.#imported[index];
    if (member === undefined) return module;
    const value = (module as Record<string, unknown>)[member];
    const from = this.#plan.imports[index];
    if (from && typeof value === "function") remember(value, { import: from, member });
    return value;
  }

  #readBuffers(): void {
    for (const plan of this.#plan.buffers) {
      const part = typeof plan === "number" ? this.#parts.large[plan] : plan.slice();
      if (part === undefined) throw new Error(`the large value ${String(plan)} did not arrive`);
      if (ArrayBuffer.isView(part)) {
        this.#buffers.push({ buffer: part.buffer as ArrayBuffer, offset: part.byteOffset, length: part.byteLength });
      } else this.#buffers.push({ buffer: part, offset: 0, length: part.byteLength });
    }
  }

  #make(make: Make): object {
    switch (make[0]) {
      case "data":
        return make[1] as object;
      case "object":
        return Object.create(this.#value(make[1]) as object | null) as object;
      case "array":
        return [];
      case "map":
        return new Map();
      case "set":
        return new Set();
      case "error":
        return Object.setPrototypeOf(new Error(), this.#value(make[1]) as object) as object;
      case "date":
        return new Date(make[1]);
      case "regexp": {
        const regexp = new RegExp(make[1], make[2]);
        regexp.lastIndex = make[3];
        return regexp;
      }
      case "buffer":
        return this.#wholeBuffer(make[1]);
      case "view":
        return this.#view(make);
      case "bound": {
        const args = make[3].map((encoded) => this.#value(encoded));
        return (this.#value(make[1]) as (...args: unknown[]) => unknown).bind(this.#value(make[2]), ...args);
      }
      case "url":
        return new URL(make[1]);
      case "search":
        return new URLSearchParams(make[1]);
      case "encoder":
        return new TextEncoder();
      case "decoder":
        return new TextDecoder(make[1], make[2]);
    }
  }

  #wholeBuffer(index: number): ArrayBuffer {
    const part = this.#buffers[index];
    if (!part) throw new Error(`the buffer ${index} did not arrive`);
    const { buffer, offset, length } = part;
    if (offset === 0 && length === buffer.byteLength) return buffer;
    const copy = buffer.slice(offset, offset + length);
    this.#buffers[index] = { buffer: copy, offset: 0, length };
    return copy;
  }

  #view([, type, index, start, length]: Extract<Make, readonly ["view", ...unknown[]]>): object {
    const kind = type === "Buffer" ? Uint8Array : (globalThis as unknown as Record<string, ViewConstructor>)[type];
    if (!kind) throw new Error(`this Node.js has no ${type}`);
    let part = this.#buffers[index];
    if (part && (part.offset + start) % (kind.BYTES_PER_ELEMENT ?? 1) !== 0) {
      this.#wholeBuffer(index);
      part = this.#buffers[index];
    }
    if (!part) throw new Error(`the buffer ${index} did not arrive`);
    const offset = part.offset + start;
    return type === "Buffer" ? Buffer.from(part.buffer, offset, length) : new kind(part.buffer, offset, length);
  }

  #fill(object: object, make: Make, properties: readonly Property[] | undefined): void {
    if (make[0] === "map") {
      for (const [key, item] of make[1]) (object as Map<unknown, unknown>).set(this.#value(key), this.#value(item));
    } else if (make[0] === "set") for (const item of make[1]) (object as Set<unknown>).add(this.#value(item));
    else if (make[0] === "array") (object as unknown[]).length = make[1];
    this.#define(object, properties);
  }

  #define(object: object, properties: readonly Property[] | undefined): void {
    for (const property of properties ?? []) {
      const [key, value, flags = usualFlags] = property;
      const shared = { enumerable: (flags & 2) !== 0, configurable: (flags & 4) !== 0 };
      const descriptor: PropertyDescriptor =
        property.length === 4
          ? { ...shared, get: this.#value(value) as () => unknown, set: this.#value(property[3]) as Setter }
          : { ...shared, value: this.#value(value), writable: (flags & 1) !== 0 };
      Object.defineProperty(object, this.#value(key) as PropertyKey, descriptor);
    }
  }
}

/** Writable, enumerable, configurable. */
const usualFlags = 7;

interface ViewConstructor {
  new (buffer: ArrayBuffer, offset: number, length: number): object;
  readonly BYTES_PER_ELEMENT?: number;
}

/** Made of nothing but itself. */
function isEarly([kind]: Make): boolean {
  return kind !== "object" && kind !== "error" && kind !== "bound";
}

function follow(start: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => (value as Record<string, unknown>)[key], start);
}

function close(object: object | undefined, integrity: Integrity | undefined): void {
  if (!object || !integrity) return;
  if (integrity === "frozen") Object.freeze(object);
  else if (integrity === "sealed") Object.seal(object);
  else Object.preventExtensions(object);
}
