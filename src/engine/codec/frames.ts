/** Frames on a stream: four bytes of length, one of type, then the body. */
import { Reader, type Writer } from "./bytes.js";

const header = 5;

/** Starts a frame in a writer; `end` fills in its length. */
export function beginFrame(writer: Writer, type: number): number {
  const at = writer.position;
  writer.u32(0);
  writer.u8(type);
  return at;
}

export function endFrame(writer: Writer, begin: number): void {
  writer.patchU32(begin, writer.position - begin - header);
}

/** Cuts a stream into frames. A frame's bytes stay valid as long as somebody holds them. */
export class FrameParser {
  #rest: Buffer[] = [];
  #held = 0;
  #needed = header;
  readonly #onFrame: (type: number, body: Reader) => void;

  constructor(onFrame: (type: number, body: Reader) => void) {
    this.#onFrame = onFrame;
  }

  push(chunk: Buffer): void {
    let data = chunk;
    if (this.#held > 0) {
      this.#rest.push(chunk);
      this.#held += chunk.length;
      // Joined once the frame is whole, not at each piece: a large frame comes in thousands of pieces.
      if (this.#held < this.#needed) return;
      data = Buffer.concat(this.#rest);
      this.#rest = [];
      this.#held = 0;
    }
    let at = 0;
    while (data.length - at >= header) {
      const length = data.readUInt32LE(at);
      const end = at + header + length;
      if (end > data.length) {
        this.#keep(data.subarray(at), header + length);
        return;
      }
      this.#onFrame(data[at + 4]!, new Reader(data.subarray(at + header, end)));
      at = end;
    }
    if (at < data.length) this.#keep(data.subarray(at), header);
  }

  #keep(rest: Buffer, needed: number): void {
    this.#rest = [rest];
    this.#held = rest.length;
    this.#needed = needed;
  }
}
