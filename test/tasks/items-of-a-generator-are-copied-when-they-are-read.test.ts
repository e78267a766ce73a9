import { type Cluster, cluster, distribute, get } from "girona";
import { afterAll, beforeAll, expect, test } from "vitest";

let session: Cluster;
beforeAll(async () => {
  session = await cluster({ workers: 2, dashboard: false });
});
afterAll(() => session.close());

const expected = Array.from({ length: 500 }, (_, i) => i);

test("a generator that fills one buffer again and again", async () => {
  function* blocks() {
    const block = new Float64Array(10);
    for (const i of expected) yield block.fill(i);
  }
  const fourth = distribute((block: Float64Array) => block[3]!);
  expect(await get(fourth.map(blocks()))).toEqual(expected);
});

test("an async one that changes one object", async () => {
  async function* rows() {
    const row = { value: -1 };
    for (const i of expected) {
      row.value = i;
      yield row;
    }
  }
  const value = distribute((row: { value: number }) => row.value);
  expect(await get(value.map(rows()))).toEqual(expected);
});
