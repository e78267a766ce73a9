/** A function in its script: where its text stands, and the module around it. */
import type { Node } from "acorn";
import { asClass, instancePrivate } from "./classes.js";
import { freedomOf } from "./free.js";
import { type Inspected, locate, scriptName } from "./inspect.js";
import { type Module, moduleOf } from "./module.js";
import { isNative } from "./native.js";
import type { AnyFunction } from "./portable.js";
import { pathTo, placeOf, type Script, scriptOf, userName } from "./script.js";
import { named, refuse, shown, type Trail } from "./trail.js";

export interface Found {
  readonly fn: AnyFunction;
  readonly inspected: Inspected;
  readonly script: Script;
  readonly module: Module;
  /** From the program to the function itself. */
  readonly path: readonly Node[];
  readonly node: Node;
}

/** Finds a function's text, and refuses what cannot run outside of where it stands. */
export function find(fn: AnyFunction, inspected: Inspected, trail: Trail): Found {
  const name = fn.name === "" ? "it" : fn.name;
  const { location } = inspected;
  if (!location || isNative(fn)) {
    return refuse(trail, `${name} is a native function, which has no source`, "Wrap it: (x) => native(x).");
  }
  if (/^node:/.test(scriptName(location.scriptId))) {
    return refuse(
      trail,
      `${name} is an internal function of Node.js`,
      "Import what it belongs to inside the function.",
    );
  }
  const script = scriptOf(location.scriptId);
  const path = pathTo(script, Function.prototype.toString.call(fn), location);
  const node = path?.at(-1);
  if (!path || !node) {
    return refuse(
      trail,
      `the source of ${name} was not found in ${shown(script.url)}`,
      "Distribute it by name: distribute({ module: import.meta.url, name: ... }).",
    );
  }
  const found: Found = { fn, inspected, script, module: moduleOf(script, path), path, node };
  const at: Trail = { ...trail, place: () => placeOf(script, node.start) };
  if (path.some((outer) => outer.type === "WithStatement")) {
    refuse(at, "it is written inside a `with` statement, whose names cannot be known", "Move it out.");
  }
  for (const { offset, variable, reason, advice } of freedomOf(node).troubles) {
    refuse(named(trail, variable, script, offset), reason, advice);
  }
  return found;
}

/** Why an instance of the class cannot be copied from outside, in words; `undefined` when it can. */
export function closedReason(owner: AnyFunction): { reason: string; advice: string } | undefined {
  const location = locate(owner);
  if (!location) return undefined;
  const { name } = owner;
  if (/^node:/.test(scriptName(location.scriptId))) {
    return {
      reason: `it is an object of Node.js (${name}), which stays in its process, as open files, sockets and streams do`,
      advice: "Make it inside the function.",
    };
  }
  const script = scriptOf(location.scriptId);
  const node = pathTo(script, Function.prototype.toString.call(owner), location)?.at(-1);
  const klass = node && asClass(node);
  const hidden = klass && instancePrivate(klass);
  if (!hidden) return undefined;
  return {
    reason: `it is an instance of ${name}, whose ${userName(script, hidden.offset, hidden.name)} cannot be read from outside`,
    advice: `Make the instance inside the function, or distribute ${name} itself.`,
  };
}
