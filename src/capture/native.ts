import type { AnyFunction } from "./portable.js";

const nativeText = /\{\s*\[native code\]\s*\}$/;

/** Is it a function without a JavaScript source: of V8, of an addon, or bound? */
export function isNative(fn: AnyFunction): boolean {
  return nativeText.test(Function.prototype.toString.call(fn));
}

/** What bundlers make of an export: a getter that returns a variable, and does nothing else. */
export function isBundlerExport({ get, set }: PropertyDescriptor): boolean {
  return (
    get !== undefined &&
    set === undefined &&
    /^\(\)\s*=>\s*[\w$.]+(?:\[[\w$]+\])?$/.test(Function.prototype.toString.call(get))
  );
}

/** Is it a class, as opposed to a function? Only a class has a prototype that cannot be replaced. */
export function isClass(value: unknown): value is AnyFunction {
  return (
    typeof value === "function" &&
    Object.getOwnPropertyDescriptor(value, "prototype")?.writable === false &&
    !isNative(value)
  );
}

/** The name a function has of its own; not a static method called `name`. */
export function ownName(fn: AnyFunction): string {
  const name = Object.getOwnPropertyDescriptor(fn, "name")?.value as unknown;
  return typeof name === "string" ? name : "";
}
