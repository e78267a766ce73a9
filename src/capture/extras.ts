/** What a function or class has beyond its text: properties, static fields, and what was done to its prototype. */
import type * as Acorn from "acorn";
import { asClass, isFromText, staticPrivateFields } from "./classes.js";
import type { Found } from "./found.js";
import { ownName } from "./native.js";
import type { AnyFunction, FunctionPlan, PrototypePlan } from "./portable.js";
import { integrityOf } from "./properties.js";
import type { Trail } from "./trail.js";
import type { Values } from "./values.js";

type Extras = Pick<FunctionPlan, "parent" | "properties" | "privates" | "prototype" | "integrity">;

export function extrasOf(found: Found, values: Values, trail: Trail): Extras {
  const plan: { -readonly [K in keyof Extras]: Extras[K] } = {};
  const { fn, script, node, inspected } = found;
  const klass = asClass(node);
  const isOwnStatic = klass ? isFromText(script, klass, true) : () => false;
  const hasPlainPrototype = isPlainPrototype(fn);
  const given = (node as Acorn.FunctionExpression).id?.name ?? ownName(fn);
  const properties = values.properties(
    fn,
    trail,
    (key, descriptor) =>
      key === "length" ||
      key === "arguments" ||
      key === "caller" ||
      (key === "name" && (descriptor.value === given || descriptor.value === "")) ||
      (key === "prototype" && hasPlainPrototype) ||
      isOwnStatic(key, descriptor),
    true,
  );
  if (properties.length > 0) plan.properties = properties;
  const parent = Object.getPrototypeOf(fn) as object | null;
  if (!klass?.superClass && !isFunctionPrototype(parent)) plan.parent = values.encode(parent, trail);
  if (klass) {
    const fields = staticPrivateFields(klass);
    if (fields.length > 0) {
      const current = inspected.privates();
      plan.privates = fields.map((name) =>
        values.encode(current.get(name), { ...trail, variable: `${fn.name}.${name}` }),
      );
    }
  }
  const prototype = hasPlainPrototype ? prototypeOf(found, values, trail) : undefined;
  if (prototype) plan.prototype = prototype;
  const integrity = integrityOf(fn);
  if (integrity) plan.integrity = integrity;
  return plan;
}

function prototypeOf({ fn, script, node }: Found, values: Values, trail: Trail): PrototypePlan | undefined {
  const prototype = (fn as { prototype?: object }).prototype;
  if (!prototype) return undefined;
  const klass = asClass(node);
  const isOwn = klass ? isFromText(script, klass, false) : () => false;
  const at: Trail = { ...trail, variable: `${trail.variable}.prototype` };
  const properties = values.properties(prototype, at, (key, d) => key === "constructor" || isOwn(key, d), true);
  const parent = Object.getPrototypeOf(prototype) as object | null;
  const isUsual = parent === usualParent(fn, klass) || (node as Acorn.FunctionExpression).generator === true;
  const integrity = integrityOf(prototype);
  if (properties.length === 0 && isUsual && !integrity) return undefined;
  return {
    properties,
    ...(!isUsual && { parent: values.encode(parent, at) }),
    ...(integrity && { integrity }),
  };
}

/** What the prototype of a class or function inherits from, unless somebody changed that. */
function usualParent(fn: AnyFunction, klass: Acorn.Class | undefined): unknown {
  if (!klass?.superClass) return Object.prototype;
  const parent = Object.getPrototypeOf(fn) as { prototype?: unknown };
  return parent === Function.prototype ? null : parent.prototype;
}

/** `Function.prototype`, or that of async and generator functions. */
function isFunctionPrototype(parent: object | null): boolean {
  return (
    parent === Function.prototype ||
    (/Function\]$/.test(Object.prototype.toString.call(parent)) && typeof parent === "object")
  );
}

/** Has it the prototype object that it was made with? */
function isPlainPrototype(fn: AnyFunction): boolean {
  const prototype = (fn as { prototype?: unknown }).prototype;
  if (typeof prototype !== "object" || prototype === null) return true;
  const owner = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value as unknown;
  return owner === fn || /Generator/.test(Object.prototype.toString.call(prototype));
}
