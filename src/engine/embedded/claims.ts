/**
 * One page shared by the driver and a worker: which task the worker has started, and which it must not start any more.
 *
 * Tasks are sent ahead to a worker in numbered order. Before a task starts, the worker announces its number and then looks
 * whether it was revoked; the driver revokes first and then looks what was announced. In this order (sequentially consistent
 * on both sides) a task cannot both run and be given to another worker: the driver takes back only what lies above the
 * announced number. When the worker is killed, the page also says which task it was in.
 */

const Word = { next: 0, revokedFrom: 1, revokedTo: 2, item: 3, roomMiB: 4 } as const;
const startedAtByte = 32;
export const claimsBytes = 4096;
/** Numbers are 32 bits wide in the page: a worker that reaches this one is drained and starts anew. */
export const lastSequence = 2 ** 31 - 1;

export class Claims {
  readonly #words: Int32Array;
  readonly #clock: Float64Array;

  constructor(page: ArrayBuffer) {
    this.#words = new Int32Array(page, 0, 8);
    this.#clock = new Float64Array(page, startedAtByte, 1);
  }

  // --- the worker's side

  /** Announces the task; `false` when it was revoked and must not run. */
  claim(number: number): boolean {
    const words = this.#words;
    Atomics.store(words, Word.next, number + 1);
    return !(number >= Atomics.load(words, Word.revokedFrom) && number < Atomics.load(words, Word.revokedTo));
  }

  /** `at` on the clock of `monotonicMs`, which all processes of a machine share. */
  startItem(item: number, at: number): void {
    this.#words[Word.item] = item;
    this.#clock[0] = at;
  }

  /** Bytes of objects that still fit into memory, as the driver last counted. */
  get room(): number {
    return Atomics.load(this.#words, Word.roomMiB) * 2 ** 20;
  }

  // --- the driver's side

  set room(bytes: number) {
    Atomics.store(this.#words, Word.roomMiB, Math.max(0, Math.min(2 ** 31 - 1, Math.floor(bytes / 2 ** 20))));
  }

  /** The number after the last one announced. */
  get next(): number {
    return Atomics.load(this.#words, Word.next);
  }

  get item(): number {
    return Atomics.load(this.#words, Word.item);
  }

  get startedAt(): number {
    return this.#clock[0]!;
  }

  /** Takes back the tasks from `from` to before `to`; returns the first that is surely not started. */
  revoke(from: number, to: number): number {
    const words = this.#words;
    const lastFrom = Atomics.load(words, Word.revokedFrom);
    const lastTo = Atomics.load(words, Word.revokedTo);
    // There is one range: while the last one lies ahead of the worker, it grows by the new one and what is in between.
    const ahead = lastTo > Atomics.load(words, Word.next);
    const first = ahead ? Math.min(from, lastTo) : from;
    // Empty while it changes, so that the worker never sees the end of one range with the start of another.
    if (!ahead) Atomics.store(words, Word.revokedFrom, lastSequence);
    Atomics.store(words, Word.revokedTo, ahead ? Math.max(to, lastTo) : to);
    Atomics.store(words, Word.revokedFrom, ahead ? Math.min(first, lastFrom) : from);
    return Math.max(first, Atomics.load(words, Word.next));
  }

  /** Numbers start anew; only while the worker has nothing. */
  reset(): void {
    for (let word = 0; word < 4; word++) Atomics.store(this.#words, word, 0);
  }
}

/** Milliseconds on the machine's monotonic clock: comparable between its processes, unlike `performance.now()`. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
