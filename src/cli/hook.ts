/** How modules are found beyond what Node and tsx do. Runs in the program's thread, or in Node 20's thread for loaders. */
import * as nodeModule from "node:module";
import { pathToFileURL } from "node:url";

/** How a module is to be read, where its name and package would say something else. */
export interface ReadAs {
  readonly url: string;
  /** `module-typescript`: tsx compiles it, whatever its ending. */
  readonly format: "module" | "module-typescript";
}

export interface HookData {
  readonly modules: readonly ReadAs[];
}

interface Context {
  readonly parentURL?: string | undefined;
  readonly format?: string | null | undefined;
}
interface Resolved {
  url: string;
  format?: string | null | undefined;
}
interface Loaded {
  source?: unknown;
}
type MaybePromise<T> = T | Promise<T>;

let { modules }: HookData = { modules: [] };

/** Called in the thread for loaders. */
export function initialize(data: HookData): void {
  ({ modules } = data);
}

export function resolve(
  specifier: string,
  context: Context,
  next: (specifier: string, context: Context) => MaybePromise<Resolved>,
): MaybePromise<Resolved> {
  const withFormat = (resolved: Resolved): Resolved => {
    const read = modules.find(({ url }) => url === resolved.url);
    return read ? { ...resolved, format: read.format } : resolved;
  };
  const otherwise = (error: unknown): Resolved => ({ url: pathToFileURL(inThisPackage(specifier, error)).href });
  try {
    const resolved = next(specifier, context);
    return resolved instanceof Promise ? resolved.then(withFormat, otherwise) : withFormat(resolved);
  } catch (error) {
    return otherwise(error);
  }
}

/** `import.meta.main` holds in the program itself, though Node sees it imported by this package. */
export function load(
  url: string,
  context: Context,
  next: (url: string, context: Context) => MaybePromise<Loaded>,
): MaybePromise<Loaded> {
  const loaded = next(url, context);
  if (url !== modules[0]?.url) return loaded;
  const asMain = (module: Loaded): Loaded => {
    if (module.source === undefined || module.source === null) return module;
    const text =
      typeof module.source === "string" ? module.source : new TextDecoder().decode(module.source as Uint8Array);
    // As long as what it replaces, so that every place stays where it is.
    return { ...module, source: text.replaceAll(/\bimport\.meta\.main\b/g, "true/*the main*/".padEnd(16)) };
  };
  return loaded instanceof Promise ? loaded.then(asMain) : asMain(loaded);
}

/** Puts it to work. `registerHooks` (Node 22.15 and newer) asks in this thread; on Node 20 there is only the other one. */
export function hook(data: HookData): void {
  const { registerHooks, register } = nodeModule as unknown as {
    registerHooks?: (hooks: object) => void;
    register(url: string, options: { data: HookData }): void;
  };
  if (registerHooks) {
    initialize(data);
    registerHooks({ resolve, load });
    return;
  }
  register(import.meta.url, { data });
  requireThisPackage();
}

/** The same for `require`, which the other thread does not see. */
function requireThisPackage(): void {
  const Module = nodeModule.default as unknown as { _resolveFilename: (request: string, ...rest: unknown[]) => string };
  const resolveFilename = Module._resolveFilename;
  Module._resolveFilename = function (request, ...rest) {
    try {
      return resolveFilename.call(this, request, ...rest);
    } catch (error) {
      return inThisPackage(request, error);
    }
  };
}

let asking = false;

/** Where the importing file finds no girona, this package refers to itself; anything else is missing indeed. */
function inThisPackage(specifier: string, error: unknown): string {
  if (asking || !/^girona(?:\/|$)/.test(specifier)) throw error;
  asking = true;
  try {
    return nodeModule.createRequire(import.meta.url).resolve(specifier);
  } finally {
    asking = false;
  }
}
