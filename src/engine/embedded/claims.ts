/**
 * One page shared by the driver and a worker: which task the worker has started, and which it must not start any more.
 *
 * Tasks are sent ahead to a worker in numbered order. Before a task starts, the worker announces its number and then looks
 * whether it was revoked; the driver revokes first and then looks what was announced. In this order (sequentially consistent
 * on both sides) a task cannot both run and be given to another worker: the driver takes back only what lies above the
 * announced number. When the worker is killed, the page also says which task it was in.
 */

const Word = {
  next: 0,
  revokedFrom: 1,
  revokedTo: 2,
  item: 3,
  roomMiB: 4,
  unsentCount: 5,
  unsentBytes: 6,
  turn: 7,
} as const;
const startedAtByte = 32;
const unsentAt = 64;
export const claimsBytes = 1 << 16;
/** Numbers are 32 bits wide in the page: a worker that reaches this one is drained and starts anew. */
export const lastSequence = 2 ** 31 - 1;

export class Claims {
  readonly #words: Int32Array;
  readonly #clock: Float64Array;
  readonly #unsent: Uint8Array;

  constructor(page: ArrayBuffer) {
    this.#words = new Int32Array(page, 0, 8);
    this.#clock = new Float64Array(page, startedAtByte, 1);
    this.#unsent = new Uint8Array(page, unsentAt);
  }

  // --- the worker's side

  /** Announces the task; `false` when it was revoked and must not run. */
  claim(number: number): boolean {
    const words = this.#words;
    // Its code and arguments come first: the clock starts with `startItem`.
    this.#clock[0] = Number.NaN;
    Atomics.store(words, Word.next, number + 1);
    return !(number >= Atomics.load(words, Word.revokedFrom) && number < Atomics.load(words, Word.revokedTo));
  }

  /** `at` on the clock of `monotonicMs`, which all processes of a machine share. */
  startItem(item: number, at: number): void {
    this.#words[Word.item] = item;
    this.#clock[0] = at;
  }

  /**
   * A result that is ready and not sent yet. The driver reads it here when the task that runs now takes long: that may be
   * the very task that waits for somebody to see this result.
   */
  addUnsent(result: Uint8Array): void {
    const words = this.#words;
    const at = words[Word.unsentBytes]!;
    if (at + result.byteLength > this.#unsent.byteLength || at < 0) {
      // Full: what does not fit is sent with the batch, and nothing behind it may be read before.
      Atomics.store(words, Word.unsentBytes, -1 - Math.max(0, at));
      return;
    }
    this.#unsent.set(result, at);
    Atomics.store(words, Word.unsentBytes, at + result.byteLength);
    Atomics.store(words, Word.unsentCount, words[Word.unsentCount]! + 1);
  }

  /** They are sent now. */
  clearUnsent(): void {
    const words = this.#words;
    Atomics.store(words, Word.turn, (words[Word.turn]! + 1) | 0);
    Atomics.store(words, Word.unsentCount, 0);
    Atomics.store(words, Word.unsentBytes, 0);
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

  /** `undefined` while its code or arguments are still being loaded. */
  get startedAt(): number | undefined {
    const at = this.#clock[0]!;
    return Number.isNaN(at) ? undefined : at;
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

  /** Results that wait to be sent; `undefined` when there are none, or the worker is just sending them. */
  unsent(): { readonly count: number; readonly bytes: Uint8Array } | undefined {
    const words = this.#words;
    const turn = Atomics.load(words, Word.turn);
    const count = Atomics.load(words, Word.unsentCount);
    const end = Atomics.load(words, Word.unsentBytes);
    if (count === 0) return undefined;
    const bytes = this.#unsent.slice(0, end < 0 ? -1 - end : end);
    return Atomics.load(words, Word.turn) === turn ? { count, bytes } : undefined;
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
