/** The value that a variable around a function has now. */
import type { Node } from "acorn";
import type { Declaration } from "./declarations.js";
import type { FreeName } from "./free.js";
import type { Inspected } from "./inspect.js";
import { functionAround } from "./module.js";
import { asUrl, type Script } from "./script.js";
import { refuse, type Trail } from "./trail.js";

export interface Free {
  readonly script: Script;
  readonly inspected: Inspected;
  readonly free: FreeName;
  /** `undefined` when no scope of the script declares it. */
  readonly around: { readonly declaration: Declaration; readonly scope: Node } | undefined;
  readonly trail: Trail;
}

/** `absent`: a name that exists nowhere, and is only asked for with `typeof`. */
export type Read = { readonly kind: "value"; readonly value: unknown } | { readonly kind: "absent" };

export function readVariable(wanted: Free): Read {
  const { free, around, trail, inspected } = wanted;
  const { name } = free;
  if (name === "module" && !around) {
    refuse(trail, "it is the CommonJS module of this process", "Name what you need from it in a const.");
  }
  const scope = inspected.scopes().find((one) => Object.hasOwn(one, name));
  const isShared = !around && (scope !== undefined || Object.hasOwn(globalThis, name));
  if (isShared && free.assigned !== undefined) {
    refuse(
      trail,
      "the function assigns it, and it is global to this process: each worker would change a copy of its own",
      "Return the value instead, or keep the state in a distributed class.",
    );
  }
  if (scope) {
    const value = readOrRefuse(scope, wanted);
    if (value === undefined && around?.declaration.initialised && isBefore(wanted, around)) notYet(trail);
    return { kind: "value", value };
  }
  if (Object.hasOwn(globalThis, name)) return { kind: "value", value: Reflect.get(globalThis, name) };
  if (free.typeofOnly) return { kind: "absent" };
  if (around) {
    return refuse(
      trail,
      "its value cannot be read from outside",
      "Export the function and distribute it by name: distribute({ module: import.meta.url, name: ... }).",
    );
  }
  return refuse(
    trail,
    "it is not defined in this process",
    "If it exists in the worker only, write globalThis.name instead of the bare name.",
  );
}

function readOrRefuse(scope: Readonly<Record<string, unknown>>, { free, trail }: Free): unknown {
  try {
    return scope[free.name];
  } catch (error) {
    if (error instanceof ReferenceError) return notYet(trail);
    throw error;
  }
}

function notYet(trail: Trail): never {
  return refuse(
    trail,
    "it has no value yet: the program has not come to its declaration",
    "Move the declaration above the call.",
  );
}

/**
 * Is the program, in the function that declares the variable, still before the declaration? V8 shows such a variable as
 * undefined on Node 20, and on every Node when a compiler has made a `var` of it.
 */
function isBefore({ script }: Free, { declaration, scope }: NonNullable<Free["around"]>): boolean {
  const home = functionAround(script, scope.start);
  const frame = frames().find(
    ({ name, offset }) => asUrl(name) === script.url && functionAround(script, offset) === home,
  );
  return frame !== undefined && frame.offset < declaration.end;
}

/** The places in scripts that are running now, the innermost first, without any source map. */
function frames(): { name: string; offset: number }[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 200;
    Error.prepareStackTrace = (_error, sites) => sites;
    const sites = new Error().stack as unknown as (NodeJS.CallSite & { getPosition(): number })[];
    return sites.map((site) => ({ name: site.getScriptNameOrSourceURL() ?? "", offset: site.getPosition() }));
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}
