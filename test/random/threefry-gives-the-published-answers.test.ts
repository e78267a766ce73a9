import { expect, test } from "vitest";
import { counterOf, fillBlocks, type Key, purposes } from "../../src/random/threefry.ts";

// The lines "threefry4x32 20" of kat_vectors, the known answers of Random123
// (https://github.com/DEShawResearch/random123/blob/9545ff6413f258be2f04c1d319d99aaef7521150/tests/kat_vectors).
test.each([
  {
    counter: "00000000 00000000 00000000 00000000",
    key: "00000000 00000000 00000000 00000000",
    answer: "9c6ca96a e17eae66 fc10ecd4 5256a7d8",
  },
  {
    counter: "ffffffff ffffffff ffffffff ffffffff",
    key: "ffffffff ffffffff ffffffff ffffffff",
    answer: "2a881696 57012287 f6c7446e a16a6732",
  },
  {
    counter: "243f6a88 85a308d3 13198a2e 03707344",
    key: "a4093822 299f31d0 082efa98 ec4e6c89",
    answer: "59cd1dbb b8879579 86b5d00c ac8b6d84",
  },
])("counter $counter, key $key", ({ counter, key, answer }) => {
  const words = (text: string) => text.split(" ").map((word) => Number.parseInt(word, 16)) as unknown as Key;
  const out = new Int32Array(4);
  fillBlocks(out, 1, words(key), words(counter));
  expect([...new Uint32Array(out)]).toEqual(words(answer));
});

test("consecutive blocks carry into the second word of the counter", () => {
  const key: Key = [1, 2, 3, 4];
  const three = new Int32Array(12);
  fillBlocks(three, 3, key, counterOf(purposes.normal, 2 ** 32 - 1));
  for (const block of [0, 1, 2]) {
    const one = new Int32Array(4);
    fillBlocks(one, 1, key, counterOf(purposes.normal, 2 ** 32 - 1 + block));
    expect([...three.subarray(block * 4, block * 4 + 4)]).toEqual([...one]);
  }
});
