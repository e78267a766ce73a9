/** Bytes written and read one after another: the little-endian primitives of every frame between driver and workers. */

const slab = 1 << 16;
const leastRoom = 1 << 10;

/** A buffer that grows. `take` hands the bytes over and goes on behind them, so that a socket may keep what it was given. */
export class Writer {
  buffer: Buffer;
  position = 0;
  #start = 0;
  #view: DataView;

  constructor() {
    this.buffer = Buffer.allocUnsafeSlow(slab);
    this.#view = new DataView(this.buffer.buffer);
  }

  reserve(bytes: number): void {
    const needed = this.position + bytes;
    if (needed <= this.buffer.length) return;
    // Positions stay as they are (frames are patched by position): what was handed over before is left unwritten.
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.buffer.length * 2));
    this.buffer.copy(larger, this.#start, this.#start, this.position);
    this.buffer = larger;
    this.#view = new DataView(larger.buffer);
  }

  /** Bytes written and not taken. */
  get length(): number {
    return this.position - this.#start;
  }

  u8(value: number): void {
    this.reserve(1);
    this.buffer[this.position++] = value;
  }

  u32(value: number): void {
    this.reserve(4);
    this.#view.setUint32(this.position, value, true);
    this.position += 4;
  }

  i32(value: number): void {
    this.reserve(4);
    this.#view.setInt32(this.position, value, true);
    this.position += 4;
  }

  f32(value: number): void {
    this.reserve(4);
    this.#view.setFloat32(this.position, value, true);
    this.position += 4;
  }

  f64(value: number): void {
    this.reserve(8);
    this.#view.setFloat64(this.position, value, true);
    this.position += 8;
  }

  /** Overwrites four bytes that were written before, such as a length known only at the end. */
  patchU32(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  bytes(value: Uint8Array): void {
    this.u32(value.byteLength);
    this.raw(value);
  }

  raw(value: Uint8Array): void {
    this.reserve(value.byteLength);
    this.buffer.set(value, this.position);
    this.position += value.byteLength;
  }

  /** UTF-16 code units as they are, so that a lone surrogate arrives as it was sent; one byte each where that is enough. */
  text(value: string): void {
    const { length } = value;
    this.reserve(5 + length);
    const start = this.position;
    const { buffer } = this;
    let at = start + 5;
    if (length < 48) {
      let i = 0;
      for (; i < length; i++) {
        const unit = value.charCodeAt(i);
        if (unit > 0xff) break;
        buffer[at++] = unit;
      }
      if (i === length) {
        buffer[start] = 0;
        this.#view.setUint32(start + 1, length, true);
        this.position = at;
        return;
      }
    } else if (!wide.test(value)) {
      buffer[start] = 0;
      this.#view.setUint32(start + 1, length, true);
      this.position = at + buffer.write(value, at, "latin1");
      return;
    }
    this.reserve(5 + length * 2);
    this.buffer[start] = 1;
    this.#view.setUint32(start + 1, length * 2, true);
    this.position = start + 5 + this.buffer.write(value, start + 5, "utf16le");
  }

  /** The bytes since the last call. */
  take(): Buffer {
    const taken = this.buffer.subarray(this.#start, this.position);
    this.#start = this.position;
    if (this.buffer.length - this.position < leastRoom || this.buffer.length > slab * 4) {
      this.buffer = Buffer.allocUnsafeSlow(slab);
      this.#view = new DataView(this.buffer.buffer);
      this.position = 0;
      this.#start = 0;
    }
    return taken;
  }
}

const wide = /[^\u0000-\u00ff]/;

/** Reads what a `Writer` wrote. */
export class Reader {
  readonly buffer: Buffer;
  position: number;
  readonly #view: DataView;

  constructor(buffer: Buffer, position = 0) {
    this.buffer = buffer;
    this.position = position;
    this.#view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  }

  u8(): number {
    return this.buffer[this.position++]!;
  }

  u32(): number {
    const value = this.#view.getUint32(this.position, true);
    this.position += 4;
    return value;
  }

  i32(): number {
    const value = this.#view.getInt32(this.position, true);
    this.position += 4;
    return value;
  }

  f32(): number {
    const value = this.#view.getFloat32(this.position, true);
    this.position += 4;
    return value;
  }

  f64(): number {
    const value = this.#view.getFloat64(this.position, true);
    this.position += 8;
    return value;
  }

  /** A view into the frame, not a copy. */
  bytes(): Buffer {
    const length = this.u32();
    const start = this.position;
    this.position += length;
    return this.buffer.subarray(start, start + length);
  }

  text(): string {
    const twoBytes = this.u8() === 1;
    const length = this.u32();
    const start = this.position;
    this.position += length;
    if (!twoBytes && length < 24) {
      let text = "";
      for (let i = start; i < this.position; i++) text += String.fromCharCode(this.buffer[i]!);
      return text;
    }
    return this.buffer.toString(twoBytes ? "utf16le" : "latin1", start, this.position);
  }
}
