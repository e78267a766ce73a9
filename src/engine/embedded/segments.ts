/** Large arrays outside messages: memory files that other processes map, or plain files where the system has none. */
import { closeSync, fstatSync, openSync, readFileSync, readSync, unlinkSync } from "node:fs";
import { EngineError } from "../../common/index.js";
import type { Reader, Segment, Writer } from "../codec/index.js";
import { sharedMemory } from "./shm.js";

/** The file behind a segment; another one after it was spilled. */
export interface OpenFile {
  fd: number;
  readonly bytes: number;
  /** In memory, or in a file system. */
  memory: boolean;
  /** Tells its store that it is gone. */
  dropped: ((file: OpenFile) => void) | undefined;
}

// A dropped segment's file is closed; its pages live on as long as somebody has them mapped.
const dropped = new FinalizationRegistry<OpenFile>((file) => {
  closeSync(file.fd);
  file.dropped?.(file);
});

let uses = 0;

/** A segment that this process holds by file descriptor. */
export class FileSegment implements Segment {
  readonly file: OpenFile;
  /** Where its file still has a name (without memory files): a peer reads it there. */
  readonly path: string;
  /** Messages on their way that name its descriptor, which must stay what it is until they are read. */
  pins = 0;
  lastUse = ++uses;

  constructor(fd: number, bytes: number, memory: boolean, path = "") {
    this.file = { fd, bytes, memory, dropped: undefined };
    this.path = path;
    dropped.register(this, this.file, this);
  }

  get fd(): number {
    return this.file.fd;
  }

  get bytes(): number {
    return this.file.bytes;
  }

  used(): void {
    this.lastUse = ++uses;
  }

  map(): ArrayBuffer {
    this.used();
    const shm = sharedMemory();
    if (shm) return shm.map(this.fd, this.bytes, "private");
    return readAll(this.fd, this.bytes);
  }

  close(): void {
    dropped.unregister(this);
    closeSync(this.fd);
    this.file.dropped?.(this.file);
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
    return new FileSegment(fd, this.bytes, this.memory);
  }
}

export function writeSegment(writer: Writer, segment: Segment): void {
  const from = segment as FileSegment | RemoteSegment;
  writer.u32("pid" in from ? from.pid : process.pid);
  writer.u32(from.fd);
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
