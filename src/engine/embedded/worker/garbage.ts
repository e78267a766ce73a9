/**
 * Frees large arrays that tasks have left behind while nobody waits. V8 counts what lies outside its heap late: it would
 * collect when the next large array is mapped, and the task that maps it would pay for the last one's pages.
 */
import { collectGarbage } from "../gc.js";

/** Worth a collection of some milliseconds. */
const muchBytes = 64 * 2 ** 20;
/** The next task of a busy program comes sooner than that, ms. */
const idleMs = 3;
/** A worker that was not idle is looked at again after this, ms. */
const laterMs = 50;

export class Garbage {
  readonly #isIdle: () => boolean;
  #bytes = 0;
  #scheduled = false;

  constructor(isIdle: () => boolean) {
    this.#isIdle = isIdle;
  }

  /** A large array was made or mapped. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < muchBytes || this.#scheduled) return;
    this.#scheduled = true;
    this.#wait(idleMs);
  }

  #wait(ms: number): void {
    setTimeout(() => {
      if (!this.#isIdle()) return this.#wait(laterMs);
      this.#scheduled = false;
      this.#bytes = 0;
      collectGarbage();
    }, ms).unref();
  }
}
