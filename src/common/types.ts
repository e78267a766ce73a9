/** Types shared by all parts: the compile-time error, running computations. */

declare const invalid: unique symbol;

/** A compile-time error in words: a parameter of this type accepts nothing, and the compiler prints `Message`. */
export interface GironaTypeError<out Message extends string> {
  readonly [invalid]: Message;
}

/** A running computation: a promise that also knows how far it is, which is what `progress` shows. */
export interface Computation<T> extends Promise<T> {
  /** Tasks finished and known so far. */
  readonly state: { readonly done: number; readonly total: number };
  /** Stops it; the promise rejects with `CancelledError`. */
  cancel(): void;
}
