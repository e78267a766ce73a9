/** Runs the tasks a worker was sent, one after the other; while one waits for other tasks, the next one runs. */
import { userStack } from "../../../capture/worker.js";
import { UsageError } from "../../../common/index.js";
import {
  type DecodeHost,
  decode,
  type Encoded,
  type EncodeHost,
  encode,
  encodeList,
  isPrimitive,
  Payload,
  type SideWriter,
  type Writer,
  writeValue,
} from "../../codec/index.js";
import { type Claims, monotonicMs } from "../claims.js";
import { Deque } from "../deque.js";
import { fewTasks, Outcome, TaskFlag } from "../protocol.js";
import type { WorkerCodes } from "./codes.js";
import { endOpenLines } from "./lines.js";

export interface Task {
  readonly sequence: number;
  readonly flags: number;
  readonly code: number;
  readonly method: string | undefined;
  /** What the user calls it, where that is not the code's own name. */
  readonly name: string | undefined;
  readonly args: readonly Encoded[];
}

type Callable = (...args: unknown[]) => unknown;

/** Results go out after this long at the latest, ms, unless a task runs. */
const batchMs = 0.25;
/** A function that once took longer than this may hold up results that are ready: they go out before it starts, ms. */
const slowMs = 0.2;

/** Where results are written; `sent` is called when they should go out. */
export interface ResultSink {
  readonly writer: Writer;
  readonly sides: SideWriter;
  begin(): void;
  /** The result is complete. */
  end(): void;
  /** Sends the open frame. */
  flush(): void;
  /** Makes the functions known that the value names, before the frame of results is opened. */
  announce(value: Encoded): void;
}

export class Runner {
  /** Requests inside tasks that wait. */
  blocked = 0;
  concurrency = 1;
  /** Each result goes out before the next task starts. */
  prompt = true;
  /** The actor's instance. */
  instance: object | undefined;
  readonly #queue = new Deque<Task>();
  readonly #codes: WorkerCodes;
  readonly #claims: Claims | undefined;
  readonly #encodeHost: EncodeHost;
  readonly #decodeHost: DecodeHost;
  readonly #sink: ResultSink;
  readonly #slow = new Set<number>();
  readonly #clockOffset = monotonicMs() - performance.now();
  #running = 0;
  #current: string | undefined;
  #unsentSince = 0;
  #held = false;

  constructor(
    codes: WorkerCodes,
    claims: Claims | undefined,
    encodeHost: EncodeHost,
    decodeHost: DecodeHost,
    sink: ResultSink,
  ) {
    this.#codes = codes;
    this.#claims = claims;
    this.#encodeHost = encodeHost;
    this.#decodeHost = decodeHost;
    this.#sink = sink;
  }

  /** The name of the one task that runs. */
  get current(): string | undefined {
    return this.#running <= 1 ? this.#current : undefined;
  }

  get idle(): boolean {
    return this.#running === 0 && this.#queue.length === 0;
  }

  push(task: Task): void {
    this.#queue.push(task);
  }

  /** An actor's calls wait until it is constructed. */
  hold(held: boolean): void {
    this.#held = held;
    if (!held) this.drain();
  }

  drain(): void {
    if (this.#held) return;
    while (this.#queue.length > 0 && this.#running - Math.min(this.blocked, this.#running) < this.concurrency) {
      const task = this.#queue.shift()!;
      if (this.#claims && !this.#claims.claim(task.sequence)) {
        this.#write(task, Outcome.skipped, 0, 0, 0, undefined);
        continue;
      }
      if ((this.prompt && this.#queue.length < fewTasks) || this.#slow.has(task.code)) this.#flush();
      this.#start(task);
      if (this.#unsentSince > 0 && performance.now() - this.#unsentSince > batchMs) this.#flush();
    }
    this.#flush();
  }

  #start(task: Task): void {
    this.#running++;
    this.#current = nameOf(task, this.#codes.name(task.code));
    let callable: Callable | undefined;
    try {
      callable = this.#callable(task);
    } catch (error) {
      this.#fail(task, error, 0, 0);
      return;
    }
    let missing: Promise<unknown> | undefined = callable ? undefined : this.#codes.ready(task.code);
    for (const argument of task.args) {
      const needed = isPrimitive(argument) ? undefined : this.#codes.missing(argument);
      if (needed) missing = missing ? Promise.all([missing, needed]) : needed;
    }
    if (!missing) {
      this.#call(task, callable!);
      return;
    }
    missing
      .then(
        () => this.#call(task, this.#callable(task)!),
        (error: unknown) => this.#fail(task, error, 0, 0),
      )
      .finally(() => this.drain());
  }

  #callable(task: Task): Callable | undefined {
    if (task.method === undefined) return this.#codes.get(task.code) as Callable | undefined;
    const { instance } = this;
    const method = (instance as { [name: string]: unknown } | undefined)?.[task.method];
    if (typeof method !== "function") {
      const name = this.#codes.name(task.code);
      throw new UsageError(`${name} has no method ${task.method}().`, { parameter: task.method });
    }
    return (...args) => Reflect.apply(method, instance, args);
  }

  #call(task: Task, callable: Callable): void {
    const began = performance.now();
    this.#claims?.startItem(0, began + this.#clockOffset);
    let transfer = 0;
    let start = began;
    const { args: encoded } = task;
    const args: unknown[] = new Array(encoded.length);
    try {
      let decoded = false;
      for (let i = 0; i < encoded.length; i++) {
        const argument = encoded[i];
        if (argument instanceof Payload) {
          args[i] = decode(argument, this.#decodeHost);
          decoded = true;
        } else args[i] = argument;
      }
      if (decoded) {
        start = performance.now();
        transfer = start - began;
      }
      if (task.flags & TaskFlag.each) {
        const items = task.flags & TaskFlag.separate ? args : (args[0] as unknown[]);
        this.#each(task, callable, items, start, transfer);
        return;
      }
      const result = callable(...args);
      if (isPromiseLike(result)) {
        result.then(
          (value) => this.#finishLater(task, value, start, transfer),
          (error: unknown) => this.#failLater(task, error, start, transfer),
        );
        return;
      }
      this.#finish(task, result, start, transfer);
    } catch (error) {
      this.#fail(task, error, performance.now() - start, transfer);
    }
  }

  #finish(task: Task, result: unknown, start: number, transfer: number): void {
    const end = performance.now();
    const runMs = end - start;
    if (runMs > slowMs) this.#slow.add(task.code);
    let value: Encoded;
    if (isPrimitive(result)) value = result;
    else {
      try {
        value = encode(result, this.#encodeHost, `result of ${this.#current ?? "a task"}`);
      } catch (error) {
        this.#fail(task, error, runMs, transfer);
        return;
      }
      transfer += performance.now() - end;
    }
    this.#running--;
    this.#write(task, Outcome.value, runMs, transfer, 0, value);
  }

  #finishLater(task: Task, result: unknown, start: number, transfer: number): void {
    this.#finish(task, result, start, transfer);
    this.drain();
  }

  #failLater(task: Task, error: unknown, start: number, transfer: number): void {
    this.#fail(task, error, performance.now() - start, transfer);
    this.drain();
  }

  #fail(task: Task, error: unknown, runMs: number, transfer: number): void {
    this.#running--;
    this.#write(task, Outcome.error, runMs, transfer, 0, this.error(error));
  }

  /** An error ready to travel, with its stack in the user's own files. Whatever was thrown, this does not throw. */
  error(error: unknown): Encoded {
    let why: unknown;
    try {
      if (error instanceof Error && typeof error.stack === "string") {
        const stack = userStack(error.stack);
        // A frozen error keeps the stack it has.
        if (stack !== error.stack) Reflect.set(error, "stack", stack);
      }
      return encode(error, this.#encodeHost, "the error");
    } catch (failure) {
      why = failure;
    }
    const reason = why instanceof UsageError ? why.message : "looking at it throws";
    return encode(
      new Error(`The task threw something that cannot be copied: ${reason}`),
      this.#encodeHost,
      "the error",
    );
  }

  /** One call per item; continues asynchronously from the first promise on. */
  #each(task: Task, callable: Callable, items: readonly unknown[], start: number, transfer: number): void {
    const values: unknown[] = new Array(items.length);
    const errors: [number, unknown][] = [];
    const done = () => {
      const runMs = performance.now() - start;
      const failed: [number, Encoded][] = errors.map(([index, error]) => [index, this.error(error)]);
      let list: Encoded;
      try {
        list = encodeList(values, this.#encodeHost, `results of ${this.#codes.name(task.code)}.map`);
      } catch {
        // One result that cannot travel must not take the others with it.
        list = this.#eachAlone(values, failed);
      }
      this.#running--;
      this.#write(
        task,
        Outcome.value,
        runMs,
        transfer + (performance.now() - start - runMs),
        items.length,
        list,
        failed,
      );
    };
    const step = (from: number): Promise<void> | undefined => {
      for (let i = from; i < items.length; i++) {
        if (this.#claims && items.length > 1) this.#claims.startItem(i, performance.now() + this.#clockOffset);
        try {
          const result = callable(items[i]);
          if (isPromiseLike(result)) {
            return Promise.resolve(result)
              .then(
                (value) => {
                  values[i] = value;
                },
                (error: unknown) => {
                  errors.push([i, error]);
                },
              )
              .then(() => step(i + 1));
          }
          values[i] = result;
        } catch (error) {
          errors.push([i, error]);
        }
      }
      return undefined;
    };
    const rest = step(0);
    if (!rest) done();
    else {
      void rest.then(() => {
        done();
        this.drain();
      });
    }
  }

  #eachAlone(values: unknown[], failed: [number, Encoded][]): Encoded {
    for (let i = 0; i < values.length; i++) {
      try {
        encode(values[i], this.#encodeHost, "result");
      } catch (error) {
        values[i] = undefined;
        failed.push([i, this.error(error)]);
      }
    }
    return encodeList(values, this.#encodeHost, "results");
  }

  #write(
    task: Task,
    outcome: number,
    runMs: number,
    transferMs: number,
    items: number,
    value: Encoded,
    errors: readonly [number, Encoded][] = [],
  ): void {
    const { writer, sides } = this.#sink;
    if (value instanceof Payload) this.#sink.announce(value);
    for (const [, error] of errors) this.#sink.announce(error);
    // After the announcements, which are frames of their own.
    this.#sink.begin();
    writer.u32(task.sequence);
    writer.u8(outcome);
    writer.f32(runMs);
    writer.f32(transferMs);
    writer.u32(items);
    writeValue(writer, value, sides);
    if (items > 0) {
      writer.u32(errors.length);
      for (const [index, error] of errors) {
        writer.u32(index);
        writeValue(writer, error, sides);
      }
    }
    this.#sink.end();
    endOpenLines();
    if (this.#unsentSince === 0) this.#unsentSince = performance.now();
  }

  #flush(): void {
    if (this.#unsentSince === 0) return;
    this.#unsentSince = 0;
    this.#sink.flush();
  }
}

function nameOf({ name, method }: Task, code: string): string {
  return name ?? (method === undefined ? code : `${code}.${method}`);
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}
