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
  if (!items.some((item) => item instanceof Frozen)) {
    try {
      return [encodeList(items, host, `items of ${name}.map`)];
    } catch (error) {
      // Again one by one, to find which.
      for (const [i, item] of items.entries()) encodeItem(item, i, host, name);
      throw error;
    }
  }
  return items.map((item, i) => (item instanceof Frozen ? item.encoded : encodeItem(item, i, host, name)));
}

function encodeItem(item: unknown, index: number, host: EncodeHost, name: string): Encoded {
  try {
    return encode(item, host, `an item of ${name}.map`);
  } catch (error) {
    throw Object.defineProperty(error as Error, "within", { value: index, enumerable: false });
  }
}
