/** Makes segments in one process, in memory as long as there is room, else in files; and knows which it holds. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { availableMemory, EngineError, showBytes, usableMemory } from "../../common/index.js";
import { dropUnreferenced, FileSegment, type OpenFile } from "./segments.js";
import { sharedMemory } from "./shm.js";

/** Left free for the processes themselves: a memory file that takes the last of a cgroup gets somebody killed. */
const reserve = Math.max(64 * 2 ** 20, Math.min(2 ** 30, usableMemory().value * 0.12));
/** Files that may be open here for segments: what the system allows, less what everything else needs. */
const mostOpen = openFilesAllowed() * 0.6 - 40;

function openFilesAllowed(): number {
  try {
    const allowed = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return Number(allowed ?? Number.POSITIVE_INFINITY);
  } catch {
    return 1024;
  }
}

/** How long a look at the available memory is good for, ms. */
const freshMs = 20;

export interface StoreOptions {
  readonly directory: string;
  /** Bytes of memory that may be taken now, by what the whole cluster holds. */
  readonly room: () => number;
  /** Files are read by name by a process that cannot open ours by number. */
  readonly keepNames: boolean;
  /** The memory of the machine or its cgroup is short, whatever the room. */
  readonly short?: () => void;
  /** There is no room: whatever nobody refers to any more shall be freed. */
  readonly reclaim?: () => void;
  /** What is held has changed. */
  readonly changed?: () => void;
}

interface Stored {
  readonly segment: FileSegment;
  readonly in: "memory" | "file";
}

export class SegmentStore {
  readonly #options: StoreOptions;
  readonly #held = new Map<OpenFile, WeakRef<FileSegment>>();
  #memoryBytes = 0;
  #fileBytes = 0;
  #made = 0;
  #storedBytes = 0;
  #available = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /** Bytes held in memory. */
  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  /** Bytes held in files. */
  get fileBytes(): number {
    return this.#fileBytes;
  }

  /** Bytes of all that was ever held. */
  get storedBytes(): number {
    return this.#storedBytes;
  }

  /** Drops what was collected, without waiting until V8 tells of it. */
  sweep(): void {
    for (const [file, segment] of [...this.#held]) if (!segment.deref()) dropUnreferenced(file);
  }

  /** Is a file descriptor left for one more segment? */
  get mayOpen(): boolean {
    return this.#held.size < mostOpen;
  }

  get count(): number {
    return this.#held.size;
  }

  /** Those held, the least recently used first; not kept by this list, which may be gone through slowly. */
  leastRecent(): WeakRef<FileSegment>[] {
    const uses: (readonly [number, WeakRef<FileSegment>])[] = [];
    for (const reference of this.#held.values()) {
      const segment = reference.deref();
      if (segment) uses.push([segment.lastUse, reference]);
    }
    return uses.sort(([a], [b]) => a - b).map(([, reference]) => reference);
  }

  /** A path for a file of this process. */
  newPath(): string {
    return join(this.#options.directory, `object-${process.pid}-${++this.#made}`);
  }

  /** Copies bytes into a new segment. Throws `EngineError` when neither memory nor disk takes them. */
  create(bytes: Uint8Array): Stored {
    const first = this.#create(bytes);
    if (!(first instanceof Error)) return first;
    // Perhaps only garbage is in the way.
    this.#options.reclaim?.();
    const failure = this.#create(bytes);
    if (!(failure instanceof Error)) return failure;
    throw new EngineError(
      `An object of ${showBytes(bytes.byteLength)} could be stored neither in memory nor in ${this.#options.directory}: ${failure.message}. ${remedy(failure)}`,
      { engine: "embedded", address: undefined, cause: failure },
    );
  }

  #create(bytes: Uint8Array): Stored | Error {
    const shm = sharedMemory();
    const scarce = !this.mayOpen;
    const memory = shm && !scarce && this.#fits(bytes.byteLength) ? shm.memoryFile() : undefined;
    if (memory !== undefined && write(memory, bytes) === undefined) {
      this.#available -= bytes.byteLength;
      return { segment: this.keep(new FileSegment(memory, bytes.byteLength, true)), in: "memory" };
    }
    const path = this.newPath();
    let failure: Error | undefined;
    let fd = -1;
    try {
      fd = openSync(path, "wx+", 0o600);
      failure = write(fd, bytes);
    } catch (error) {
      failure = error as Error;
    }
    const named = this.#options.keepNames || scarce || (!shm && process.platform !== "linux");
    if (fd >= 0 && (failure || !named)) rmSync(path, { force: true });
    if (failure) return failure;
    if (scarce) closeSync(fd);
    const segment = new FileSegment(scarce ? -1 : fd, bytes.byteLength, false, named ? path : "");
    return { segment: this.keep(segment), in: "file" };
  }

  #fits(bytes: number): boolean {
    if (bytes > this.#options.room()) return false;
    const now = performance.now();
    if (now - this.#lookedAt > freshMs) {
      this.#lookedAt = now;
      this.#available = availableMemory();
    }
    if (bytes + reserve <= this.#available) return true;
    this.#options.short?.();
    return false;
  }

  /** Counts a segment from now on, until it is dropped. */
  keep(segment: FileSegment): FileSegment {
    const { file } = segment;
    this.#held.set(file, new WeakRef(segment));
    this.#storedBytes += file.bytes;
    this.#add(file, 1);
    file.dropped = (gone) => {
      this.#held.delete(gone);
      this.#add(gone, -1);
    };
    return segment;
  }

  /** The segment's content is in another file now; the old one is closed. */
  moved(segment: FileSegment, fd: number): void {
    const { file } = segment;
    this.#add(file, -1);
    closeSync(file.fd);
    file.fd = fd;
    file.memory = false;
    this.#add(file, 1);
  }

  #add({ bytes, memory }: OpenFile, sign: 1 | -1): void {
    if (memory) this.#memoryBytes += sign * bytes;
    else this.#fileBytes += sign * bytes;
    this.#options.changed?.();
  }
}

/** Written, not mapped: a full memory or disk is an error here, and a bus error there. The file is closed when it fails. */
function write(fd: number, bytes: Uint8Array): Error | undefined {
  // One call moves 2 GB at most.
  const most = 1 << 30;
  try {
    for (let at = 0; at < bytes.byteLength; ) {
      const count = writeSync(fd, bytes, at, Math.min(most, bytes.byteLength - at), at);
      if (count === 0) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      at += count;
    }
    return undefined;
  } catch (error) {
    closeSync(fd);
    return error as Error;
  }
}

function remedy(failure: Error): string {
  return (failure as NodeJS.ErrnoException).code === "EMFILE"
    ? "Too many files are open: raise the limit (ulimit -n)."
    : "Free some space, or point TMPDIR to a larger file system.";
}
