/** Datatypes: which elements of an array a call moves. */
import type { TypedArray } from "../common/index.js";
import { addon } from "./addon.js";
import { integers, shown, throwUsageError, whole } from "./errors.js";
import type { BufferView, Datatype } from "./types.js";

const complexLayout = 1;
const pairsLayout = 2;

/** A part of an array; the addon reads these fields. */
class View<A extends TypedArray, E> implements BufferView<A, E> {
  readonly array: A;
  readonly offset: number;
  readonly count: number;
  readonly layout: number;
  constructor(array: A, offset: number, count: number, layout: number) {
    this.array = array;
    this.offset = offset;
    this.count = count;
    this.layout = layout;
  }
}

class Strided implements Datatype {
  readonly size: number;
  readonly extent: number;
  readonly #lengths: Float64Array;
  readonly #starts: Float64Array;
  readonly #end: number;
  #layout: number;

  constructor(lengths: Float64Array, starts: Float64Array, extent?: number) {
    let size = 0;
    let begin = Number.POSITIVE_INFINITY;
    let end = 0;
    for (const [index, length] of lengths.entries()) {
      size += length;
      if (length === 0) continue;
      begin = Math.min(begin, starts[index]!);
      end = Math.max(end, starts[index]! + length);
    }
    this.size = size;
    this.extent = extent ?? Math.max(0, end - begin);
    this.#lengths = lengths;
    this.#starts = starts;
    this.#end = end;
    this.#layout = addon.createLayout(lengths, starts, this.extent);
  }

  of<A extends TypedArray>(
    array: A,
    options?: { offset?: number | undefined; count?: number | undefined },
  ): BufferView<A> {
    if (this.#layout < 0) throwUsageError("of", "datatype", "was freed");
    if (!ArrayBuffer.isView(array)) throwUsageError("of", "array", `must be a typed array, not ${shown(array)}`);
    const { offset = 0, count = 1 } = options ?? {};
    for (const [name, value] of [
      ["offset", offset],
      ["count", count],
    ] as const)
      if (!Number.isSafeInteger(value) || value < 0)
        throwUsageError("of", name, `must be a whole number from 0 on, not ${shown(value)}`);
    const last = offset + Math.max(0, count - 1) * this.extent + this.#end;
    if (count > 0 && last > array.length)
      throwUsageError("of", "offset", `${offset} reaches to element ${last}, but the array has ${array.length}`);
    return new View<A, A[number]>(array, offset, count, this.#layout);
  }

  resized(extent: number): Datatype {
    if (whole("resized", "extent", extent) < 0) throwUsageError("resized", "extent", "must not be negative");
    return new Strided(this.#lengths, this.#starts, extent);
  }

  free(): void {
    if (this.#layout < 0) return;
    addon.freeLayout(this.#layout);
    this.#layout = -1;
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

export function vector(count: number, blockLength: number, stride: number): Datatype {
  for (const [name, value] of Object.entries({ count, blockLength, stride }))
    if (whole("vector", name, value) < 0) throwUsageError("vector", name, `must not be negative, and is ${value}`);
  return new Strided(
    new Float64Array(count).fill(blockLength),
    Float64Array.from({ length: count }, (_, index) => index * stride),
  );
}

export function indexed(blockLengths: readonly number[], displacements: readonly number[]): Datatype {
  const lengths = integers("indexed", "blockLengths", blockLengths);
  const starts = integers("indexed", "displacements", displacements);
  if (lengths.length !== starts.length)
    throwUsageError("indexed", "displacements", `has ${starts.length} numbers for ${lengths.length} blocks`);
  if (lengths.some((length) => length < 0) || starts.some((start) => start < 0))
    throwUsageError("indexed", "blockLengths", "and displacements must not be negative");
  return new Strided(lengths, starts);
}

export function subarray(shape: readonly number[], starts: readonly number[], counts: readonly number[]): Datatype {
  const sizes = integers("subarray", "shape", shape);
  const from = integers("subarray", "starts", starts);
  const many = integers("subarray", "counts", counts);
  if (from.length !== sizes.length || many.length !== sizes.length || sizes.length === 0)
    throwUsageError("subarray", "starts", `needs a number for each of the ${sizes.length} dimensions, as counts does`);
  for (const [axis, size] of sizes.entries())
    if (from[axis]! < 0 || many[axis]! < 0 || from[axis]! + many[axis]! > size)
      throwUsageError(
        "subarray",
        "counts",
        `reach from ${from[axis]} to ${from[axis]! + many[axis]!} on axis ${axis}, which has ${size}`,
      );
  // Rows of the last axis, for each place on the others.
  const last = sizes.length - 1;
  let begins = [0];
  let stride = 1;
  const strides = sizes.map(() => 1);
  for (let axis = last; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= sizes[axis]!;
  }
  for (let axis = 0; axis < last; axis++)
    begins = begins.flatMap((begin) =>
      Array.from({ length: many[axis]! }, (_, index) => begin + (from[axis]! + index) * strides[axis]!),
    );
  const rows = Float64Array.from(begins, (begin) => begin + from[last]!);
  return new Strided(new Float64Array(rows.length).fill(many[last]!), rows, stride);
}

export function complex<A extends Float64Array | Float32Array>(array: A): BufferView<A, number> {
  if (!(array instanceof Float64Array || array instanceof Float32Array))
    throwUsageError("complex", "array", `must be a Float64Array or Float32Array, not ${shown(array)}`);
  return new View<A, number>(array, 0, halfOf("complex", array), complexLayout);
}

export function pairs<A extends TypedArray>(array: A): BufferView<A, readonly [value: number, rank: number]> {
  if (!ArrayBuffer.isView(array) || array instanceof BigInt64Array || array instanceof BigUint64Array)
    throwUsageError("pairs", "array", `must be a typed array of numbers, not ${shown(array)}`);
  return new View<A, readonly [number, number]>(array, 0, halfOf("pairs", array), pairsLayout);
}

function halfOf(operation: string, array: TypedArray): number {
  if (array.length % 2 !== 0) throwUsageError(operation, "array", `has ${array.length} elements, which are no pairs`);
  return array.length / 2;
}
