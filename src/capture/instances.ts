/** Can an instance of a class be copied from outside, property by property? */
import { closedReason } from "./found.js";
import { isNative } from "./native.js";
import type { AnyFunction } from "./portable.js";

/** Why not, in words; `undefined` when it can. Looks at the parents too. */
export function instanceProblem(Class: AnyFunction): string | undefined {
  for (
    let at: AnyFunction | null = Class;
    at && at !== Function.prototype;
    at = Object.getPrototypeOf(at) as AnyFunction | null
  ) {
    if (isNative(at))
      return at === Error || at.prototype instanceof Error ? undefined : `it extends ${at.name}, a built-in`;
    const closed = closedReason(at);
    if (closed) return `${closed.reason}. ${closed.advice}`;
  }
  return undefined;
}
