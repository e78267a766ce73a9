/** Selections: from what a caller writes to runs of indices per axis, checked against the shape. */
import { type DType, dtypes, showBytes, UsageError } from "../common/index.js";
import { show, showShape, usage } from "./check.js";
import type { RawSelection } from "./raw.js";
import type { Axis, Range, Selection } from "./types.js";

/** A selection that fits the shape. */
export interface Selected {
  /** As the library takes it. */
  readonly raw: RawSelection;
  /** The shape of the result: axes selected by one index are dropped. */
  readonly shape: readonly number[];
  /** How many elements. */
  readonly count: number;
}

const forms = "null, an index, { start, end, step? }, a list of indices, or a mask";

/** @throws UsageError naming the axis, what was given, and what it takes */
export function select(selection: Selection | undefined, shape: readonly number[], parameter = "selection"): Selected {
  if (selection === undefined) return whole(shape);
  if (!Array.isArray(selection))
    throw usage(parameter, `${show(selection)} was given; it is a list with an entry per axis, each ${forms}`);
  if (selection.length > shape.length) {
    const has = shape.length === 0 ? "a scalar, without axes" : `of shape ${showShape(shape)}`;
    throw usage(parameter, `${selection.length} entries were given, and the dataset is ${has}`);
  }
  if (selection.every((axis) => axis === null)) return whole(shape);
  const numbers: number[] = [];
  const result: number[] = [];
  let count = 1;
  for (const [i, length] of shape.entries()) {
    const axis = selection[i] === undefined && i >= selection.length ? null : selection[i]!;
    const before = numbers.length;
    const selected = addAxis(numbers, axis, length, `${parameter}: axis ${i}`);
    numbers.splice(before, 0, (numbers.length - before) / 3);
    count *= selected;
    if (typeof axis !== "number") result.push(selected);
  }
  return { raw: Float64Array.from(numbers), shape: result, count };
}

function whole(shape: readonly number[]): Selected {
  return { raw: undefined, shape: [...shape], count: shape.reduce((size, length) => size * length, 1) };
}

/** Adds start, step and count of each run; gives how many indices there are. */
function addAxis(runs: number[], axis: Axis, length: number, where: string): number {
  if (axis === null) {
    runs.push(0, 1, length);
    return length;
  }
  if (typeof axis === "number") {
    const index = axis < 0 ? axis + length : axis;
    if (!Number.isInteger(axis) || index < 0 || index >= length) throw outside(where, axis, length);
    runs.push(index, 1, 1);
    return 1;
  }
  if (Array.isArray(axis)) {
    const list = typeof axis[0] === "boolean" ? fromMask(axis, length, where) : checkList(axis, length, where);
    addList(runs, list);
    return list.length;
  }
  if (typeof axis === "object" && "start" in axis && "end" in axis) return addRange(runs, axis as Range, length, where);
  throw new UsageError(`${where}: ${show(axis)} was given; it takes ${forms}.`, { parameter: "selection" });
}

function outside(where: string, given: unknown, length: number): UsageError {
  const takes = length === 0 ? "the axis is empty" : `the axis has ${length}: 0 to ${length - 1}, or -${length} to -1`;
  return new UsageError(`${where}: index ${show(given)} was given; ${takes}.`, { parameter: "selection" });
}

function addRange(runs: number[], { start, end, step = 1 }: Range, length: number, where: string): number {
  const isRange = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end <= length;
  if (!isRange || !Number.isInteger(step) || step < 1) {
    const given = `{ start: ${start}, end: ${end}${step === 1 ? "" : `, step: ${step}`} }`;
    const takes = `whole numbers with 0 <= start <= end <= ${length}, the length of the axis, and a step from 1`;
    throw new UsageError(`${where}: ${given} was given; it takes ${takes}.`, { parameter: "selection" });
  }
  const count = Math.ceil((end - start) / step);
  runs.push(start, step, count);
  return count;
}

function fromMask(mask: readonly unknown[], length: number, where: string): number[] {
  if (mask.length !== length || !mask.every((one) => typeof one === "boolean")) {
    const takes = `a mask has true or false for each of the axis' ${length}`;
    throw new UsageError(`${where}: ${show(mask)} was given; ${takes}.`, { parameter: "selection" });
  }
  return mask.flatMap((one, i) => (one ? [i] : []));
}

function checkList(list: readonly unknown[], length: number, where: string): number[] {
  let last = -1;
  for (const index of list) {
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= length)
      throw new UsageError(
        `${where}: ${show(index)} is among the indices; they are whole numbers from 0 to ${length - 1}.`,
        {
          parameter: "selection",
        },
      );
    if (index <= last)
      throw new UsageError(`${where}: ${index} comes after ${last}; indices are in increasing order, each once.`, {
        parameter: "selection",
      });
    last = index;
  }
  return list as number[];
}

/** Indices of equal distance are one run: the library's work grows with the number of runs. */
function addList(runs: number[], list: readonly number[]): void {
  for (let i = 0; i < list.length; ) {
    const start = list[i]!;
    const step = (list[i + 1] ?? start + 1) - start;
    let end = i + 1;
    while (end < list.length && list[end]! - list[end - 1]! === step) end++;
    // Two alone may be the beginning of something else.
    if (end - i === 2 && step > 1 && end < list.length) end = i + 1;
    runs.push(start, end - i === 1 ? 1 : step, end - i);
    i = end;
  }
}

/** A typed array for so many elements. @throws UsageError when that is more than one array can hold */
export function allocate<D extends DType>(dtype: D, count: number): InstanceType<(typeof dtypes)[D]["array"]> {
  const { array: Kind, bytes } = dtypes[dtype];
  try {
    return new Kind(count) as InstanceType<(typeof dtypes)[D]["array"]>;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message = `selection: ${count} elements (${showBytes(count * bytes)}) do not fit in one array here; read them in parts, a selection each.`;
    throw new UsageError(message, { parameter: "selection", cause });
  }
}
