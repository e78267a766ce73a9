/** Large arrays outside messages: memory files that other processes map, or plain files where the system has none. */
import { closeSync, fstatSync, openSync, readFileSync, readSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { EngineError, showBytes } from "../../common/index.js";
import type { Reader, Segment, Writer } from "../codec/index.js";
import { sharedMemory } from "./shm.js";

// A dropped segment's file is closed; its pages live on as long as somebody has them mapped.
const open = new FinalizationRegistry<number>((fd) => closeSync(fd));

/** A segment that this process holds by file descriptor. */
export class FileSegment implements Segment {
  readonly bytes: number;
  readonly fd: number;
  /** Where its file still has a name (without memory files): a peer reads it there. */
  readonly path: string;

  constructor(fd: number, bytes: number, path = "") {
    this.fd = fd;
    this.bytes = bytes;
    this.path = path;
    open.register(this, fd, this);
  }

  map(): ArrayBuffer {
    const shm = sharedMemory();
    if (shm) return shm.map(this.fd, this.bytes, "private");
    return readAll(this.fd, this.bytes);
  }

  close(): void {
    open.unregister(this);
    closeSync(this.fd);
  }
}

function readAll(fd: number, bytes: number): ArrayBuffer {
  const target = new Uint8Array(bytes);
  for (let at = 0; at < bytes; ) {
    const count = readSync(fd, target, at, bytes - at, at);
    if (count === 0)
      throw new EngineError(`A stored object was cut short: ${at} of ${bytes} bytes.`, {
        engine: "embedded",
        address: undefined,
      });
    at += count;
  }
  return target.buffer;
}

/** A segment in another process, opened when it is read. */
export class RemoteSegment implements Segment {
  readonly bytes: number;
  readonly pid: number;
  readonly fd: number;
  readonly path: string;

  constructor(pid: number, fd: number, bytes: number, path: string) {
    this.pid = pid;
    this.fd = fd;
    this.bytes = bytes;
    this.path = path;
  }

  #open(): number {
    return openSync(this.path || `/proc/${this.pid}/fd/${this.fd}`, "r+");
  }

  map(): ArrayBuffer {
    const shm = sharedMemory();
    if (!shm && this.path) return new Uint8Array(readFileSync(this.path)).buffer as ArrayBuffer;
    const fd = this.#open();
    try {
      return shm ? shm.map(fd, this.bytes, "private") : readAll(fd, this.bytes);
    } finally {
      closeSync(fd);
    }
  }

  /** Holds it from now on, whatever becomes of the process that made it. */
  adopt(): FileSegment {
    const fd = this.#open();
    if (this.path) unlinkSync(this.path);
    if (fstatSync(fd).size < this.bytes) {
      closeSync(fd);
      throw new Error("the segment is shorter than announced");
    }
    return new FileSegment(fd, this.bytes);
  }
}

export function writeSegment(writer: Writer, segment: Segment): void {
  const from = segment as FileSegment | RemoteSegment;
  writer.u32("pid" in from ? from.pid : process.pid);
  writer.u32(from.fd);
  writer.f64(from.bytes);
  writer.text(from.path);
}

export function readSegment(reader: Reader): RemoteSegment {
  const pid = reader.u32();
  const fd = reader.u32();
  const bytes = reader.f64();
  return new RemoteSegment(pid, fd, bytes, reader.text());
}

/** Makes segments in one process. */
export class SegmentStore {
  #stored = 0;
  #files = 0;
  readonly #directory: string;
  readonly #memoryLimit: number;
  readonly #keepNames: boolean;
  // Counts down when a segment is dropped, so that `bytes` is what is held now.
  readonly #dropped = new FinalizationRegistry<number>((bytes) => {
    this.#stored -= bytes;
  });

  /** `keepNames`: files are read by name by a process that cannot open ours by number. */
  constructor(directory: string, memoryLimit: number, keepNames = false) {
    this.#directory = directory;
    this.#memoryLimit = memoryLimit;
    this.#keepNames = keepNames;
  }

  /** Bytes held in segments. */
  get bytes(): number {
    return this.#stored;
  }

  /** Copies bytes into a new segment. Throws `EngineError` when neither memory nor disk takes them. */
  create(bytes: Uint8Array): { readonly segment: FileSegment; readonly in: "memory" | "file" } {
    const shm = sharedMemory();
    const fits = this.#stored + bytes.byteLength <= this.#memoryLimit;
    const memory = fits ? shm?.memoryFile() : undefined;
    if (memory !== undefined && write(memory, bytes) === undefined) {
      return { segment: this.#keep(new FileSegment(memory, bytes.byteLength)), in: "memory" };
    }
    const path = join(this.#directory, `object-${process.pid}-${++this.#files}`);
    const fd = openSync(path, "wx+", 0o600);
    const failure = write(fd, bytes);
    const named = this.#keepNames || (!shm && process.platform !== "linux");
    if (failure || !named) unlinkSync(path);
    if (failure) {
      throw new EngineError(
        `An object of ${showBytes(bytes.byteLength)} could be stored neither in memory nor in ${this.#directory}: ${failure.message}. Free some space, or point TMPDIR to a larger file system.`,
        { engine: "embedded", address: undefined, cause: failure },
      );
    }
    return { segment: this.#keep(new FileSegment(fd, bytes.byteLength, named ? path : "")), in: "file" };
  }

  /** Counts a segment that came from elsewhere. */
  count(segment: FileSegment): FileSegment {
    return this.#keep(segment);
  }

  #keep(segment: FileSegment): FileSegment {
    this.#stored += segment.bytes;
    this.#dropped.register(segment, segment.bytes);
    return segment;
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
