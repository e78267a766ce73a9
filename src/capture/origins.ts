/**
 * What revived code was given, remembered by identity, so that a function written inside a revived one can be captured
 * again: its `$import0` is then known to be that import, not an object to copy.
 */
import type { Encoded, Import, Positions } from "./portable.js";

export type Origin =
  | { readonly import: Import; readonly member?: string }
  | { readonly helper: Extract<Encoded, readonly ["helper", ...unknown[]]> };

interface Code {
  readonly positions: Positions;
  /** Of each module in the code. */
  readonly urls: readonly string[];
}

interface Registry {
  readonly origins: WeakMap<object, Origin>;
  readonly code: Map<string, Code>;
}

// On the global object: a worker's own bundle revives, and the `girona` that the user's code imports there captures.
const key = Symbol.for("girona.origins");
const holder = globalThis as { [key]?: Registry };
holder[key] ??= { origins: new WeakMap(), code: new Map() };
const { origins, code } = holder[key];

export function remember(value: unknown, origin: Origin): void {
  if ((typeof value === "object" && value !== null) || typeof value === "function") {
    if (!origins.has(value)) origins.set(value, origin);
  }
}

export function originOf(value: object): Origin | undefined {
  return origins.get(value);
}

/** Gives revived code the name that it has in stacks. */
export function nameCode(facts: Code): string {
  const name = `girona:fn${code.size + 1}`;
  code.set(name, facts);
  return name;
}

/** What is known of the code named `girona:fn3`. */
export function codeNamed(name: string): Code | undefined {
  return code.get(name);
}
