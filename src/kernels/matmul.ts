/**
 * The product of two matrices, in blocks that fit the caches: Goto and van de Geijn, "Anatomy of High-Performance Matrix
 * Multiplication", ACM TOMS 34 (2008). Blocks of both factors are packed in the order in which the innermost kernel reads them,
 * in WebAssembly's memory; the kernel keeps a tile of the product in registers.
 */
import { FunctionBody, instantiate, type Lane, lanes } from "./assembler.js";

export type Real = Float64Array | Float32Array;

/** (m, k) times (k, n). */
export interface MatmulSizes {
  readonly m: number;
  readonly k: number;
  readonly n: number;
}

/** Rows of a tile, and vectors in each: 8 sums, 2 operands and 1 factor are what 16 registers hold. */
const tileRows = 4;
const tileVectors = 2;

/** Sizes of a block. One of A, 128 KiB in f64, stays in the second cache while it meets all of a block of B, 1 MiB. */
const block = { rows: 64, inner: 256, columns: 512 } as const;

interface Workspace {
  readonly tileColumns: number;
  /** Where the packed blocks and the product's block lie, as arrays on WebAssembly's memory. */
  readonly a: Real;
  readonly b: Real;
  readonly c: Real;
  /** Multiplies one tile: counts down `inner`; addresses are bytes; a row of C has `stride` bytes. */
  readonly tile: (inner: number, a: number, b: number, c: number, stride: number) => void;
}

const workspaces = new Map<Lane, Workspace>();

/** `out` = `a` times `b`, all row after row and of one type. Lengths are the caller's to check; `out` must not overlap. */
export function matmul<T extends Real>(a: T, b: T, out: T, { m, k, n }: MatmulSizes): void {
  out.fill(0);
  if (m === 0 || k === 0 || n === 0) return;
  const work = workspace(a instanceof Float64Array ? "f64" : "f32");
  for (let column = 0; column < n; column += block.columns) {
    const columns = Math.min(block.columns, n - column);
    for (let from = 0; from < k; from += block.inner) {
      const inner = Math.min(block.inner, k - from);
      packB(work, b, from * n + column, n, inner, columns);
      for (let row = 0; row < m; row += block.rows) {
        const rows = Math.min(block.rows, m - row);
        packA(work, a, row * k + from, k, rows, inner);
        multiplyBlock(work, rows, inner, columns);
        addBlock(work, out, row * n + column, n, rows, columns);
      }
    }
  }
}

/** Strips of `tileRows` rows, in each the elements of a column beside each other; rows beyond the last are zeros. */
function packA({ a: packed }: Workspace, a: Real, start: number, stride: number, rows: number, inner: number): void {
  for (let strip = 0; strip < rows; strip += tileRows) {
    for (let r = 0; r < tileRows; r++) {
      let to = strip * inner + r;
      if (strip + r < rows) {
        const from = start + (strip + r) * stride;
        for (let i = 0; i < inner; i++, to += tileRows) packed[to] = a[from + i]!;
      } else for (let i = 0; i < inner; i++, to += tileRows) packed[to] = 0;
    }
  }
}

/** Strips of `tileColumns` columns, in each row after row; columns beyond the last are zeros. */
function packB(
  { b: packed, tileColumns }: Workspace,
  b: Real,
  start: number,
  stride: number,
  inner: number,
  columns: number,
): void {
  for (let strip = 0; strip < columns; strip += tileColumns) {
    const width = Math.min(tileColumns, columns - strip);
    let to = strip * inner;
    for (let i = 0; i < inner; i++, to += tileColumns) {
      const from = start + i * stride + strip;
      for (let c = 0; c < width; c++) packed[to + c] = b[from + c]!;
      for (let c = width; c < tileColumns; c++) packed[to + c] = 0;
    }
  }
}

function multiplyBlock({ a, b, c, tileColumns, tile }: Workspace, rows: number, inner: number, columns: number): void {
  const bytes = c.BYTES_PER_ELEMENT;
  const stride = block.columns * bytes;
  for (let column = 0; column < columns; column += tileColumns) {
    const fromB = b.byteOffset + column * inner * bytes;
    for (let row = 0; row < rows; row += tileRows)
      tile(inner, a.byteOffset + row * inner * bytes, fromB, c.byteOffset + row * stride + column * bytes, stride);
  }
}

function addBlock({ c }: Workspace, out: Real, start: number, stride: number, rows: number, columns: number): void {
  for (let r = 0; r < rows; r++) {
    const to = start + r * stride;
    const from = r * block.columns;
    for (let i = 0; i < columns; i++) out[to + i]! += c[from + i]!;
  }
}

function workspace(lane: Lane): Workspace {
  const known = workspaces.get(lane);
  if (known) return known;
  const { bytes, perVector } = lanes[lane];
  const counts = [block.rows * block.inner, block.inner * block.columns, block.rows * block.columns] as const;
  const total = counts.reduce((sum, count) => sum + count) * bytes;
  const { memory, call: tile } = instantiate<Workspace["tile"]>(tileKernel(lane), total);
  const array = (before: number, count: number): Real =>
    lane === "f64" ? new Float64Array(memory, before * bytes, count) : new Float32Array(memory, before * bytes, count);
  const made: Workspace = {
    tileColumns: tileVectors * perVector,
    a: array(0, counts[0]),
    b: array(counts[0], counts[1]),
    c: array(counts[0] + counts[1], counts[2]),
    tile,
  };
  workspaces.set(lane, made);
  return made;
}

/** A tile of C is the product of a strip of A and a strip of B. Parameters as in `Workspace.tile`. */
function tileKernel(lane: Lane): Uint8Array<ArrayBuffer> {
  const { bytes, perVector, add, mul } = lanes[lane];
  const body = new FunctionBody(["i32", "i32", "i32", "i32", "i32"]);
  const [inner, a, b, c, stride] = [0, 1, 2, 3, 4];
  const sums = Array.from({ length: tileRows }, () => Array.from({ length: tileVectors }, () => body.local("v128")));
  const columns = Array.from({ length: tileVectors }, () => body.local("v128"));
  const factor = body.local("v128");
  body.countDown(inner, () => {
    columns.forEach(
      (column, v) =>
        void body
          .get(b)
          .load(v * 16)
          .set(column),
    );
    sums.forEach((row, r) => {
      body
        .get(a)
        .loadSplat(lane, r * bytes)
        .set(factor);
      row.forEach((sum, v) => void body.get(factor).get(columns[v]!).vector(mul).get(sum).vector(add).set(sum));
    });
    body.advance(a, tileRows * bytes).advance(b, tileVectors * perVector * bytes);
  });
  for (const row of sums) {
    row.forEach(
      (sum, v) =>
        void body
          .get(c)
          .get(sum)
          .store(v * 16),
    );
    body.get(c).get(stride).add().set(c);
  }
  return body.module();
}
