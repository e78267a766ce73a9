/** A value copied ahead of the call that will take it: whoever made it may change it meanwhile. */
import { type Encoded, type EncodeHost, encode, encodeList } from "./codec/index.js";

export class Frozen {
  readonly encoded: Encoded;

  constructor(encoded: Encoded) {
    this.encoded = encoded;
  }
}

/** The items of a chunk as arguments: one list, or each on its own where some were copied ahead. */
export function encodeItems(items: readonly unknown[], host: EncodeHost, name: string): Encoded[] {
  if (!items.some((item) => item instanceof Frozen)) return [encodeList(items, host, `items of ${name}.map`)];
  return items.map((item) => (item instanceof Frozen ? item.encoded : encode(item, host, `an item of ${name}.map`)));
}
