/** Large arrays outside messages: memory files that other processes map, or plain files where the system has none. */
import { close, closeSync, constants, copyFileSync, fstatSync, openSync, readSync, rmSync, unlinkSync } from "node:fs";
import { EngineError } from "../../common/index.js";
import type { Reader, Segment, Writer } from "../codec/index.js";
import { sharedMemory } from "./shm.js";

/** The file behind a segment; another one after it was spilled. */
export interface OpenFile {
  /** -1: it is not kept open, and has its name. */
  fd: number;
  /** Where it still has a name: removed with the segment. */
  readonly path: string;
  readonly bytes: number;
  /** In memory, or in a file system. */
  memory: boolean;
  gone: boolean;
  /** Tells its store that it is gone. */
  dropped: ((file: OpenFile) => void) | undefined;
}

// A dropped segment's file is closed; its pages live on as long as somebody has them mapped.
const dropped = new FinalizationRegistry<OpenFile>((file) => drop(file));

function drop(file: OpenFile, atOnce = false): void {
  if (file.gone) return;
  file.gone = true;
  // Not in this thread: closing the last descriptor of 80 MB frees 20,000 pages, which takes some 10 ms.
  if (file.fd >= 0 && !atOnce) close(file.fd, () => {});
  else if (file.fd >= 0) closeSync(file.fd);
  // One that is kept by its name alone; otherwise whoever reads it by name removes that.
  else rmSync(file.path, { force: true });
  file.dropped?.(file);
}

/** Without waiting until V8 tells of it: nobody refers to its segment any more, and its room is wanted now. */
export function dropUnreferenced(file: OpenFile): void {
  drop(file, true);
}

let uses = 0;
/** Where the bytes of a mapping lie, as long as nobody has written to it. */
const mappings = new WeakMap<ArrayBufferLike, FileSegment>();

/** The segment of which these bytes are a mapping, all of it. */
export function mappedFrom({ buffer, byteLength }: Uint8Array): FileSegment | undefined {
  const segment = mappings.get(buffer);
  return segment?.bytes === byteLength ? segment : undefined;
}

/** A segment that this process holds by file descriptor. */
export class FileSegment implements Segment {
  readonly file: OpenFile;
  /** Messages on their way that name its descriptor, which must stay what it is until they are read. */
  pins = 0;
  lastUse = ++uses;

  constructor(fd: number, bytes: number, memory: boolean, path = "") {
    this.file = { fd, path, bytes, memory, gone: false, dropped: undefined };
    dropped.register(this, this.file, this);
  }

  get fd(): number {
    return this.file.fd;
  }

  get bytes(): number {
    return this.file.bytes;
  }

  /** Where its file still has a name: a peer reads it there. */
  get path(): string {
    return this.file.path;
  }

  used(): void {
    this.lastUse = ++uses;
  }

  map(): ArrayBuffer {
    this.used();
    const mapping =
      this.fd < 0 ? mapFile(openSync(this.path, "r+"), this.bytes, true) : mapFile(this.fd, this.bytes, false);
    mappings.set(mapping, this);
    return mapping;
  }

  /** Its named file is another process's from now on. */
  handOver(): void {
    dropped.unregister(this);
    if (this.fd >= 0) closeSync(this.fd);
    this.file.dropped?.(this.file);
  }

  close(): void {
    dropped.unregister(this);
    drop(this.file);
  }
}

function mapFile(fd: number, bytes: number, close: boolean): ArrayBuffer {
  try {
    const shm = sharedMemory();
    return shm ? shm.map(fd, bytes, "private") : readAll(fd, bytes);
  } finally {
    if (close) closeSync(fd);
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
  readonly memory: boolean;

  constructor(pid: number, fd: number, bytes: number, memory: boolean, path: string) {
    this.pid = pid;
    this.fd = fd;
    this.bytes = bytes;
    this.memory = memory;
    this.path = path;
  }

  #open(): number {
    return openSync(this.path || `/proc/${this.pid}/fd/${this.fd}`, "r+");
  }

  map(): ArrayBuffer {
    return mapFile(this.#open(), this.bytes, true);
  }

  /**
   * Holds it from now on, whatever becomes of the process that made it. `newPath`: no descriptor is left to keep it open
   * with, so it becomes a file with a name.
   */
  adopt(newPath: (() => string) | undefined): FileSegment {
    if (newPath) {
      const path = this.path || newPath();
      if (!this.path) copyFileSync(`/proc/${this.pid}/fd/${this.fd}`, path, constants.COPYFILE_EXCL);
      return new FileSegment(-1, this.bytes, false, path);
    }
    const fd = this.#open();
    if (this.path) unlinkSync(this.path);
    if (fstatSync(fd).size < this.bytes) {
      closeSync(fd);
      throw new Error("the segment is shorter than announced");
    }
    return new FileSegment(fd, this.bytes, this.memory);
  }
}

export function writeSegment(writer: Writer, segment: Segment): void {
  const from = segment as FileSegment | RemoteSegment;
  writer.u32("pid" in from ? from.pid : process.pid);
  writer.u32(Math.max(0, from.fd));
  writer.f64(from.bytes);
  writer.u8((from instanceof FileSegment ? from.file.memory : from.memory) ? 1 : 0);
  writer.text(from.path);
}

export function readSegment(reader: Reader): RemoteSegment {
  const pid = reader.u32();
  const fd = reader.u32();
  const bytes = reader.f64();
  const memory = reader.u8() === 1;
  return new RemoteSegment(pid, fd, bytes, memory, reader.text());
}
