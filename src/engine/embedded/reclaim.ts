/**
 * Frees objects that nobody refers to any more and that V8 has had no reason to collect, in the driver and in workers that hold
 * references: before objects are moved to files, and before one is refused for lack of room.
 */
import { collectGarbage } from "./gc.js";
import type { SegmentStore } from "./store.js";

/** After a collection its own length passes so often, at least, before the next one; twice as often after each that helped little. */
const fewestPauses = 2;
const mostPauses = 8;
/** There is something to free, perhaps, when so much of the limit is taken, and so much of what is held, or of the limit, is new. */
const full = 1 / 2;
const fresh = 1 / 4;

export class Reclaim {
  readonly #store: SegmentStore;
  readonly #limit: number;
  readonly #askWorkers: () => void;
  /** When the last one ended, and what had been stored and dropped until then. */
  #last = { at: Number.NEGATIVE_INFINITY, ms: 0, stored: 0, dropped: 0 };
  #pauses = fewestPauses;
  #running = false;

  /** `limit`: bytes of objects in memory. `askWorkers`: those that hold references shall collect as well. */
  constructor(store: SegmentStore, limit: number, askWorkers: () => void) {
    this.#store = store;
    this.#limit = limit;
    this.#askWorkers = askWorkers;
  }

  get #held(): number {
    return this.#store.memoryBytes + this.#store.fileBytes;
  }

  get #dropped(): number {
    return this.#store.storedBytes - this.#held;
  }

  /** Called whenever what is held changes: where it may help, and not all the time. */
  whenDue(): void {
    const held = this.#held;
    if (this.#running || held < this.#limit * full) return;
    const enough = Math.max(this.#limit, held) * fresh;
    if (this.#store.storedBytes - this.#last.stored < enough) return;
    // What workers have let go of counts as well, which is known only now.
    const helped = this.#dropped - this.#last.dropped >= enough / 2;
    // Writing files costs more than looking for what need not be written.
    const fewest = this.#store.fileBytes > 0 ? 0 : fewestPauses;
    const pauses = helped ? fewest : this.#pauses;
    if (performance.now() < this.#last.at + pauses * this.#last.ms) return;
    this.#pauses = helped ? fewestPauses : Math.min(mostPauses, this.#pauses * 2);
    this.now();
  }

  /** What workers hold is freed later, when they have answered. */
  now(): void {
    const began = performance.now();
    const dropped = this.#dropped;
    // Each object that is dropped is a change, too.
    this.#running = true;
    collectGarbage();
    this.#store.sweep();
    this.#running = false;
    const at = performance.now();
    this.#last = { at, ms: at - began, stored: this.#store.storedBytes, dropped };
    this.#askWorkers();
  }
}
