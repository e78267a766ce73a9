/** Would V8's serialiser copy this without losing anything? */
import { inspect, types } from "node:util";

// Beyond this V8's serialiser, which recurses, runs out of stack.
const maxDepth = 500;

/**
 * True for plain objects, arrays, maps, sets and dates of primitives and of each other, however they are linked, as long
 * as every object in them is ordinary: extensible, with only ordinary properties, of no class, and not `special`.
 *
 * @param notPlain what is known not to be; what this call finds is added.
 */
export function isPlainData(value: object, special: (inner: object) => boolean, notPlain: WeakSet<object>): boolean {
  if (notPlain.has(value)) return false;
  const parents = new Map<object, object | undefined>([[value, undefined]]);
  // One level of nesting after the other, not recursion: linked lists are deep.
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const next: object[] = [];
    for (const item of level) {
      const check = (inner: unknown): boolean => {
        if (typeof inner === "symbol" || typeof inner === "function") return false;
        if (typeof inner === "object" && inner !== null && !parents.has(inner)) {
          parents.set(inner, item);
          next.push(inner);
        }
        return true;
      };
      if (depth > maxDepth || notPlain.has(item) || !isOrdinary(item, special) || !contentIs(item, check)) {
        // Nor is anything on the way to it, which would else be looked through again and again.
        for (let outer: object | undefined = item; outer; outer = parents.get(outer)) notPlain.add(outer);
        return false;
      }
    }
    level = next;
  }
  return true;
}

function isOrdinary(value: object, special: (inner: object) => boolean): boolean {
  return !types.isProxy(value) && Object.isExtensible(value) && !special(value);
}

function contentIs(value: object, check: (inner: unknown) => boolean): boolean {
  const prototype = Object.getPrototypeOf(value) as unknown;
  if (Array.isArray(value)) {
    if (prototype !== Array.prototype || hasExtraKeys(value)) return false;
    for (const item of value) if (!check(item)) return false;
    return true;
  }
  if (prototype === Object.prototype && !types.isArgumentsObject(value) && !types.isExternal(value)) {
    for (const key of Reflect.ownKeys(value)) {
      const descriptor = Object.getOwnPropertyDescriptor(value, key);
      if (typeof key === "symbol" || !descriptor?.writable || !descriptor.enumerable || !descriptor.configurable) {
        return false;
      }
      if (!check(descriptor.value)) return false;
    }
    return Object.prototype.toString.call(value) === "[object Object]";
  }
  if (Reflect.ownKeys(value).length > 0) return false;
  if (prototype === Map.prototype && types.isMap(value)) {
    for (const [key, item] of value) if (!check(key) || !check(item)) return false;
    return true;
  }
  if (prototype === Set.prototype && types.isSet(value)) {
    for (const item of value) if (!check(item)) return false;
    return true;
  }
  return prototype === Date.prototype && types.isDate(value);
}

/** Properties besides the elements? Listing the keys of a long array takes longer than sending it, so V8 is asked. */
function hasExtraKeys(array: readonly unknown[]): boolean {
  if (array.length <= 100) return Reflect.ownKeys(array).length - 1 > array.length || hasOddElement(array);
  if (Object.getOwnPropertySymbols(array).length > 0) return true;
  const text = inspect(array, { maxArrayLength: 0, depth: 0, customInspect: false, showHidden: false });
  return !/^\[\s*\.\.\. \d+ more items?\s*\]$/.test(text);
}

/** An element that is not an ordinary property, such as a getter. */
function hasOddElement(array: readonly unknown[]): boolean {
  return Object.keys(array).length !== Reflect.ownKeys(array).length - 1;
}
