/** What `.map` returns for an async iterable: the source is read no faster than the work gets done. */
import { CancelledError, UsageError } from "../common/index.js";
import { type Code, type Engine, Held, type Later, type TaskSpec } from "../engine/index.js";
import type { ChunkSizer } from "./chunk-size.js";
import { type Chunk, ChunkRunner, placeOf, valuesOf } from "./chunks.js";

/** An item that is alone waits this long for others to join its chunk, ms. */
const gatherMs = 2;

interface Sent {
  readonly chunk: Chunk;
  readonly settled: Promise<void>;
}

export class StreamJob implements AsyncIterable<Held> {
  readonly engine: Engine;
  readonly label: string;
  readonly inFlight: number;
  readonly #sizer: ChunkSizer;
  readonly #source: AsyncIterator<unknown>;
  readonly #runner: ChunkRunner;
  readonly #settle = new Map<Chunk, () => void>();
  readonly #sent: Sent[] = [];
  #running = 0;
  #next = 0;
  #reading: Promise<void> | undefined;
  #ended = false;
  #failure: unknown;
  #taken = false;
  #wake = () => {};
  done = 0;

  constructor(
    engine: Engine,
    code: Code,
    spec: TaskSpec,
    source: AsyncIterable<unknown>,
    sizer: ChunkSizer,
    inFlight: number,
  ) {
    this.engine = engine;
    this.label = spec.name;
    this.inFlight = inFlight;
    this.#sizer = sizer;
    this.#source = source[Symbol.asyncIterator]();
    this.#runner = new ChunkRunner(engine, code, spec, (chunk) => {
      this.#running--;
      this.done += chunk.items.length;
      sizer.took(chunk.items.length, chunk.runMs);
      this.#settle.get(chunk)?.();
      this.#settle.delete(chunk);
      this.#wake();
    });
  }

  get chunk(): number {
    return this.#sizer.size;
  }

  #take(): void {
    if (this.#taken) {
      throw new UsageError("What .map returns for an async iterable can be read once: its source is gone afterwards.", {
        parameter: "refs",
      });
    }
    this.#taken = true;
    this.#reading = this.#read();
  }

  /** Reads ahead of the consumer, by as many chunks as may be under way. */
  async #read(): Promise<void> {
    let waiting: Promise<IteratorResult<unknown>> | undefined;
    try {
      while (!this.#ended) {
        while ((this.#running >= this.inFlight || this.#sent.length >= this.inFlight * 2) && !this.#ended) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
        const items: unknown[] = [];
        const size = this.#sizer.size;
        while (items.length < size && !this.#ended) {
          waiting ??= this.#source.next();
          const result = items.length === 0 ? await waiting : await Promise.race([waiting, soon()]);
          if (!result) break;
          waiting = undefined;
          if (result.done) this.#ended = true;
          else {
            items.push(result.value);
            if (result.value instanceof Held) break;
          }
        }
        if (items.length > 0) this.#send(items);
      }
    } catch (error) {
      this.#failure = error;
      this.#ended = true;
    }
    this.#wake();
  }

  #send(items: unknown[]): void {
    // A ref travels alone: see MapJob.
    const last = items.at(-1);
    const groups = last instanceof Held && items.length > 1 ? [items.slice(0, -1), [last]] : [items];
    for (const group of groups) {
      this.#running++;
      let settle = () => {};
      const settled = new Promise<void>((resolve) => {
        settle = resolve;
      });
      const chunk = this.#runner.submit(this.#next, group);
      this.#next += group.length;
      if (chunk.done) settle();
      else this.#settle.set(chunk, settle);
      this.#sent.push({ chunk, settled });
    }
    this.#consumer();
  }

  #consumer = () => {};

  /** The chunks in order, as they are submitted. */
  async *#chunks(): AsyncGenerator<Sent> {
    this.#take();
    try {
      for (;;) {
        const sent = this.#sent.shift();
        if (sent) {
          this.#wake();
          yield sent;
        } else if (this.#ended) {
          await this.#reading;
          if (this.#sent.length > 0) continue;
          if (this.#failure !== undefined) throw this.#failure;
          return;
        } else {
          const more = new Promise<void>((resolve) => {
            this.#consumer = resolve;
          });
          await this.engine.whileWaiting(() => Promise.race([this.#reading, more]));
        }
      }
    } finally {
      // A consumer that stops early lets the source close its files.
      if (!this.#ended) {
        this.#ended = true;
        this.#wake();
        await this.#source.return?.();
      }
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Held> {
    for await (const { chunk, settled } of this.#chunks()) {
      const laters: Later[] = chunk.items.map(() => this.engine.later(this.label));
      void settled.then(() => {
        laters.forEach((later, at) => {
          const place = placeOf(chunk, at);
          if ("error" in place) later.fails(place.error);
          else later.is(place.held, place.index);
        });
      });
      for (const later of laters) yield later.held;
    }
  }

  /** All values, in the order of the items. */
  values(onProgress?: () => void): Promise<unknown[]> {
    return this.engine.whileWaiting(() => this.#values(onProgress));
  }

  async #values(onProgress: (() => void) | undefined): Promise<unknown[]> {
    const parts: Promise<unknown[]>[] = [];
    let failure: { readonly error: unknown } | undefined;
    for await (const { chunk, settled } of this.#chunks()) {
      const part = settled.then(() => {
        onProgress?.();
        return valuesOf(this.engine, [chunk]);
      });
      // Known as soon as it happens, not when its turn comes.
      part.catch((error: unknown) => {
        failure ??= { error };
      });
      parts.push(part);
      if (failure) break;
    }
    const all = await Promise.all(parts);
    return all.flat(1);
  }

  /** The values of each chunk as it is done, with the number of its first item. */
  async *completed(): AsyncGenerator<{ readonly from: number; readonly values: readonly unknown[] }> {
    const open = new Map<Chunk, Promise<Chunk>>();
    const chunks = this.#chunks();
    let next: Promise<IteratorResult<Sent>> | undefined = chunks.next();
    while (next || open.size > 0) {
      const waiting = [...open.values(), ...(next ? [next] : [])];
      const winner: Chunk | IteratorResult<Sent> = await this.engine.whileWaiting(() => Promise.race(waiting));
      if ("items" in winner) {
        open.delete(winner);
        yield { from: winner.from, values: await valuesOf(this.engine, [winner]) };
      } else if (winner.done) next = undefined;
      else {
        const { chunk, settled } = winner.value;
        open.set(
          chunk,
          settled.then(() => chunk),
        );
        next = chunks.next();
      }
    }
  }

  async cancel(force: boolean): Promise<void> {
    this.#failure ??= new CancelledError(`${this.label} was cancelled.`, { task: this.label });
    this.#ended = true;
    this.#wake();
    await this.engine.cancel(this.#runner.running, force);
  }
}

function soon(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), gatherMs);
  });
}
