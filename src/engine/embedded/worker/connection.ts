/** The worker's end of its socket to the driver. */
import { Socket } from "node:net";
import { beginFrame, endFrame, FrameParser, type Reader, Writer } from "../../codec/index.js";
import type { Claims } from "../claims.js";
import { ToDriver } from "../protocol.js";

/** Descriptor of the socket, as the driver opened it: `stdio[3]`. */
const socketFd = 3;
/** Bytes after which a batch goes out without waiting for its end. */
const fullBatch = 1 << 16;

export class Connection {
  readonly writer = new Writer();
  readonly #socket = new Socket({ fd: socketFd, readable: true, writable: true });
  #scheduled = false;
  // The frame of results stays open while tasks finish; any other frame closes it first.
  #results = -1;
  #countAt = 0;
  #count = 0;
  #resultAt = 0;
  readonly #claims: Claims | undefined;

  constructor(claims: Claims | undefined, onFrame: (type: number, body: Reader) => void) {
    this.#claims = claims;
    const parser = new FrameParser(onFrame);
    this.#socket.on("data", (chunk: Buffer) => parser.push(chunk));
    // The driver is gone: nobody can use what is computed here.
    this.#socket.on("end", () => process.exit(0));
    this.#socket.on("error", () => process.exit(0));
  }

  /** Opens the next result in a frame of results. */
  beginResult(): void {
    if (this.#results < 0) {
      this.#results = beginFrame(this.writer, ToDriver.results);
      this.#countAt = this.writer.position;
      this.writer.u32(0);
      this.#count = 0;
    }
    this.#count++;
    this.#resultAt = this.writer.position;
  }

  /** The result is written. */
  endResult(): void {
    this.#claims?.addUnsent(this.writer.buffer.subarray(this.#resultAt, this.writer.position));
  }

  #endResults(): void {
    if (this.#results < 0) return;
    this.writer.patchU32(this.#countAt, this.#count);
    endFrame(this.writer, this.#results);
    this.#results = -1;
    this.#claims?.clearUnsent();
  }

  frame(type: number, body: (writer: Writer) => void): void {
    this.#endResults();
    const begin = beginFrame(this.writer, type);
    body(this.writer);
    endFrame(this.writer, begin);
    if (this.writer.length > fullBatch) this.flush();
    else this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.flush();
    });
  }

  flush(): void {
    this.#endResults();
    if (this.writer.length > 0) this.#socket.write(this.writer.take());
  }

  /** Ends the process when everything written has gone out. */
  leave(): void {
    this.flush();
    this.#socket.end(() => process.exit(0));
  }
}
