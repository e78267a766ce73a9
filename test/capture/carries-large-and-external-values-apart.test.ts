import { expect, it } from "vitest";
import { capture, revive } from "../../dist/capture/index.js";

const nothing = { isExternal: () => false };

it("leaves typed arrays of 64 KiB and more out of the data, one view at a time", async () => {
  const small = new Float64Array(8191);
  const large = new Float64Array(8192).fill(2);
  const slab = new ArrayBuffer(1_000_000);
  const part = new Uint8Array(slab, 500, 70_000).fill(3);
  const { portable } = capture(
    () => [small.length, large[8191], part[69_999], part.buffer.byteLength] as const,
    nothing,
  );
  expect(portable.large).toEqual([large, part]);
  expect(portable.data.byteLength).toBeLessThan(70_000);
  const { value } = await revive(portable, { large: [Float64Array.from(large), part.slice()], external: [] });
  expect(value()).toEqual([8191, 2, 3, 70_000]);
});

it("sends a big buffer once when several views share it", async () => {
  const memory = new ArrayBuffer(100_000);
  const floats = new Float64Array(memory);
  const bytes = new Uint8Array(memory);
  const { portable } = capture(() => [floats, bytes], nothing);
  expect(portable.large).toEqual([memory]);
  const { value } = await revive(portable, { large: [memory.slice(0)], external: [] });
  const [a, b] = value() as [Float64Array, Uint8Array];
  expect(a.buffer).toBe(b.buffer);
});

it("copes with large parts that arrive at an odd offset", async () => {
  const large = new Float64Array(10_000).fill(1.5);
  const { portable } = capture(() => large, nothing);
  const odd = new Uint8Array(80_001);
  odd.set(new Uint8Array(large.buffer), 1);
  const { value } = await revive(portable, { large: [odd.subarray(1)], external: [] });
  expect(value()).toEqual(large);
});

it("leaves what the host carries to the host, functions and classes too", async () => {
  class Handle {
    #id = 1;
    id(): number {
      return this.#id;
    }
  }
  const handle = new Handle();
  const remote = (): never => {
    throw new Error("stays here");
  };
  const hosted = new Set<object>([handle, remote, Handle]);
  const deep = { list: [handle, remote] };
  const { portable, classes } = capture(() => [handle, remote, Handle, deep], {
    isExternal: (value) => hosted.has(value),
  });
  expect(portable.external).toEqual([handle, remote, Handle]);
  expect(classes).toEqual([]);
  const { value } = await revive(portable, { large: [], external: ["h", "r", "c"] });
  expect(value()).toEqual(["h", "r", "c", { list: ["h", "r"] }]);
});

it("is structured-clonable", () => {
  const values = new Map([["a", [1, 2n, new Date(0)]]]);
  const { portable } = capture(() => values, nothing);
  expect(structuredClone(portable)).toEqual(portable);
});
