/** What capture makes and revive takes: plain data, so that it can be sent once to each worker and kept there. */

/** An exported function or class by module and name: nothing is captured, the worker imports it. */
export interface ModuleSource {
  /** Usually `import.meta.url`; a file URL, its text, or an absolute path. */
  readonly module: string | URL;
  readonly name: string;
}

/** A function or class that can be sent to another process. Structured-clonable. */
export interface Portable {
  /** For display: the function's own name, or `anonymous (file.ts:12)`. */
  readonly name: string;
  /** `undefined` in the module form: only the worker sees what the export is. */
  readonly isClass: boolean | undefined;
  /** `file:line` of the user's own source; the module in the module form. */
  readonly where: string;
  /** The functions as text, one group per module; `""` in the module form. */
  readonly code: string;
  /** The `Plan`, v8-serialised: how the functions are put together again, and the values they name. */
  readonly data: Uint8Array;
  /** Captured typed arrays and buffers of 64 KiB and more, which the engine moves; `revive` gets them in this order. */
  readonly large: readonly (ArrayBufferView | ArrayBuffer)[];
  /** Values the host carries itself, in order; `revive` gets their counterparts in this order. */
  readonly external: readonly unknown[];
  /** Module form: URL of the module. */
  readonly module?: string;
  /** Module form: name of the export. */
  readonly export?: string;
  /** Where each piece of `code` stands in the user's files. */
  readonly positions: Positions;
  /** The worker needs tsx before it imports what this function imports. */
  readonly tsx: boolean;
}

/** What the capturing side asks its host. */
export interface CaptureHost {
  /** Is it a ref, an actor handle, a distributed function or class: something that the host carries itself? */
  isExternal(value: object): boolean;
}

/** A function or class, ready to travel. */
export interface Capture {
  readonly portable: Portable;
  /** Class values met, the root's own and imported ones included, in the order of `Revived.classes`. */
  readonly classes: readonly AnyFunction[];
}

/** What travelled out of band, in the order of the portable. */
export interface Parts {
  readonly large: readonly (ArrayBufferView | ArrayBuffer)[];
  readonly external: readonly unknown[];
}

/** A function or class, alive again. */
export interface Revived {
  readonly value: AnyFunction;
  /** In the order of `Capture.classes`. */
  readonly classes: readonly (AnyFunction | undefined)[];
}

// biome-ignore lint/complexity/noBannedTypes: any function or class at all, which no call signature describes
export type AnyFunction = Function;

/**
 * Five numbers per segment, sorted by place in the code: line, column (both from 0), file, line (from 1), column (from 0).
 * A file below zero (`~file`) means that the columns run along with the code's: the text there is the user's own.
 */
export interface Positions {
  readonly files: readonly string[];
  readonly segments: readonly number[];
}

/** Steps that put a revived function together: see `revive.ts`. */
export interface Plan {
  readonly imports: readonly Import[];
  /** One per function in `code`. */
  readonly modules: readonly ModulePlan[];
  /** In an order in which each can be made: a superclass before its subclass. */
  readonly functions: readonly FunctionPlan[];
  readonly nodes: readonly Node[];
  readonly buffers: readonly BufferPlan[];
  readonly root: Encoded;
  readonly classes: readonly Encoded[];
}

/** A module that the worker imports again. */
export interface Import {
  readonly specifier: string;
  /** URL of the module that imports it. */
  readonly parent: string;
  /** `interop` is what TypeScript and esbuild make of `import` in CommonJS: an ES namespace around `require`. */
  readonly kind: "import" | "require" | "interop" | "interop-node";
  readonly attributes?: Readonly<Record<string, string>>;
}

/** What a module's group of functions gets as parameters: an import by its index, or what Node gives every module. */
export type Parameter = number | "meta" | "import" | "require" | "filename" | "dirname";

export interface ModulePlan {
  readonly url: string;
  readonly parameters: readonly Parameter[];
  /** Values of the module's variables, in the order of its setters. */
  readonly values: readonly Encoded[];
}

export interface FunctionPlan {
  /** Index in `modules`. */
  readonly module: number;
  /** The superclass. */
  readonly heritage?: Encoded;
  /** Values of variables from enclosing functions and blocks, in the order of its setter. */
  readonly locals?: readonly Encoded[];
  /** Values of its static `#private` fields. */
  readonly privates?: readonly Encoded[];
  /** What it inherits from, when that was changed. */
  readonly parent?: Encoded;
  readonly properties?: readonly Property[];
  readonly prototype?: PrototypePlan;
  readonly integrity?: Integrity;
}

/** What differs from the prototype that the code alone gives. */
export interface PrototypePlan {
  readonly parent?: Encoded;
  readonly properties: readonly Property[];
  readonly integrity?: Integrity;
}

/** Key, value, and the flags when they are not the usual ones; or key, getter, setter, flags. */
export type Property =
  | readonly [key: Encoded, value: Encoded, flags?: number]
  | readonly [key: Encoded, get: Encoded, flags: number, set: Encoded];

/** `closed`: not extensible. */
export type Integrity = "frozen" | "sealed" | "closed";

/** A primitive as it is, or what stands for anything else: always an array, which no primitive is. */
export type Encoded =
  | undefined
  | null
  | boolean
  | number
  | string
  | bigint
  | readonly ["function", number]
  | readonly ["node", number]
  | readonly ["external", number]
  | readonly ["import", index: number, member?: string]
  | readonly ["global", ...path: string[]]
  | readonly ["builtin", module: string, ...path: string[]]
  | readonly ["package", file: string, ...path: string[]]
  | readonly ["prototype", of: Encoded]
  | readonly ["helper", kind: "meta" | "import" | "require", url: string]
  | readonly ["symbol", key: string]
  | readonly ["well-known", name: string];

export interface Node {
  readonly make: Make;
  readonly properties?: readonly Property[];
  readonly integrity?: Integrity;
}

/** How a value is made before its properties are set. */
export type Make =
  | readonly ["data", unknown]
  | readonly ["object", prototype: Encoded]
  | readonly ["array", length: number]
  | readonly ["map", readonly (readonly [Encoded, Encoded])[]]
  | readonly ["set", readonly Encoded[]]
  | readonly ["error", prototype: Encoded]
  | readonly ["date", time: number]
  | readonly ["regexp", source: string, flags: string, lastIndex: number]
  | readonly ["buffer", buffer: number]
  | readonly ["view", type: string, buffer: number, offset: number, length: number]
  | readonly ["bound", target: Encoded, self: Encoded, args: readonly Encoded[]]
  | readonly ["url", string]
  | readonly ["search", string]
  | readonly ["encoder"]
  | readonly ["decoder", encoding: string, options: { readonly fatal: boolean; readonly ignoreBOM: boolean }];

/** The bytes of one ArrayBuffer: in line, or the index in `Portable.large` of what covers all of it. */
export type BufferPlan = Uint8Array | number;
