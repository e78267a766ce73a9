/**
 * How values look in a message. The first byte is the form; in the own forms each value is a tag and what that needs, numbers
 * in the byte order of the machine (all ranks of a job have the same).
 */

export const form = {
  /** One value. The numbers are none that data is likely to begin with. */
  own: 0xd1,
  /** The length of what is before the arrays (uint32), one value, then the arrays, each from a multiple of 8 on. */
  ownWithArrays: 0xd2,
  /** V8's serialisation. */
  v8: 0xd3,
} as const;

export const tag = {
  undefined: 0,
  null: 1,
  true: 2,
  false: 3,
  /** int32 */
  integer: 4,
  /** float64 */
  double: 5,
  /** int64 */
  bigint: 6,
  /** Length (uint8), a byte for each character. */
  short: 7,
  /** Length (uint32), a byte for each character. */
  latin: 8,
  /** Length in bytes (uint32), UTF-16. */
  wide: 9,
  /** Length (uint32), then the values. */
  array: 10,
  /** Length (uint32), then float64s. */
  doubles: 11,
  /** Number of properties (uint32), then a text and a value for each. */
  object: 12,
  /** Kind (uint8), bytes (uint32), then these. */
  typed: 13,
  /** Kind (uint8), bytes (float64); the bytes are among the arrays at the end. */
  typedBeside: 14,
} as const;

/** Typed arrays by the number that stands for them, which is N-API's. */
export const typedKinds = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
] as const;

/** Arrays of so many bytes and more are sent from where they lie. */
export const besideBytes = 32_768;

/** What small messages are made in and received in; larger ones, received, have memory of their own. */
export const scratchBytes = 65_536;

/** The next multiple of 8. */
export const aligned = (bytes: number) => bytes + ((8 - (bytes % 8)) % 8);
