/** `.map` over a finite list: chunks sized from what they took, so many under way as keep the workers busy. */
import { CancelledError, isGironaError } from "../common/index.js";
import { type Code, type Engine, Held, type Later, limited, type TaskSpec, type WaitLimits } from "../engine/index.js";
import type { ChunkSizer } from "./chunk-size.js";
import { type Chunk, ChunkRunner, placeOf, valuesOf } from "./chunks.js";

interface Finish {
  resolve(): void;
  reject(error: Error): void;
}

export class MapJob {
  readonly engine: Engine;
  readonly label: string;
  readonly length: number;
  readonly sizer: ChunkSizer;
  readonly #items: readonly unknown[];
  readonly #runner: ChunkRunner;
  readonly #inFlight: number;
  readonly #chunks: Chunk[] = [];
  readonly #laters = new Map<number, Later>();
  readonly #waiting = new Set<Finish>();
  readonly #progress = new Set<() => void>();
  #next = 0;
  #running = 0;
  /** Items that run no more, whatever became of them. */
  done = 0;
  /** For the progress bar: what was cancelled was not done. */
  finishedItems = 0;
  #error: Error | undefined;
  #cancelled = false;
  /** Somebody has asked for all of it, and is told of failures. */
  #asked = false;

  constructor(
    engine: Engine,
    code: Code,
    spec: TaskSpec,
    items: readonly unknown[],
    sizer: ChunkSizer,
    inFlight: number,
  ) {
    this.engine = engine;
    this.label = spec.name;
    this.length = items.length;
    this.sizer = sizer;
    this.#items = items;
    this.#inFlight = inFlight;
    this.#runner = new ChunkRunner(engine, code, spec, (chunk) => this.#chunkDone(chunk));
    this.#pump();
  }

  #pump(): void {
    while (this.#running < this.#inFlight && this.#next < this.length && !this.#cancelled) {
      const from = this.#next;
      let to = from + 1;
      // A ref among the items is resolved by the engine, which does that for plain arguments only.
      if (!(this.#items[from] instanceof Held)) {
        const end = Math.min(this.length, from + this.sizer.next(this.length - from));
        while (to < end && !(this.#items[to] instanceof Held)) to++;
      }
      this.#next = to;
      this.#running++;
      this.#chunks.push(this.#runner.submit(from, this.#items.slice(from, to)));
    }
  }

  #chunkDone(chunk: Chunk): void {
    this.#running--;
    this.done += chunk.items.length;
    const cancelled = chunk.places?.filter(
      (place) => place && "error" in place && isGironaError(place.error, "Cancelled"),
    );
    if (!this.#cancelled) this.finishedItems += chunk.items.length - (cancelled?.length ?? 0);
    this.sizer.took(chunk.items.length, chunk.runMs);
    // The others go on: whoever asks item by item gets an answer for each.
    // Its values are looked at first, so that each error knows its item.
    if (chunk.failed) {
      void valuesOf(this.engine, [chunk])
        .catch((error: Error) => this.#failed(error))
        .then(() => this.#tieRefs(chunk));
    } else this.#tieRefs(chunk);
    this.#pump();
    if (this.done === this.length) for (const { resolve } of this.#waiting) resolve();
    for (const listener of this.#progress) listener();
  }

  #failed(error: Error): void {
    this.#error ??= error;
    if (!this.#asked && !(error instanceof CancelledError)) this.engine.unfetched.set(this, error);
    for (const { reject } of this.#waiting) reject(error);
  }

  // --- one ref per item, for those who ask

  ref(index: number): Held {
    let later = this.#laters.get(index);
    if (!later) {
      later = this.engine.later(this.label);
      this.#laters.set(index, later);
      const chunk = this.#chunkOf(index);
      if (chunk?.done) this.#tie(later, chunk, index);
      else if (this.#cancelled) later.fails(this.#error!);
    }
    return later.held;
  }

  #chunkOf(index: number): Chunk | undefined {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const chunk = this.#chunks[middle]!;
      if (index < chunk.from) high = middle - 1;
      else if (index >= chunk.from + chunk.items.length) low = middle + 1;
      else return chunk;
    }
    return undefined;
  }

  #tieRefs(chunk: Chunk): void {
    if (this.#laters.size === 0) return;
    for (let i = 0; i < chunk.items.length; i++) {
      const later = this.#laters.get(chunk.from + i);
      if (later) this.#tie(later, chunk, chunk.from + i);
    }
  }

  #tie(later: Later, chunk: Chunk, index: number): void {
    const place = placeOf(chunk, index - chunk.from);
    if ("error" in place) later.fails(place.error);
    else later.is(place.held, place.index);
  }

  // --- all of it

  onProgress(listener: () => void): () => void {
    this.#progress.add(listener);
    return () => this.#progress.delete(listener);
  }

  /** Resolves when every item is there; rejects with the first error, or at the limits. */
  async finished(limits: WaitLimits, what: string): Promise<void> {
    this.#asked = true;
    this.engine.unfetched.delete(this);
    if (this.#error) throw this.#error;
    if (this.done === this.length) return;
    let stop = () => {};
    let finish: Finish | undefined;
    try {
      const waiting = new Promise<void>((resolve, reject) => {
        finish = { resolve, reject };
        this.#waiting.add(finish);
        stop = limited(limits, what, reject, () => `${this.length - this.done} of ${this.length} items not there`);
      });
      await this.engine.whileWaiting(() => waiting);
    } finally {
      this.#waiting.delete(finish!);
      stop();
    }
  }

  async values(limits: WaitLimits, what: string): Promise<unknown[]> {
    await this.finished(limits, what);
    try {
      return await valuesOf(this.engine, this.#chunks);
    } catch (error) {
      this.engine.unfetched.delete(this);
      throw error;
    }
  }

  async cancel(force: boolean): Promise<void> {
    const error = new CancelledError(`${this.label} was cancelled.`, { task: this.label });
    if (this.done === this.length) return;
    this.#cancelled = true;
    this.#failed(error);
    for (const [index, later] of this.#laters) if (!this.#chunkOf(index)?.done) later.fails(error);
    await this.engine.cancel(this.#runner.running, force);
  }

  get chunks(): readonly Chunk[] {
    return this.#chunks;
  }
}
