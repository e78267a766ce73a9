/**
 * Distributed functions and classes as types. A call that could not work fails to compile, with the reason in words.
 */
import type { Copied, Duration, GironaTypeError, MemorySize } from "../../common/index.js";
import type { AnyClass, AnyFunction, ModuleSource } from "../../engine/index.js";
import type { Cluster } from "./cluster.js";
import type { Ref, RefArray, RefStream } from "./refs.js";

/** An argument of a remote call: the value, or a ref to one. */
export type Arg<T> = T | Ref<T>;

type IsAny<T> = 0 extends 1 & T ? true : false;

/** Why a value of type `T` cannot be sent to a worker; `never` when it can, or when only the run time can tell. */
export type CannotSend<T> =
  IsAny<T> extends true
    ? never
    : T extends Ref<unknown>
      ? GironaTypeError<"girona: a Ref given as an argument arrives as its value. Declare the parameter as the value's type; put the Ref inside an object to receive the Ref itself.">
      : T extends AnyFunction | AnyClass
        ? GironaTypeError<"girona: functions and classes cannot be arguments of a remote call. Name it in the body instead (it is captured), or pass a value that selects one.">
        : T extends PromiseLike<unknown>
          ? GironaTypeError<"girona: promises cannot be arguments of a remote call. Await it first.">
          : T extends symbol | WeakMap<WeakKey, unknown> | WeakSet<WeakKey> | WeakRef<WeakKey>
            ? GironaTypeError<"girona: symbols, WeakMap, WeakSet and WeakRef cannot be copied to another process.">
            : T extends AsyncIterator<unknown, unknown, never> | Iterator<unknown, unknown, never>
              ? GironaTypeError<"girona: a running iterator cannot be copied to another process. Collect it into an array first.">
              : never;

type CannotReturn<R> =
  IsAny<R> extends true
    ? never
    : [R] extends [never]
      ? never
      : R extends AsyncIterator<unknown, unknown, never> | Iterator<unknown, unknown, never>
        ? GironaTypeError<"girona: a distributed function returns one value, and a generator returns many. Return an array, or make it an actor with a next() method.">
        : R extends AnyFunction | AnyClass
          ? GironaTypeError<"girona: a distributed function cannot return a function or a class. Return the data it needs.">
          : never;

/** Why `F` cannot be distributed. `unknown` passes: it is what `F` is while `(n = 1) => n` still has no type. */
type Problem<F> = unknown extends F
  ? never
  : F extends { readonly [distributed]: unknown }
    ? GironaTypeError<"girona: this is distributed already.">
    : F extends AnyClass
      ? F extends new (
          ...args: infer A extends readonly unknown[]
        ) => unknown
        ? { [K in keyof A]-?: CannotSend<A[K]> }[number]
        : GironaTypeError<"girona: an abstract class cannot be distributed. Distribute a subclass.">
      : F extends (this: infer This, ...args: infer A extends readonly unknown[]) => infer R
        ?
            | (unknown extends This
                ? never
                : GironaTypeError<"girona: a distributed function has no `this`. Pass the object as an argument, or distribute its class.">)
            | { [K in keyof A]-?: CannotSend<A[K]> }[number]
            | CannotReturn<Awaited<R>>
        : GironaTypeError<"girona: distribute takes a function, a class, or { module: import.meta.url, name: 'exported' }.">;

/** No restriction when `F` can be distributed, else the reason in words. */
export type Checked<F> = [Problem<F>] extends [never] ? unknown : Problem<F>;

/** The parameters of a remote call: each the value or a ref to it. A surplus argument is an error in words. */
export type RemoteArgs<A extends readonly unknown[]> = number extends A["length"]
  ? { [K in keyof A]: Arg<A[K]> }
  : [
      ...{ [K in keyof A]: Arg<A[K]> },
      ...surplus: GironaTypeError<"girona: more arguments than the function takes. In items.map(f) the index and the whole array would be sent too: write f.map(items) or items.map((x) => f(x)).">[],
    ];

/** What one task needs and how it may fail. */
export interface TaskOptions {
  /** The cluster it runs on. Default: the one opened last that is still open. */
  on?: Cluster | undefined;
  /** Runs again this often after its worker was lost. A thrown error is not retried unless `retryErrors`. Default 3. */
  retries?: number | undefined;
  retryErrors?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Run time after which the worker is stopped and `get` rejects with `TimeoutError`. */
  timeout?: Duration | undefined;
  /** Cores one task uses. Default 1. */
  cpus?: number | undefined;
  gpus?: number | undefined;
  memory?: MemorySize | undefined;
  /** Other resources by name, as the cluster declares them. */
  resources?: Readonly<Record<string, number | undefined>> | undefined;
  /** The name in the dashboard, the costs table and errors. Default: the function's own. */
  name?: string | undefined;
}

export interface MapOptions {
  /** Items per task; `"auto"` (the default) sizes chunks from the measured run time. */
  chunk?: number | "auto" | undefined;
  /** Tasks submitted and not finished at any time; an async iterable is read no faster. Default: what keeps all workers busy. */
  inFlight?: number | undefined;
}

/** `map` of a function that takes (or can do with) one argument; for others, the reason why there is none. */
export type MapMethod<A extends readonly unknown[], R> = A extends readonly [unknown, unknown, ...unknown[]]
  ? GironaTypeError<"girona: .map calls the function with one argument, and it needs more. Make the parameter an object or a tuple.">
  : A extends readonly []
    ? GironaTypeError<"girona: .map calls the function with one argument, and it takes none.">
    : A extends readonly [(infer T)?, ...unknown[]]
      ? <I extends readonly Arg<T>[] | Iterable<Arg<T>> | AsyncIterable<Arg<T>>>(
          items: I,
          options?: MapOptions,
        ) => I extends AsyncIterable<unknown> ? RefStream<R> : RefArray<R>
      : never;

declare const distributed: unique symbol;

/** A distributed function: the same parameters, each a value or a ref; the result is a ref. */
export interface RemoteFunction<A extends readonly unknown[], R> {
  readonly [distributed]: "function";
  (...args: RemoteArgs<A>): Ref<R>;
  /** Only here to fail in words. */
  new (
    calledWithNew: GironaTypeError<"girona: call a remote function without new. Actors come from distributing a class.">,
  ): never;
  /** One call per item, several items per task. Also takes async iterables, such as the lines of a file. */
  readonly map: MapMethod<A, R>;
  /** The same function with other options; this one is left as it is. */
  options(options: TaskOptions): RemoteFunction<A, R>;
}

export interface ActorOptions extends Omit<TaskOptions, "retries" | "retryErrors" | "timeout"> {
  /** Found again with `getActor(name)`, also from other programs on the same cluster. */
  name?: string | undefined;
  /** Started again this often after its process was lost; the state starts anew. Default 0. */
  maxRestarts?: number | undefined;
  /** Calls that may run at the same time. Default 1: in order. */
  concurrency?: number | undefined;
}

type RemoteMethod<F> = F extends (...args: infer A extends readonly unknown[]) => infer R
  ? [{ [K in keyof A]-?: CannotSend<A[K]> }[number] | CannotReturn<Awaited<R>>] extends [never]
    ? (...args: RemoteArgs<A>) => Ref<Copied<Awaited<R>>>
    : { [K in keyof A]-?: CannotSend<A[K]> }[number] | CannotReturn<Awaited<R>>
  : never;

declare const actorOf: unique symbol;

/** A handle to one living instance: its public methods, each returning a ref. Fields stay private to the actor. */
export type Actor<I> = { readonly [actorOf]: I } & {
  readonly [K in keyof I as I[K] extends AnyFunction ? K : never]: RemoteMethod<I[K]>;
};

/** A distributed class: `new` starts a process that holds the instance. */
export interface RemoteClass<A extends readonly unknown[], I> {
  readonly [distributed]: "class";
  new (...args: RemoteArgs<A>): Actor<I>;
  options(options: ActorOptions): RemoteClass<A, I>;
}

/** What `distribute` makes of a function, a class, or a module's export. */
export type Distributed<F> = F extends new (
  ...args: infer A extends readonly unknown[]
) => infer I
  ? RemoteClass<A, I>
  : F extends (...args: infer A extends readonly unknown[]) => infer R
    ? RemoteFunction<A, Copied<Awaited<R>>>
    : RemoteFunction<unknown[], unknown>;

export interface Distribute {
  /**
   * Makes a function or class that runs in the cluster. What it names from outside travels with it.
   *
   * - A generic function loses its type parameters (TypeScript cannot carry them through a type with members): choose
   *   them with an instantiation expression, `distribute(first<number>)`.
   * - By name: `distribute<typeof work>({ module: import.meta.url, name: "work" })`.
   */
  <F>(
    source: (F & Checked<F>) | ModuleSource,
    options?: F extends AnyClass ? ActorOptions : TaskOptions,
  ): Distributed<F>;
  /** What travels with a function or class, distributed already or not. Runs nothing; throws `CaptureError` as a call would. */
  explain(source: AnyFunction | AnyClass | ModuleSource): Explanation;
}
/** What one function or class takes along. `toString` gives the table in words. */
export interface Explanation {
  readonly name: string;
  /** The code as it is sent. */
  readonly source: string;
  /** Code and captured values together. */
  readonly bytes: number;
  readonly captured: readonly Captured[];
  toString(): string;
}
/** One thing that it names from outside. */
export interface Captured {
  readonly name: string;
  /** `module`: imported again by the worker, so only its name travels. */
  readonly kind: "value" | "function" | "class" | "module";
  readonly bytes: number;
  /** `file:line` where it is defined; the specifier of a module. */
  readonly from: string;
}
