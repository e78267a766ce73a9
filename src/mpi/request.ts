/** Calls under way. */
import { MpiError, type TypedArray } from "../common/index.js";
import { addon, facts, type Passed } from "./addon.js";
import { throwUsageError } from "./errors.js";
import { spinMicros, type Waiting, watch } from "./polling.js";
import { lastStatus } from "./status.js";
import type { BufferView, Request, Status } from "./types.js";

/** What all requests share: how they are awaited. A class says how it asks (`advance`) and what it gives (`value`). */
export abstract class AnyRequest<T> implements Request<T> {
  settled = false;
  error: unknown;
  status: Status | undefined;

  /** Asks MPI for at most so many µs; true when it has settled. Throws what MPI throws. */
  protected abstract advance(micros: number): boolean;
  protected abstract block(): void;
  protected abstract value(): T;
  abstract cancel(): void;

  /** Has it settled, in whatever way? */
  poll(micros = 0): boolean {
    if (this.settled) return true;
    try {
      return this.advance(micros);
    } catch (error) {
      this.fail(error);
      return true;
    }
  }

  test(): boolean {
    const settled = this.poll();
    if (this.error !== undefined) throw this.error;
    return settled;
  }

  wait(): T {
    if (!this.settled) {
      try {
        this.block();
      } catch (error) {
        this.fail(error);
      }
    }
    return this.result();
  }

  /** What it gave; throws its error. */
  result(): T {
    if (this.error !== undefined) throw this.error;
    return this.value();
  }

  // biome-ignore lint/suspicious/noThenProperty: a request is awaited
  then<A = T, B = never>(
    fulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    if (this.settled || this.poll(spinMicros)) {
      return (this.error === undefined ? Promise.resolve(this.value()) : Promise.reject(this.error)).then(
        fulfilled,
        rejected,
      ) as Promise<A | B>;
    }
    return new Promise<T>((resolve, reject) => {
      const waiting: Waiting = {
        check: () => {
          if (!this.poll()) return false;
          if (this.error === undefined) resolve(this.value());
          else reject(this.error);
          return true;
        },
      };
      watch(waiting);
    }).then(fulfilled, rejected);
  }

  protected fail(error: unknown): void {
    this.settled = true;
    this.error = error;
  }
}

// Every request that has not settled, by its slot: so its buffers live, also when the program has dropped the request.
const underWay: (BufferRequest<unknown> | undefined)[] = [];
let count = 0;
let mostBeforeSweep = 64;

/** Requests that nobody waits for are asked now and then, so that what they hold is given back. */
function sweep(): void {
  for (const request of underWay) request?.poll();
  mostBeforeSweep = Math.max(64, 2 * count);
}

/** A request of MPI's own, with the buffers that it must not lose. */
export class BufferRequest<T> extends AnyRequest<T> {
  readonly slot: number;
  readonly #one: TypedArray | undefined;
  readonly #two: TypedArray | undefined;
  /** Together, to know one that is transferred while MPI uses it. */
  readonly #length: number;
  readonly #withStatus: boolean;
  /** What else MPI uses until then: an operation. */
  readonly also: unknown;

  constructor(
    slot: number,
    one: TypedArray | undefined,
    two: TypedArray | undefined,
    withStatus: boolean,
    also?: unknown,
  ) {
    super();
    this.slot = slot;
    this.#one = one;
    this.#two = two;
    this.#length = (one?.length ?? 0) + (two?.length ?? 0);
    this.#withStatus = withStatus;
    this.also = also;
    underWay[slot] = this as BufferRequest<unknown>;
    if (++count > mostBeforeSweep) sweep();
  }

  protected advance(micros: number): boolean {
    try {
      if (!(micros === 0 ? addon.test(this.slot) : addon.spin(this.slot, micros))) return false;
    } catch (error) {
      this.#forget();
      throw error;
    }
    this.#done();
    return true;
  }

  protected block(): void {
    try {
      addon.wait(this.slot);
    } catch (error) {
      this.#forget();
      throw error;
    }
    this.#done();
  }

  protected value(): T {
    return (this.#withStatus ? this.status : undefined) as T;
  }

  cancel(): void {
    if (!this.settled) addon.cancel(this.slot);
  }

  #done(): void {
    this.#forget();
    this.settled = true;
    this.status = lastStatus();
    if ((this.#one?.length ?? 0) + (this.#two?.length ?? 0) !== this.#length) throw lostBuffer();
    this.completed();
  }

  /** What a class does with what has arrived. */
  protected completed(): void {}

  // The slot is given to the next request at once.
  #forget(): void {
    underWay[this.slot] = undefined;
    count--;
  }
}

function lostBuffer(): MpiError {
  return new MpiError(
    `A buffer was transferred to somebody else while MPI used it (rank ${facts.rank}): wait for the request first, then transfer its ArrayBuffer (MPI_ERR_BUFFER)`,
    { class: "MPI_ERR_BUFFER", errorCode: 1, operation: "wait", peer: undefined },
  );
}

/** The array that a request must keep. Memory that can shrink is refused: MPI would write to where it was. */
export function kept(operation: string, parameter: string, buffer: Passed): TypedArray | undefined {
  if (buffer === null || typeof buffer !== "object") return undefined;
  const array = ArrayBuffer.isView(buffer) ? (buffer as TypedArray) : (buffer as BufferView).array;
  if ((array?.buffer as ArrayBuffer | undefined)?.resizable)
    throwUsageError(
      operation,
      parameter,
      "lies in a resizable ArrayBuffer, which could shrink while MPI uses it: copy it, or use the blocking call",
    );
  return array;
}

/** Of `isend` and the like, which have a status. */
export function messageRequest(slot: number, array: TypedArray | undefined): Request {
  return new BufferRequest<Status>(slot, array, undefined, true);
}

/** Of calls that give nothing. */
export function plainRequest(
  slot: number,
  one: TypedArray | undefined,
  two?: TypedArray | undefined,
  also?: unknown,
): Request<void> {
  return new BufferRequest<void>(slot, one, two, false, also);
}
