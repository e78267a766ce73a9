/** Values that every process has of its own, found by identity: globals, Node's modules, CommonJS packages. */
import Module, { builtinModules, createRequire } from "node:module";
import { runInNewContext } from "node:vm";
import { isBundlerExport, isNative } from "./native.js";
import type { Encoded } from "./portable.js";

/** Globals of Node and the web that are plain functions or objects and the same everywhere. */
const nodeGlobals = [
  ...["AbortController", "AbortSignal", "Blob", "BroadcastChannel", "Buffer", "ByteLengthQueuingStrategy"],
  ...["CloseEvent", "CompressionStream", "CountQueuingStrategy", "Crypto", "CryptoKey", "CustomEvent"],
  ...["DOMException", "DecompressionStream", "ErrorEvent", "Event", "EventSource", "EventTarget", "File", "FormData"],
  ...["Headers", "MessageChannel", "MessageEvent", "MessagePort", "Navigator", "Performance", "PerformanceEntry"],
  ...["PerformanceMark", "PerformanceMeasure", "PerformanceObserver", "PerformanceObserverEntryList"],
  ...["PerformanceResourceTiming", "ReadableByteStreamController", "ReadableStream", "ReadableStreamBYOBReader"],
  ...["ReadableStreamBYOBRequest", "ReadableStreamDefaultController", "ReadableStreamDefaultReader", "Request"],
  ...["Response", "Storage", "SubtleCrypto", "TextDecoder", "TextDecoderStream", "TextEncoder", "TextEncoderStream"],
  ...["TransformStream", "TransformStreamDefaultController", "URL", "URLPattern", "URLSearchParams", "WebAssembly"],
  ...["WebSocket", "WritableStream", "WritableStreamDefaultController", "WritableStreamDefaultWriter", "atob", "btoa"],
  ...["clearImmediate", "clearInterval", "clearTimeout", "console", "crypto", "fetch", "global", "globalThis"],
  ...["localStorage", "navigator", "performance", "process", "queueMicrotask", "sessionStorage", "setImmediate"],
  ...["setInterval", "setTimeout", "structuredClone"],
];

let languageGlobals: readonly string[] | undefined;
let names: ReadonlySet<string> | undefined;

/** Is it a name that every Node process has on its global object? */
export function isGlobalName(name: string): boolean {
  languageGlobals ??= runInNewContext("Object.getOwnPropertyNames(globalThis)") as string[];
  names ??= new Set([...languageGlobals, ...nodeGlobals, "undefined", "eval", "arguments"]);
  return names.has(name);
}

// Modules whose mere loading warns, or that stand for other ones.
const unloaded = /^_|^(?:sys|punycode|wasi|trace_events|repl|domain|cluster|sqlite|test|inspector|sea|node:.*)(?:\/|$)/;

const standard = new Map<unknown, Encoded>();
let modulesSeen = -1;

function add(value: unknown, path: Encoded): void {
  if (isObject(value) && !standard.has(value)) standard.set(value, path);
}

function standardValues(): void {
  if (modulesSeen < 0) addGlobals();
  // A value of a module can only be met once that module is loaded.
  const { moduleLoadList } = process as unknown as { moduleLoadList?: readonly string[] };
  if (moduleLoadList?.length !== modulesSeen) {
    const loaded = moduleLoadList && new Set(moduleLoadList);
    const require = createRequire(import.meta.url);
    for (const name of builtinModules) {
      if (unloaded.test(name) || (loaded && !loaded.has(`NativeModule ${name}`))) continue;
      const module = load(require, name);
      add(module, ["builtin", name]);
      if (isObject(module)) addMembers(module, ["builtin", name]);
    }
    modulesSeen = moduleLoadList?.length ?? 0;
  }
}

function addGlobals(): void {
  add(globalThis, ["global"]);
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!isGlobalName(name)) continue;
    const value = Object.getOwnPropertyDescriptor(globalThis, name)?.value as unknown;
    if (!isObject(value) || value === globalThis) continue;
    // A global that the user replaced is the user's.
    if (typeof value === "function" && isLanguage(name) && !isNative(value)) continue;
    add(value, ["global", name]);
    addMembers(value, ["global", name]);
    const { prototype } = value as { prototype?: unknown };
    if (typeof value === "function" && isObject(prototype)) {
      add(prototype, ["global", name, "prototype"]);
      if (isLanguage(name)) addMembers(prototype, ["global", name, "prototype"]);
    }
  }
  add(process, ["global", "process"]);
  add(process.env, ["global", "process", "env"]);
}

function isLanguage(name: string): boolean {
  return languageGlobals?.includes(name) === true;
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function load(require: NodeJS.Require, name: string): unknown {
  try {
    return require(name);
  } catch {
    return undefined;
  }
}

function addMembers(owner: object, path: readonly ["global" | "builtin", ...string[]]): void {
  for (const key of Object.getOwnPropertyNames(owner)) {
    const value = Object.getOwnPropertyDescriptor(owner, key)?.value as unknown;
    if (typeof value === "function" && key !== "constructor") add(value, [...path, key] as unknown as Encoded);
  }
}

let packages = new WeakMap<object, Encoded>();
let packagesSeen = -1;

/** Exports of the CommonJS packages this process has loaded. A user's own modules travel as code instead. */
function packageValues(): void {
  const cache = (Module as unknown as { _cache: Record<string, NodeJS.Module | undefined> })._cache;
  const files = Object.keys(cache);
  if (files.length === packagesSeen) return;
  packages = new WeakMap();
  packagesSeen = files.length;
  for (const file of files) {
    const module = cache[file];
    if (!module?.loaded || module === process.mainModule || !/[/\\]node_modules[/\\]/.test(file)) continue;
    const exports = module.exports as unknown;
    if (!isObject(exports) || packages.has(exports)) continue;
    packages.set(exports, ["package", file]);
    for (const key of Object.getOwnPropertyNames(exports)) {
      const descriptor = Object.getOwnPropertyDescriptor(exports, key);
      const isGetter = descriptor !== undefined && isBundlerExport(descriptor);
      const value = (isGetter ? Reflect.get(exports, key) : descriptor?.value) as unknown;
      if (typeof value === "function" && !packages.has(value)) packages.set(value, ["package", file, key]);
    }
  }
}

/** Takes in what was loaded since the last time; once per capture, since it lists all modules. */
export function refreshKnown(): void {
  standardValues();
  packageValues();
}

/** How a worker finds its own counterpart of the value; `undefined` when the value is none of these. */
export function knownValue(value: object): Encoded {
  return standard.get(value) ?? packages.get(value);
}

/** The module of Node's that this is the namespace of. */
export function builtinNamespace(namespace: object): Encoded {
  const main = (namespace as { default?: unknown }).default;
  const found = isObject(main) ? standard.get(main) : undefined;
  return Array.isArray(found) && found[0] === "builtin" && found.length === 2 ? found : undefined;
}

/** Is it a function that every process has? */
export function isKnownFunction(value: object): boolean {
  return knownValue(value) !== undefined;
}
