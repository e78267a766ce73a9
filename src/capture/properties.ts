/** Keys and flags of properties, and whether an object is frozen. */
import type { Encoded, Integrity } from "./portable.js";
import { refuse, type Trail } from "./trail.js";

/** A symbol that every process has. */
export function encodeSymbol(value: symbol, trail: Trail): Encoded {
  const key = Symbol.keyFor(value);
  if (key !== undefined) return ["symbol", key];
  const { description = "" } = value;
  const name = description.replace(/^Symbol\./, "");
  if ((Symbol as unknown as Record<string, unknown>)[name] === value) return ["well-known", name];
  return refuse(
    trail,
    `${String(value)} is a unique symbol, which no other process can have`,
    `Make it with Symbol.for(${JSON.stringify(description || "name")}).`,
  );
}

const flag = { writable: 1, enumerable: 2, configurable: 4 } as const;
/** Writable, enumerable, configurable. */
export const usualFlags = 7;
/** Writable and configurable. */
export const hiddenFlags = flag.writable | flag.configurable;

export function flagsOf({ writable, enumerable, configurable, get, set }: PropertyDescriptor): number {
  const canWrite = writable || get !== undefined || set !== undefined;
  return (canWrite ? flag.writable : 0) | (enumerable ? flag.enumerable : 0) | (configurable ? flag.configurable : 0);
}

/** Frozen, sealed, not extensible, or none of these. */
export function integrityOf(value: object): Integrity | undefined {
  if (Object.isExtensible(value)) return undefined;
  if (Object.isFrozen(value)) return "frozen";
  return Object.isSealed(value) ? "sealed" : "closed";
}
