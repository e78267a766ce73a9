import { afterEach, describe, expect, test, vi } from "vitest";
import { ndarray } from "../../src/common/index.ts";
import { rng } from "../../src/random/index.ts";
import { needs } from "../support/index.ts";
import { expectClose, expectNumpysProducts, expectNumpysSpecialValues, type Multiply } from "./support.ts";

afterEach(() => void vi.unstubAllEnvs());

/** The module anew: it decides about the backend when it is loaded. */
async function linalg(backend: "openblas" | "wasm") {
  vi.resetModules();
  vi.stubEnv("GIRONA_BLAS", backend === "wasm" ? "wasm" : undefined);
  const module = await import("../../src/linalg/index.ts");
  needs("needs OpenBLAS: apt-get install libopenblas0", module.backend === backend);
  return { ...module, multiply: ((a, b, sizes) => module.matmul(a as never, b as never, sizes)) as Multiply };
}

describe.each(["openblas", "wasm"] as const)("on %s", (backend) => {
  test("products are numpy's to the bit where sums are exact, whatever the shape", async () => {
    expectNumpysProducts((await linalg(backend)).multiply);
  });

  test("not a number, infinities and tiny numbers are numpy's", async () => {
    expectNumpysSpecialValues((await linalg(backend)).multiply);
  });

  test("(a b) c = a (b c), and one is neutral", async () => {
    const { multiply } = await linalg(backend);
    const random = rng(11);
    const [m, k, n, q] = [37, 120, 51, 29];
    const [a, b, c] = [random.normal(m * k), random.normal(k * n), random.normal(n * q)];
    const left = multiply(multiply(a, b, { m, k, n }), c, { m, k: n, n: q });
    const right = multiply(a, multiply(b, c, { m: k, k: n, n: q }), { m, k, n: q });
    const size = Math.max(...Array.from(left, Math.abs));
    left.forEach((x, i) => void expect(Math.abs(x - right[i]!)).toBeLessThan(1e-12 * size));
    const one = Float64Array.from({ length: k * k }, (_, i) => (i % (k + 1) === 0 ? 1 : 0));
    expect(multiply(a, one, { m, k, n: k })).toEqual(a);
    expectClose(multiply(a, b, { m, k, n }), a, b, m, k, n, "a b");
  });

  test("a size of zero gives zeros, or nothing", async () => {
    const { multiply } = await linalg(backend);
    const [none, six] = [new Float64Array(0), new Float64Array(6).fill(1)];
    expect(multiply(none, none, { m: 2, k: 0, n: 3 })).toEqual(new Float64Array(6));
    expect(multiply(none, six, { m: 0, k: 2, n: 3 })).toEqual(none);
    expect(multiply(six, none, { m: 3, k: 2, n: 0 })).toEqual(none);
    expect(multiply(none, none, { m: 0, k: 0, n: 0 })).toEqual(none);
  });

  test("out is filled and returned; shared memory and parts of arrays are as good", async () => {
    const { matmul } = await linalg(backend);
    const shared = new Float64Array(new SharedArrayBuffer(12 * 8)).fill(9);
    shared.set([1, 2, 3, 4]);
    shared.set([5, 6, 7, 8], 4);
    const out = shared.subarray(8) as Float64Array as Float64Array<ArrayBuffer>;
    expect(matmul(shared.subarray(0, 4), shared.subarray(4, 8), { m: 2, k: 2, n: 2, out })).toBe(out);
    expect(Array.from(shared)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 19, 22, 43, 50]);
    const zeros = Float64Array.of(7, 7);
    expect(matmul(new Float64Array(0), new Float64Array(0), { m: 2, k: 0, n: 1, out: zeros })).toBe(zeros);
    expect(Array.from(zeros)).toEqual([0, 0]);
  });

  test("arrays with a shape give one with the shape of the product", async () => {
    const { matmul } = await linalg(backend);
    const a = ndarray(Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
    const b = ndarray(Float32Array.of(1, 0, 0, 1, 1, 1), [3, 2]);
    expect(matmul(a, b)).toEqual({ dtype: "f4", shape: [2, 2], data: Float32Array.of(4, 5, 10, 11) });
    const empty = ndarray(new Float64Array(0), [3, 0]);
    expect(matmul(empty, ndarray(new Float64Array(0), [0, 1]))).toEqual(ndarray(new Float64Array(3), [3, 1]));
  });
});
