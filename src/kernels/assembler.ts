/** WebAssembly's binary format, as far as the kernels need it: one function over one memory. */

/** Types of values (WebAssembly core specification, 5.3). */
export const types = { i32: 0x7f, v128: 0x7b } as const;
export type ValueType = keyof typeof types;

/** Numbers of vector instructions (specification, 5.4.8), by the type of their lanes. */
export const lanes = {
  f64: { bytes: 8, perVector: 2, loadSplat: 10, add: 240, mul: 242 },
  f32: { bytes: 4, perVector: 4, loadSplat: 9, add: 228, mul: 230 },
} as const;
export type Lane = keyof typeof lanes;

const load128 = 0;
const store128 = 11;

/** The part of WebAssembly's own interface in use, of which TypeScript has types among those of browsers alone. */
interface Interface {
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
}
const api = (globalThis as unknown as { WebAssembly: Interface }).WebAssembly;
const pageBytes = 65_536;

/** A memory of at least so many bytes, all zero, with the function of a module that works on it. */
export function instantiate<F>(module: Uint8Array<ArrayBuffer>, bytes: number): { memory: ArrayBuffer; call: F } {
  const pages = Math.ceil(bytes / pageBytes);
  const memory = new api.Memory({ initial: pages, maximum: pages });
  const instance = new api.Instance(new api.Module(module), { e: { m: memory } });
  return { memory: memory.buffer, call: instance.exports["k"] as F };
}

/** LEB128 without a sign: seven bits in each byte, the lowest first. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  do {
    const rest = value >>> 7;
    bytes.push((value & 127) | (rest ? 128 : 0));
    value = rest;
  } while (value);
  return bytes;
}

/** LEB128 with a sign. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  for (;;) {
    const byte = value & 127;
    value >>= 7;
    const isLast = (value === 0 && !(byte & 64)) || (value === -1 && (byte & 64) !== 0);
    bytes.push(isLast ? byte : byte | 128);
    if (isLast) return bytes;
  }
}

/** A function in the making. Parameters are the first locals. */
export class FunctionBody {
  readonly #parameters: readonly ValueType[];
  readonly #locals: ValueType[] = [];
  readonly #code: number[] = [];

  constructor(parameters: readonly ValueType[]) {
    this.#parameters = parameters;
  }

  /** A new local's number. */
  local(type: ValueType): number {
    this.#locals.push(type);
    return this.#parameters.length + this.#locals.length - 1;
  }

  get(local: number): this {
    return this.#emit(0x20, ...unsigned(local));
  }
  set(local: number): this {
    return this.#emit(0x21, ...unsigned(local));
  }
  constant(value: number): this {
    return this.#emit(0x41, ...signed(value));
  }
  add(): this {
    return this.#emit(0x6a);
  }
  /** A vector instruction without further bytes, such as `lanes.f64.add`. */
  vector(instruction: number): this {
    return this.#emit(0xfd, ...unsigned(instruction));
  }
  /** Takes an address, gives 16 bytes from `offset` behind it. */
  load(offset: number): this {
    return this.#memory(load128, offset);
  }
  /** Takes an address, gives the lane there in all lanes. */
  loadSplat(lane: Lane, offset: number): this {
    return this.#memory(lanes[lane].loadSplat, offset);
  }
  /** Takes an address and 16 bytes. */
  store(offset: number): this {
    return this.#memory(store128, offset);
  }
  /** Adds a constant to a local. */
  advance(local: number, by: number): this {
    return this.get(local).constant(by).add().set(local);
  }
  /** Runs `body` and goes on as long as the counter, lessened by one each time, is not zero: at least once. */
  countDown(counter: number, body: () => void): this {
    this.#emit(0x03, 0x40);
    body();
    return this.advance(counter, -1).get(counter).#emit(0x0d, 0, 0x0b);
  }

  /** A module that imports `e.m`, its memory, and exports the function as `k`. */
  module(): Uint8Array<ArrayBuffer> {
    const section = (id: number, bytes: readonly number[]) => [id, ...unsigned(bytes.length), ...bytes];
    const locals = this.#locals.flatMap((type) => [1, types[type]]);
    const body = [...unsigned(this.#locals.length), ...locals, ...this.#code, 0x0b];
    const parameters = this.#parameters.map((type) => types[type]);
    return Uint8Array.from([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(1, [1, 0x60, ...unsigned(parameters.length), ...parameters, 0]),
      ...section(2, [1, 1, 0x65, 1, 0x6d, 2, 0, 1]),
      ...section(3, [1, 0]),
      ...section(7, [1, 1, 0x6b, 0, 0]),
      ...section(10, [1, ...unsigned(body.length), ...body]),
    ]);
  }

  #memory(instruction: number, offset: number): this {
    // An alignment of 1 is always right; processors ignore the hint.
    return this.#emit(0xfd, ...unsigned(instruction), 0, ...unsigned(offset));
  }

  #emit(...bytes: readonly number[]): this {
    this.#code.push(...bytes);
    return this;
  }
}
