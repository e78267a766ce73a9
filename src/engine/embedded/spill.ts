/** Moves the least recently used segments from memory to files when memory gets short. */
import { closeSync, constants, fstatSync, openSync, unlinkSync } from "node:fs";
import { copyFile, unlink } from "node:fs/promises";
import { showBytes } from "../../common/index.js";
import type { FileSegment } from "./segments.js";
import type { SegmentStore } from "./store.js";

/** Begins above this share of the limit, and ends below that one: few long moves instead of many short ones. */
const begin = 0.9;
const end = 0.7;
/** After a file system was full, not tried again for so long, ms. */
const restMs = 10_000;

export class Spiller {
  readonly #store: SegmentStore;
  readonly #limit: number;
  readonly #warn: (line: string) => void;
  /** Resolves when nothing is being moved. */
  done: Promise<void> | undefined;
  #restUntil = 0;
  #stopped = false;

  /** `limit`: bytes of objects in memory. */
  constructor(store: SegmentStore, limit: number, warn: (line: string) => void) {
    this.#store = store;
    this.#limit = limit;
    this.#warn = warn;
  }

  /** Called whenever what is held changes. `urgent`: memory is short whatever the limit says. */
  check(urgent = false): void {
    const tooMuch = this.#store.memoryBytes > this.#limit * begin;
    if (this.done || this.#stopped || !(tooMuch || (urgent && this.#store.memoryBytes > 0))) return;
    if (performance.now() < this.#restUntil) return;
    const target = urgent ? Math.min(this.#limit * end, this.#store.memoryBytes / 2) : this.#limit * end;
    this.done = this.#spill(target).finally(() => {
      this.done = undefined;
    });
  }

  stop(): void {
    this.#stopped = true;
  }

  async #spill(target: number): Promise<void> {
    // In a turn of its own: V8 keeps what was looked at until the turn ends, so that nothing of it could be reclaimed.
    await new Promise((resolve) => setImmediate(resolve));
    for (const reference of this.#store.leastRecent()) {
      if (this.#store.memoryBytes <= target || this.#stopped) return;
      const segment = reference.deref();
      if (!segment) continue;
      if (segment.file.memory && segment.fd >= 0 && segment.pins === 0 && !(await this.#move(segment))) return;
    }
  }

  /** `false` when the file system takes no more. */
  async #move(segment: FileSegment): Promise<boolean> {
    const path = this.#store.newPath();
    try {
      // Off the main thread. The content of a stored segment never changes, so it may be read meanwhile.
      await copyFile(`/proc/self/fd/${segment.fd}`, path, constants.COPYFILE_EXCL);
      const fd = openSync(path, "r+");
      unlinkSync(path);
      // Named in a message meanwhile, or the session is over: it stays where it is.
      if (segment.pins > 0 || this.#stopped || fstatSync(fd).size < segment.bytes) closeSync(fd);
      else this.#store.moved(segment, fd);
      return true;
    } catch (error) {
      await unlink(path).catch(() => {});
      this.#restUntil = performance.now() + restMs;
      this.#warn(
        `girona: ${showBytes(segment.bytes)} could not be moved from memory to a file: ${(error as Error).message}. Objects stay in memory; free space where TMPDIR is.`,
      );
      return false;
    }
  }
}
