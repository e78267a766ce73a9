/** Imports as a module of the user's would make them, from a process that is not in that module. */
import { createRequire, isBuiltin } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Import } from "./portable.js";

/** What Node gives each module, for one that is not there itself. */
export interface Meta {
  readonly url: string;
  readonly filename: string | undefined;
  readonly dirname: string | undefined;
  resolve(specifier: string): string;
}

/** A module without a file, such as a line of the REPL, imports from the working directory. */
function baseOf(parent: string): string {
  return /^(?:file|data|https?):/.test(parent) ? parent : pathToFileURL(`${process.cwd()}/`).href;
}

export function metaOf(url: string): Meta {
  const filename = url.startsWith("file:") ? fileURLToPath(withoutQuery(url)) : undefined;
  return {
    url,
    filename,
    dirname: filename === undefined ? undefined : dirname(filename),
    resolve: (specifier) => resolve(specifier, url),
  };
}

export function requireOf(url: string): NodeJS.Require {
  return createRequire(withoutQuery(baseOf(url)));
}

/** Imports a module, with tsx at hand if it may take TypeScript to do so. */
export async function load(wanted: Import, tsx: boolean): Promise<unknown> {
  const { specifier, parent, kind, attributes } = wanted;
  if (tsx && !isBuiltin(specifier)) await (kind === "import" ? tsxForImport() : tsxForRequire());
  if (kind === "import") {
    const module = (await import(resolve(specifier, parent), { with: { ...attributes } })) as object;
    return tsx ? asStaticImport(module) : module;
  }
  const required: unknown = requireOf(parent)(specifier);
  return kind === "require" ? required : namespaceOf(required, kind === "interop-node");
}

/**
 * On Node 20 a TypeScript module that tsx compiles to CommonJS has nothing but a default export, the whole of it, for who
 * imports it with `import()`; a static import finds its names. What the user's own module found is found here.
 */
function asStaticImport(module: object): object {
  const { default: whole, ...others } = module as { default?: unknown };
  const compiled = typeof whole === "object" && whole !== null && "__esModule" in whole;
  return compiled && Object.keys(others).length === 0 ? whole : module;
}

/** `import(specifier)` as it stands in a module. */
export function importFunction(
  url: string,
  tsx: boolean,
): (specifier: string, options?: ImportCallOptions) => Promise<unknown> {
  return (specifier, options) =>
    load(
      {
        specifier: String(specifier),
        parent: url,
        kind: "import",
        ...(options?.with && { attributes: options.with as Record<string, string> }),
      },
      tsx,
    );
}

export function resolve(specifier: string, parent: string): string {
  if (isBuiltin(specifier) || /^(?:data|https?|file):/.test(specifier)) return specifier;
  if (specifier.startsWith("/")) return pathToFileURL(specifier).href;
  // The second argument needs --experimental-import-meta-resolve; without it Node would resolve from this file.
  if (!canResolve()) {
    throw new Error(
      "this process was started without --experimental-import-meta-resolve, which importing for others needs",
    );
  }
  return import.meta.resolve(specifier, baseOf(parent));
}

let resolves: boolean | undefined;

function canResolve(): boolean {
  resolves ??= import.meta.resolve("./probe.js", "file:///elsewhere/") === "file:///elsewhere/probe.js";
  return resolves;
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/)[0] ?? url;
}

// tsx takes 140 ms to start, so only once something is imported that may be TypeScript. Both halves, since either kind
// of module may import the other.
let registered: Promise<void> | undefined;

function tsxForImport(): Promise<void> {
  registered ??= (async () => {
    const [esm, cjs] = await Promise.all([import("tsx/esm/api"), import("tsx/cjs/api")]);
    cjs.register();
    esm.register();
  })();
  return registered;
}

const tsxForRequire = tsxForImport;

/** The ES namespace that TypeScript and esbuild give to what `require` returned. */
function namespaceOf(required: unknown, nodeMode: boolean): object {
  const source = required as Record<string, unknown>;
  const namespace: Record<string, unknown> = {};
  if (nodeMode || !source?.["__esModule"])
    Object.defineProperty(namespace, "default", { value: required, enumerable: true });
  for (const key of Object.getOwnPropertyNames(source ?? {})) {
    if (Object.hasOwn(namespace, key)) continue;
    Object.defineProperty(namespace, key, { get: () => source[key], enumerable: true, configurable: true });
  }
  return namespace;
}
