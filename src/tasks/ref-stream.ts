/** What `.map` returns for an async iterable: the source is read no faster than the work gets done. */
import { inspect } from "node:util";
import { CancelledError, UsageError } from "../common/index.js";
import { type Code, type Engine, Held, type Later, type TaskSpec } from "../engine/index.js";
import type { ChunkSizer } from "./chunk-size.js";
import { type Chunk, ChunkRunner, placeOf, valuesOf } from "./chunks.js";
import { frozenItem } from "./items.js";

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
  #failure: { readonly error: unknown } | undefined;
  #taken = false;
  #stopped = false;
  /** `next()` of the source is under way. */
  #asked = false;
  #wake = () => {};
  #consumer = () => {};
  #onStop: (error: unknown) => void = () => {};
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
          if (!waiting) {
            this.#asked = true;
            waiting = this.#source.next();
          }
          const result = items.length === 0 ? await waiting : await Promise.race([waiting, soon()]);
          if (!result) break;
          waiting = undefined;
          if (this.#stopped) return;
          this.#asked = false;
          if (result.done) this.#ended = true;
          else {
            items.push(frozenItem(this.engine, result.value, this.label));
            if (result.value instanceof Held) break;
          }
        }
        if (items.length > 0 && !this.#stopped) this.#send(items);
      }
    } catch (error) {
      this.#asked = false;
      this.#failure ??= { error };
      this.#ended = true;
    }
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

  /** The chunks in order, as they are submitted. */
  async *#chunks(): AsyncGenerator<Sent> {
    this.#take();
    try {
      for (;;) {
        const sent = this.#sent.shift();
        if (sent) {
          this.#wake();
          yield sent;
        } else if (this.#failure) throw this.#failure.error;
        else if (this.#stopped) return;
        else if (this.#ended) {
          await this.#reading;
          if (this.#sent.length === 0 && !this.#failure) return;
        } else {
          const more = new Promise<void>((resolve) => {
            this.#consumer = resolve;
          });
          await this.engine.whileWaiting(() => Promise.race([this.#reading, more]));
        }
      }
    } finally {
      await this.stop();
    }
  }

  /** Reads no more; a consumer that leaves early lets the source close its files. `error`: what the consumer gets. */
  async stop(error?: Error): Promise<void> {
    if (error) this.#failure ??= { error };
    if (this.#failure) this.#onStop(this.#failure.error);
    if (this.#stopped) return;
    this.#stopped = true;
    const open = !this.#ended;
    this.#ended = true;
    this.#wake();
    this.#consumer();
    if (!open) return;
    const returned = this.#source.return?.();
    // A generator that waits for its next item returns only after that, which may be never.
    if (this.#asked) returned?.catch(() => {});
    else await returned;
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

  /** All values, in the order of the items; the first failure rejects as soon as it is there. */
  values(onProgress?: () => void): Promise<unknown[]> {
    return this.engine.whileWaiting(() => this.#values(onProgress));
  }

  async #values(onProgress: (() => void) | undefined): Promise<unknown[]> {
    const failed = this.#whenStopped();
    const fail = (error: unknown) => this.#onStop(error);
    const all = this.#allParts(fail, onProgress);
    all.catch(fail);
    try {
      return (await Promise.race([all, failed])).flat(1);
    } finally {
      await this.stop();
    }
  }

  async #allParts(fail: (error: unknown) => void, onProgress: (() => void) | undefined): Promise<unknown[][]> {
    const parts: Promise<unknown[]>[] = [];
    for await (const { chunk, settled } of this.#chunks()) {
      const part = settled.then(() => {
        onProgress?.();
        return valuesOf(this.engine, [chunk]);
      });
      part.catch(fail);
      parts.push(part);
    }
    return Promise.all(parts);
  }

  /** The values of each chunk as it is done, with the number of its first item. */
  async *completed(): AsyncGenerator<{ readonly from: number; readonly values: readonly unknown[] }> {
    const open = new Map<Chunk, Promise<Chunk>>();
    const chunks = this.#chunks();
    const stopped = this.#whenStopped();
    let next: Promise<IteratorResult<Sent>> | undefined = chunks.next();
    try {
      while (next || open.size > 0) {
        const waiting = [...open.values(), ...(next ? [next] : []), stopped];
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
    } finally {
      next?.catch(() => {});
      await this.stop();
    }
  }

  /** Rejects when the stream was stopped with a reason, whatever its chunks do. */
  #whenStopped(): Promise<never> {
    const stopped = new Promise<never>((_, reject) => {
      this.#onStop = reject;
    });
    stopped.catch(() => {});
    return stopped;
  }

  toString(): string {
    return `refs of ${this.label} (${this.done} done; their values: await get(refs))`;
  }

  toJSON(): never {
    throw new UsageError(
      `What ${this.label}.map returns cannot be written as JSON. Write its values: await get(refs).`,
      {
        parameter: "refs",
      },
    );
  }

  [inspect.custom](): string {
    return `<${this.toString()}>`;
  }

  async cancel(force: boolean): Promise<void> {
    await this.stop(new CancelledError(`${this.label} was cancelled.`, { task: this.label }));
    await this.engine.cancel(this.#runner.running, force);
  }
}

function soon(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), gatherMs);
  });
}
