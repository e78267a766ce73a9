/** Encoded values: primitives travel as they are, everything else as a payload of bytes and things beside them. */
import type { Held } from "../held.js";

/** Bytes kept outside the message: another process maps or reads them. */
export interface Segment {
  readonly bytes: number;
  /** A private, writable copy-on-write view of it. */
  map(): ArrayBuffer;
}

/** A function or class that the engine knows by number. */
export interface CodeRef {
  readonly kind: "code";
  readonly id: number;
}

/** A handle that the layer above carries: a distributed function or an actor. */
export interface HandleRef {
  readonly kind: "function" | "class" | "module" | "actor";
  /** The code's or the actor's number. */
  readonly id: number;
  /** Its options, as plain data. */
  readonly options: unknown;
  /** The code of a function, class, or of the actor's class, so that it is known where the handle goes. */
  readonly code: CodeRef | undefined;
}

/** What lies beside the bytes, by index. */
export type Side = Segment | Held | CodeRef | HandleRef;

/** How the bytes are read. */
export const Form = {
  /** V8's serialisation of the value. */
  plain: 0,
  /** V8's serialisation of the value with the list of instances and errors to be finished. */
  finished: 1,
  /** An array of numbers as doubles. */
  numbers: 2,
} as const;
export type Form = (typeof Form)[keyof typeof Form];

const none: readonly Side[] = Object.freeze([]);

export class Payload {
  readonly form: Form;
  readonly bytes: Uint8Array;
  readonly sides: readonly Side[];

  constructor(form: Form, bytes: Uint8Array, sides: readonly Side[] = none) {
    this.form = form;
    this.bytes = bytes;
    this.sides = sides;
  }

  /** Bytes in the message and beside it. */
  get size(): number {
    let size = this.bytes.byteLength;
    for (const side of this.sides) if ("map" in side) size += side.bytes;
    return size;
  }
}

/** A value ready to travel. */
export type Encoded = undefined | null | boolean | number | string | Payload;

export function isPrimitive(value: unknown): value is undefined | null | boolean | number | string {
  switch (typeof value) {
    case "number":
    case "string":
    case "boolean":
    case "undefined":
      return true;
    default:
      return value === null;
  }
}
