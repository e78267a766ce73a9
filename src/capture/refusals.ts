/** Objects that live in one process only, each refused with what to do instead. */
import { types } from "node:util";
import { closedReason } from "./found.js";
import { knownValue } from "./known.js";
import { isNative } from "./native.js";
import type { AnyFunction } from "./portable.js";
import { refuse, type Trail } from "./trail.js";

export function refuseShared(trail: Trail): never {
  return refuse(
    trail,
    "it is shared memory (a SharedArrayBuffer), which cannot be shared with another process",
    "Copy it into an ordinary array, or store it once with put() and pass the ref.",
  );
}

/** Refuses what holds something that is going on, or that only this process can reach. */
export function refuseLiving(value: object, trail: Trail): void {
  if (types.isSharedArrayBuffer(value)) refuseShared(trail);
  if (types.isPromise(value)) refuse(trail, "it is a Promise", "Await it first, and capture its value.");
  if (types.isWeakMap(value) || types.isWeakSet(value) || value instanceof WeakRef) {
    refuse(trail, "it is a weak collection, whose content cannot be listed", "Use a Map or Set, or make it inside.");
  }
  if (types.isGeneratorObject(value)) {
    refuse(trail, "it is a running generator", "Collect it into an array first, or call its function inside.");
  }
  const tag = Object.prototype.toString.call(value);
  if (/ Iterator(?: Helper)?\]$/.test(tag))
    refuse(trail, "it is a running iterator", "Collect it into an array first.");
  if (types.isBoxedPrimitive(value))
    refuse(trail, "it is an object around a primitive", "Capture the primitive itself.");
  if (types.isExternal(value)) refuse(trail, "it is an object of a native addon", "Make it inside the function.");
  if (types.isArgumentsObject(value)) refuse(trail, "it is an arguments object", "Copy it: [...arguments].");
  if (types.isModuleNamespaceObject(value)) {
    refuse(
      trail,
      "it is a module that was not imported by a static import",
      'Import it with `import * as name from "..."`, or import it inside the function.',
    );
  }
  if (value instanceof AbortController || value instanceof AbortSignal) {
    refuse(
      trail,
      `it is an ${value.constructor.name}, which works in its own process only`,
      "Pass it as an option instead: distribute(f, { signal }).",
    );
  }
}

function adviceFor(name: string): string {
  if (/^(?:Array|Map|Set|Date|RegExp|ArrayBuffer|[A-Za-z0-9]+Array)$/.test(name)) {
    return `Capture a plain ${name} of the same content, and make the instance inside the function.`;
  }
  return "Make it inside the function, from what it was made of.";
}

function article(name: string): string {
  return /^[AEIOU]/i.test(name) ? "an" : "a";
}

/** Refuses instances whose classes keep part of them where it cannot be read: in `#private` fields, in V8, in Node. */
export function refuseClosed(value: object, trail: Trail): void {
  let lower: AnyFunction | undefined;
  for (let level = Object.getPrototypeOf(value) as object | null; level && level !== Object.prototype; ) {
    const owner = Object.getOwnPropertyDescriptor(level, "constructor")?.value as unknown;
    const standard = Array.isArray(knownValue(level)) || (typeof owner === "function" && isNative(owner));
    const name = typeof owner === "function" ? owner.name : "native object";
    if (standard && !allowed(value, level)) {
      refuse(
        trail,
        lower
          ? `it is an instance of ${lower.name}, a subclass of ${name}, whose content cannot be copied from outside`
          : `it is ${article(name)} ${name}, which stays in its process`,
        adviceFor(name),
      );
    }
    if (!standard && typeof owner === "function" && owner.prototype === level) {
      const closed = closedReason(owner);
      if (closed) refuse(trail, closed.reason, closed.advice);
      lower = owner;
    }
    level = Object.getPrototypeOf(level) as object | null;
  }
}

/** Arrays, maps, sets, dates, regular expressions and errors are made by `makeOf`, unless a class of the user's stands between. */
function allowed(value: object, level: object): boolean {
  if (types.isNativeError(value)) return /Error$/.test((level as { constructor: AnyFunction }).constructor.name);
  return Object.getPrototypeOf(value) === level && isBuiltIn(value);
}

function isBuiltIn(value: object): boolean {
  return (
    Array.isArray(value) || types.isMap(value) || types.isSet(value) || types.isDate(value) || types.isRegExp(value)
  );
}
