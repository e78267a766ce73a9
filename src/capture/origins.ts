/**
 * What revived code was given, remembered by identity, so that a function written inside a revived one can be captured
 * again: its `$import0` is then known to be that import, not an object to copy.
 */
import type { Encoded, Import, Portable } from "./portable.js";

export type Origin =
  | { readonly import: Import; readonly member?: string }
  | { readonly helper: Extract<Encoded, readonly ["helper", ...unknown[]]> };

const origins = new WeakMap<object, Origin>();
const revivedCode = new Map<string, { portable: Portable; urls: readonly string[] }>();

export function remember(value: unknown, origin: Origin): void {
  if ((typeof value === "object" && value !== null) || typeof value === "function") {
    if (!origins.has(value)) origins.set(value, origin);
  }
}

export function originOf(value: object): Origin | undefined {
  return origins.get(value);
}

/** Called by `revive` under the name that the code has in stacks. */
export function rememberCode(name: string, portable: Portable, urls: readonly string[]): void {
  revivedCode.set(name, { portable, urls });
}

/** The portable that code named `girona:fn3` came from, and the URL of each of its modules. */
export function codeNamed(name: string): { portable: Portable; urls: readonly string[] } | undefined {
  return revivedCode.get(name);
}
