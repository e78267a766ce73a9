/**
 * The request of `irecv`. The receive is posted at once, as MPI's order of messages and their progress need it, into a buffer
 * that is there before the value's length is known.
 */
import { MpiError } from "../common/index.js";
import { decodeFrom } from "./decode.js";
import { BufferRequest } from "./request.js";

/** Without `bytes`. Memory that nothing is written to costs nothing. */
export const defaultBytes = 1_048_576;

// Buffers of that size that are not in use.
const pool: Buffer[] = [];
const mostInPool = 16;

export function receiveBuffer(bytes: number): Buffer {
  return (bytes === defaultBytes ? pool.pop() : undefined) ?? Buffer.allocUnsafeSlow(bytes);
}

export class ValueRequest<T> extends BufferRequest<T> {
  #buffer: Buffer | undefined;
  #value: T | undefined;

  constructor(slot: number, buffer: Buffer) {
    super(slot, buffer, undefined, true);
    this.#buffer = buffer;
  }

  protected override completed(): void {
    const { bytes, cancelled } = this.status!;
    // From nobody, with PROC_NULL, or cancelled.
    if (bytes > 0 && !cancelled) this.#value = decodeFrom(this.#buffer!, 0, bytes, false) as T;
    this.#giveBack();
  }

  protected override fail(error: unknown): void {
    this.#giveBack();
    if (error instanceof MpiError && error.class === "MPI_ERR_TRUNCATE")
      error.message +=
        ". The value is longer than what irecv has room for: give it more, as in irecv({ bytes: 10_000_000 }), or use recv";
    super.fail(error);
  }

  #giveBack(): void {
    if (this.#buffer?.length === defaultBytes && pool.length < mostInPool) pool.push(this.#buffer);
    this.#buffer = undefined;
  }

  protected override value(): T {
    return this.#value as T;
  }
}
