/**
 * Items in chunks: one task each, retried item by item when a worker is lost, so that one bad item neither takes the others
 * with it nor makes them run more often than they must.
 */
import { isGironaError, type TaskError } from "../common/index.js";
import {
  type Code,
  type EachResult,
  type Engine,
  forEver,
  Held,
  type LostItem,
  type TaskSpec,
} from "../engine/index.js";

/** Some items of a chunk that went into one task. */
interface Piece {
  /** Their positions in the chunk; `undefined`: all of them, which is the usual case and must cost nothing per item. */
  readonly positions: readonly number[] | undefined;
  readonly held: Held;
  /** Submitted as one plain call: its value is the item's, not a list. */
  readonly single: boolean;
}

/** Where the value of an item is, or why there is none. */
export type Place = { readonly held: Held; readonly index: number | undefined } | { readonly error: Error };

export interface Chunk {
  /** Number of its first item. */
  readonly from: number;
  readonly items: readonly unknown[];
  /** The task that has all of its values. */
  whole: Held | undefined;
  /** Per item, where one task has not got all. */
  places: (Place | undefined)[] | undefined;
  /** Items whose place is not known yet. */
  open: number;
  /** Of the tasks that succeeded, ms. */
  runMs: number;
  /** Some of its items failed. */
  failed: boolean;
  done: boolean;
}

export class ChunkRunner {
  readonly #engine: Engine;
  readonly #code: Code;
  /** Retries are counted here, per item. */
  readonly #spec: TaskSpec;
  readonly #retries: number;
  readonly #retryErrors: boolean;
  readonly #attempts = new Map<Chunk, Map<number, number>>();
  readonly #pieces = new Map<Chunk, Set<Held>>();
  readonly #onDone: (chunk: Chunk) => void;

  constructor(engine: Engine, code: Code, spec: TaskSpec, onDone: (chunk: Chunk) => void) {
    this.#engine = engine;
    this.#code = code;
    this.#retries = spec.retries;
    this.#retryErrors = spec.retryErrors;
    this.#spec = Object.freeze({ ...spec, retries: 0, retryErrors: false });
    this.#onDone = onDone;
  }

  submit(from: number, items: readonly unknown[]): Chunk {
    const chunk: Chunk = {
      from,
      items,
      whole: undefined,
      places: undefined,
      open: items.length,
      runMs: 0,
      failed: false,
      done: false,
    };
    this.#pieces.set(chunk, new Set());
    this.#submit(chunk, undefined);
    return chunk;
  }

  /** Tasks of chunks that are not done. */
  get running(): Held[] {
    return [...this.#pieces.values()].flatMap((held) => [...held]);
  }

  #submit(chunk: Chunk, positions: readonly number[] | undefined): void {
    const first = chunk.items[positions?.[0] ?? 0];
    const single = (positions ?? chunk.items).length === 1 && first instanceof Held;
    let held: Held;
    try {
      held = single
        ? this.#engine.submit(this.#code, [first], this.#spec)
        : this.#engine.submitEach(this.#code, positions?.map((at) => chunk.items[at]) ?? chunk.items, this.#spec);
    } catch (error) {
      // Not at once: whoever submits does not have the chunk yet.
      queueMicrotask(() => this.#refused(chunk, positions ?? [...chunk.items.keys()], error as Error));
      return;
    }
    const piece: Piece = { positions, held, single };
    this.#pieces.get(chunk)?.add(held);
    this.#engine.onSettled(held, (error, run) => {
      this.#pieces.get(chunk)?.delete(held);
      if (error) {
        // It is told per item from here on.
        this.#engine.unfetched.delete(held);
        this.#failed(chunk, piece, error);
      } else if (this.#retryErrors && !single && run.failed > 0) void this.#retryItems(chunk, piece, run.runMs);
      else {
        chunk.failed ||= run.failed > 0;
        this.#ready(chunk, piece, run.runMs);
      }
    });
  }

  /** The engine does not take these items: the one that cannot travel, or all of them. */
  #refused(chunk: Chunk, positions: readonly number[], error: Error): void {
    const { within } = error as LostItem;
    if (within === undefined) return this.#failAll(chunk, positions, error);
    const at = positions[within]!;
    this.#place(chunk, at, { error: ofItem(error, chunk.from + at) });
    const others = positions.toSpliced(within, 1);
    if (others.length > 0) this.#submit(chunk, others);
  }

  #ready(chunk: Chunk, { positions, held, single }: Piece, runMs: number, except: ReadonlySet<number> = nothing): void {
    chunk.runMs += runMs;
    if (!positions && !single && except.size === 0) {
      chunk.whole = held;
      chunk.open = 0;
      this.#done(chunk);
      return;
    }
    (positions ?? [...chunk.items.keys()]).forEach((at, index) => {
      if (!except.has(at)) this.#place(chunk, at, { held, index: single ? undefined : index });
    });
  }

  #place(chunk: Chunk, at: number, place: Place): void {
    chunk.places ??= new Array(chunk.items.length);
    if (chunk.places[at]) return;
    chunk.places[at] = place;
    chunk.failed ||= "error" in place;
    if (--chunk.open === 0) this.#done(chunk);
  }

  #done(chunk: Chunk): void {
    chunk.done = true;
    this.#attempts.delete(chunk);
    this.#pieces.delete(chunk);
    this.#onDone(chunk);
  }

  #failAll(chunk: Chunk, positions: readonly number[], error: Error): void {
    for (const at of positions) this.#place(chunk, at, { error });
  }

  /** Counts one more run of these items; those that may run again. */
  #again(chunk: Chunk, positions: readonly number[], error: Error): number[] {
    const counts = this.#attempts.get(chunk) ?? new Map<number, number>();
    this.#attempts.set(chunk, counts);
    const again: number[] = [];
    for (const at of positions) {
      const runs = (counts.get(at) ?? 0) + 1;
      counts.set(at, runs);
      if (runs <= this.#retries) again.push(at);
      else {
        // One error may stand for several items that were lost together; then it names none of them.
        const told = positions.length === 1 ? ofItem(error, chunk.from + at) : error;
        this.#place(chunk, at, { error: runs > 1 ? withAttempts(told, runs) : told });
      }
    }
    return again;
  }

  #failed(chunk: Chunk, piece: Piece, error: Error): void {
    const positions = piece.positions ?? [...chunk.items.keys()];
    const { within: item } = error as LostItem;
    if (isGironaError(error, "Timeout") && positions.length > 1 && item !== undefined) {
      this.#place(chunk, positions[item]!, { error: ofItem(error, chunk.from + positions[item]!) });
      // The others were stopped through no fault of theirs.
      for (const part of [positions.slice(0, item), positions.slice(item + 1)])
        if (part.length > 0) this.#submit(chunk, part);
      return;
    }
    if (isGironaError(error, "Timeout") && positions.length === 1) {
      this.#place(chunk, positions[0]!, { error: ofItem(error, chunk.from + positions[0]!) });
      return;
    }
    if (!isGironaError(error, "WorkerLost") && !(this.#retryErrors && isGironaError(error, "Task"))) {
      this.#failAll(chunk, positions, error);
      return;
    }
    if ((error as LostItem).innocent && this.#retries > 0) {
      this.#submit(chunk, piece.positions);
      return;
    }
    if (positions.length === 1 || item === undefined) {
      for (const at of this.#again(chunk, positions, error)) this.#submit(chunk, [at]);
      return;
    }
    // Items before the one that was running had run, and their results are lost; those behind it never started.
    const had = this.#again(chunk, positions.slice(0, item), error);
    const guilty = this.#again(chunk, positions.slice(item, item + 1), error);
    const behind = positions.slice(item + 1);
    for (const part of [had, guilty, behind]) if (part.length > 0) this.#submit(chunk, part);
  }

  async #retryItems(chunk: Chunk, piece: Piece, runMs: number): Promise<void> {
    const [result] = (await this.#engine.get([piece.held], forEver, "map")) as [EachResult];
    const failed = new Map(result.errors.map(([index, error]) => [piece.positions?.[index] ?? index, error]));
    this.#ready(chunk, piece, runMs, new Set(failed.keys()));
    for (const [at, error] of failed) for (const again of this.#again(chunk, [at], error)) this.#submit(chunk, [again]);
  }
}

const nothing: ReadonlySet<number> = new Set();

/** Which item of the whole `.map` it was; said once, the error stays the same. */
export function ofItem(error: Error, item: number): Error {
  if (Object.hasOwn(error, "item")) return error;
  Object.defineProperty(error, "item", { value: item, enumerable: true, configurable: true, writable: true });
  error.message = `item ${item}: ${error.message}`;
  return error;
}

function withAttempts(error: Error, attempts: number): Error {
  Object.defineProperty(error as TaskError, "attempts", {
    value: attempts,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return error;
}

/** Where the value of one item is, in a chunk that is done. */
export function placeOf(chunk: Chunk, at: number): Place {
  return chunk.whole ? { held: chunk.whole, index: at } : chunk.places![at]!;
}

/** The values of chunks that are done, in order; throws the first error. */
export async function valuesOf(engine: Engine, chunks: readonly Chunk[]): Promise<unknown[]> {
  const helds = new Set<Held>();
  for (const chunk of chunks) {
    if (chunk.whole) helds.add(chunk.whole);
    for (const place of chunk.places ?? []) {
      if ("error" in place!) throw place.error;
      helds.add(place!.held);
    }
  }
  const list = [...helds];
  const got = new Map<Held, unknown>();
  for (const [i, value] of (await engine.get(list, forEver, "get")).entries()) got.set(list[i]!, value);
  if (chunks.length === 1 && chunks[0]!.whole)
    return [...wholeValues(got.get(chunks[0]!.whole) as EachResult, chunks[0]!.from)];
  const values: unknown[] = [];
  for (const chunk of chunks) {
    if (chunk.whole) {
      // Not `push(...all)`: a chunk may be longer than the stack.
      for (const value of wholeValues(got.get(chunk.whole) as EachResult, chunk.from)) values.push(value);
      continue;
    }
    for (const [at, place] of chunk.places!.entries()) {
      const { held, index } = place as { held: Held; index: number | undefined };
      const value = got.get(held);
      if (index === undefined) values.push(value);
      else {
        const { values: items, errors } = value as EachResult;
        const failed = errors.find(([one]) => one === index);
        if (failed) throw ofItem(failed[1], chunk.from + at);
        values.push(items[index]);
      }
    }
  }
  return values;
}

function wholeValues({ values, errors }: EachResult, from: number): readonly unknown[] {
  for (const [at, error] of errors) ofItem(error, from + at);
  if (errors.length > 0) throw errors.toSorted(([a], [b]) => a - b)[0]![1];
  return values;
}
