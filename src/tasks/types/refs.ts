/** References and what `get` makes of them. */
import type { Duration } from "../../common/index.js";

declare const held: unique symbol;

/**
 * A value held somewhere in the cluster, perhaps not computed yet. Hand it to another task (the data goes from worker to
 * worker), or `get` it.
 *
 * Not a promise on purpose: `await ref` would fetch, one round trip at a time, and a ref returned from an `async`
 * function would be fetched unasked. `await ref` is therefore still the ref; using it as a value does not compile.
 */
export interface Ref<out T> {
  readonly [held]: T;
  readonly id: string;
}

/** The value behind a ref. */
export type RefValue<R> = R extends Ref<infer T> ? T : never;

/** What `.map` returns: a read-only array of refs that is one object inside, so a million items stay cheap. */
export interface RefArray<T> extends ReadonlyArray<Ref<T>> {
  readonly chunk: number;
}

/** What `.map` returns for an async iterable: the refs in the order of the items, submitted as they are read. */
export interface RefStream<out T> extends AsyncIterable<Ref<T>> {
  readonly chunk: number;
  readonly inFlight: number;
}

/** What `get`, `progress` and `cancel` take. */
export type Gettable =
  | Ref<unknown>
  | readonly Ref<unknown>[]
  | Iterable<Ref<unknown>>
  | RefStream<unknown>
  | { readonly [name: string]: Ref<unknown> };

/** What `get` gives for it: value, tuple, array or record, element by element. */
export type Got<G> =
  G extends Ref<infer T>
    ? T
    : G extends RefArray<infer T>
      ? T[]
      : G extends readonly unknown[]
        ? { -readonly [K in keyof G]: RefValue<G[K]> }
        : G extends Iterable<Ref<infer T>> | RefStream<infer T>
          ? T[]
          : { -readonly [K in keyof G]: RefValue<G[K]> };

export interface GetOptions {
  /** Rejects with `TimeoutError` when it is not there by then; the tasks go on. */
  timeout?: Duration | undefined;
  signal?: AbortSignal | undefined;
}

export interface WaitOptions extends GetOptions {
  /** Settles when this many are ready. Default 1. */
  count?: number | undefined;
}

/** One value of `asCompleted`, and which of the refs it belongs to. */
export interface Completed<T> {
  readonly index: number;
  readonly value: T;
}
