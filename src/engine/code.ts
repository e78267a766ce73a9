/** What can be made known to an engine. */

export type AnyFunction = (...args: never) => unknown;
export type AnyClass = abstract new (...args: never) => unknown;

/** An exported function or class by module and name: nothing is captured, the worker imports it. */
export interface ModuleSource {
  /** Usually `import.meta.url`. */
  readonly module: string | URL;
  readonly name: string;
}

export type CodeSource = AnyFunction | AnyClass | ModuleSource;

/** How to tell handles of the layer above from values; set once by that layer. */
export interface HandleKinds {
  /** `undefined` when it is no handle. */
  describe(value: object): HandleDescription | undefined;
  /** Makes the handle again where it arrived. */
  revive(description: HandleDescription, engine: unknown): unknown;
}

export interface HandleDescription {
  readonly kind: "function" | "class" | "module" | "actor";
  /** The source of a function or class, before the engine knows it. */
  readonly source: CodeSource | undefined;
  /** The engine's own object: code or actor. */
  readonly target: unknown;
  /** Plain data. */
  readonly options: unknown;
}

let kinds: HandleKinds | undefined;

export function setHandleKinds(value: HandleKinds): void {
  kinds = value;
}

export function handleKinds(): HandleKinds | undefined {
  return kinds;
}
