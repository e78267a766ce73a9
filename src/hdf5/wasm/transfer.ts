/** Reads and writes of h5wasm: blocks that a selection is made of, and where each lies in memory. */
import type { RawSelection } from "../raw.js";
import { type Remote, rawError } from "./remote.js";

/** What h5wasm's memory allows in one call, and a pointer reaches. */
const mostBytes = 2 ** 31 - 2 ** 24;

export function checkSize(bytes: number): void {
  if (bytes > mostBytes)
    throw rawError(
      "usage",
      `selection: ${bytes} bytes in one call are more than h5wasm takes (2 GiB); go in parts, or use the native HDF5: npx girona build hdf5`,
    );
}

export interface Block {
  readonly start: number[];
  readonly step: number[];
  readonly count: number[];
  /** Where its first element lies among what is selected, per axis. */
  readonly at: number[];
}

/** A regular block for each combination of the axes' runs, and the shape of the whole. */
export function blocksOf(selection: Float64Array): { shape: number[]; blocks: Block[] } {
  let blocks: Block[] = [{ start: [], step: [], count: [], at: [] }];
  const shape: number[] = [];
  for (let p = 0; p < selection.length; ) {
    const runs = selection[p++]!;
    const next: Block[] = [];
    let at = 0;
    for (let i = 0; i < runs; i++, p += 3) {
      const [start, step, count] = selection.subarray(p, p + 3) as unknown as [number, number, number];
      for (const block of blocks)
        next.push({
          start: [...block.start, start],
          step: [...block.step, step],
          count: [...block.count, count],
          at: [...block.at, at],
        });
      at += count;
    }
    blocks = next;
    shape.push(at);
  }
  return { shape, blocks: blocks.filter((block) => block.count.every((n) => n > 0)) };
}

/** Calls with the first byte in the whole, the first in the block, and how many, for each row of a block. */
export function eachRow(
  block: Block,
  shape: readonly number[],
  size: number,
  each: (inWhole: number, inBlock: number, bytes: number) => void,
): void {
  const rank = shape.length;
  const width = (block.count[rank - 1] ?? 1) * size;
  const rows = block.count.slice(0, -1).reduce((n, count) => n * count, 1);
  for (let row = 0; row < rows; row++) {
    let rest = row;
    const index = new Array<number>(rank).fill(0);
    for (let axis = rank - 2; axis >= 0; axis--) {
      index[axis] = rest % block.count[axis]!;
      rest = Math.floor(rest / block.count[axis]!);
    }
    const whole = shape.reduce((at, length, axis) => at * length + block.at[axis]! + (index[axis] ?? 0), 0);
    each(whole * size, row * width, width);
  }
}

/** What is read or written: the whole of an attribute, or of a dataset what is selected. */
export interface Target {
  readonly file: bigint;
  readonly path: string;
  readonly attribute: string | undefined;
  /** Bytes of an element. */
  readonly size: number;
  /** Elements in all. */
  readonly count: number;
  /** Do elements point to memory that HDF5 has taken? */
  readonly points: boolean;
}

/** `use` is called with the bytes of each block, while strings and sequences that they point to are still there. */
export function readBlocks<T>(
  remote: Remote,
  target: Target,
  selection: RawSelection,
  use: (bytes: Uint8Array) => T,
): { block: Block | undefined; result: T }[] {
  const { file, path, attribute, size } = target;
  const blocks = selection ? blocksOf(selection).blocks : [undefined];
  return blocks.map((block) => {
    const count = block ? block.count.reduce((n, one) => n * one, 1) : target.count;
    checkSize(count * size);
    const at = remote.ask<number>("allocate", count * size);
    try {
      if (attribute !== undefined) remote.call("get_attribute_data", file, path, attribute, BigInt(at));
      else if (count > 0) remote.call("get_dataset_data", file, path, ...where(block), BigInt(at));
      const result = use(remote.ask("load", at, count * size));
      if (target.points && count > 0) {
        const reclaim = block ? "reclaim_vlen_memory_count" : "reclaim_vlen_memory";
        remote.call(reclaim, file, path, attribute ?? "", BigInt(at), ...(block ? [block.count.map(BigInt)] : []));
      }
      return { block, result };
    } finally {
      remote.ask("free", at);
    }
  });
}

/** Writes `bytes`, which lie as the selection's shape says. */
export function writeBlocks(remote: Remote, target: Target, selection: RawSelection, bytes: Uint8Array): void {
  checkSize(bytes.byteLength);
  const { shape, blocks } = selection ? blocksOf(selection) : { shape: [], blocks: [undefined] };
  for (const block of blocks) {
    const part = block ? gather(block, shape, target.size, bytes) : bytes;
    if (part.byteLength === 0) continue;
    const at = remote.ask<number>("allocate", part.byteLength);
    try {
      remote.ask("store", at, part);
      remote.call("set_dataset_data", target.file, target.path, ...where(block), BigInt(at));
    } finally {
      remote.ask("free", at);
    }
  }
}

function gather(block: Block, shape: readonly number[], size: number, bytes: Uint8Array): Uint8Array {
  const part = new Uint8Array(block.count.reduce((n, one) => n * one, size));
  eachRow(block, shape, size, (whole, inBlock, n) => part.set(bytes.subarray(whole, whole + n), inBlock));
  return part;
}

function where(block: Block | undefined): (bigint[] | null)[] {
  return block ? [block.count, block.start, block.step].map((one) => one.map(BigInt)) : [null, null, null];
}
