/** Functions and classes by number, in the driver and in each worker. */
import { type Capture, capture, instanceProblem, type Portable } from "../../capture/index.js";
import { CaptureError } from "../../common/index.js";
import { type AnyClass, type AnyFunction, type CodeSource, handleKinds } from "../code.js";
import type { ClassRef, CodeRef, Encoded } from "../codec/index.js";
import type { Code } from "../engine.js";
import { Held } from "../held.js";
import { FunctionStatistics } from "./statistics.js";

type Callable = (...args: never) => unknown;

export class CodeInfo implements Code, CodeRef {
  readonly kind = "code";
  readonly id: number;
  name: string;
  where = "";
  /** Absent in a process that only passes the code on. */
  portable: Portable | undefined;
  capturedBytes = 0;
  /** The portable form as it is sent. */
  encoded: Encoded = undefined;
  classes: readonly (Callable | undefined)[] = [];
  /** Per class, why its instances cannot be copied. */
  problems: readonly (string | undefined)[] = [];
  readonly statistics = new FunctionStatistics();

  constructor(id: number, name: string) {
    this.id = id;
    this.name = name;
  }
}

/** What a user's function names that the engine carries itself. */
const captureHost = {
  isExternal(value: object): boolean {
    return value instanceof Held || handleKinds()?.describe(value) !== undefined;
  },
};

interface KnownClass {
  readonly ref: ClassRef;
  readonly side: CodeInfo;
  readonly problem: string | undefined;
}

export class Codes {
  readonly #byNumber = new Map<number, CodeInfo>();
  readonly #bySource = new WeakMap<object, CodeInfo>();
  readonly #byModule = new Map<string, CodeInfo>();
  readonly #classes = new WeakMap<Callable, KnownClass>();
  #next: number;
  /** Only the driver's classes are the same in every process: those that a task defines, nobody else can find. */
  readonly #isDriver: boolean;
  /** Called when a function was captured, with the time it took. */
  onDefined: ((info: CodeInfo) => void) | undefined;

  constructor(firstNumber: number, isDriver: boolean) {
    this.#next = firstNumber;
    this.#isDriver = isDriver;
  }

  get all(): Iterable<CodeInfo> {
    return this.#byNumber.values();
  }

  get(id: number): CodeInfo | undefined {
    return this.#byNumber.get(id);
  }

  /** Captures on the first call; the same source is the same code afterwards. */
  define(source: CodeSource, name: string | undefined): CodeInfo {
    const module = typeof source === "object" ? `${String(source.module)}\0${source.name}` : undefined;
    const known = module === undefined ? this.#bySource.get(source as object) : this.#byModule.get(module);
    if (known) return known;
    const info = new CodeInfo(this.#next++, name ?? "");
    // Known before it is captured: a recursive function names its own handle.
    if (module === undefined) this.#bySource.set(source as object, info);
    else this.#byModule.set(module, info);
    let captured: Capture;
    try {
      captured = capture(source as AnyFunction, captureHost);
    } catch (error) {
      if (module === undefined) this.#bySource.delete(source as object);
      else this.#byModule.delete(module);
      throw error;
    }
    info.portable = captured.portable;
    info.name = name ?? captured.portable.name;
    info.where = captured.portable.where;
    info.capturedBytes = captured.portable.large.reduce(
      (sum, { byteLength }) => sum + byteLength,
      captured.portable.data.byteLength + captured.portable.code.length,
    );
    this.#byNumber.set(info.id, info);
    if (this.#isDriver) {
      info.problems = captured.classes.map((Class) => instanceProblem(Class));
      this.learn(info, captured.classes as readonly Callable[]);
    }
    this.onDefined?.(info);
    return info;
  }

  /** Code that another process defined. */
  receive(id: number, name: string, where: string, portable: Portable | undefined): CodeInfo {
    const known = this.#byNumber.get(id);
    if (known) return known;
    const info = new CodeInfo(id, name);
    info.where = where;
    info.portable = portable;
    this.#byNumber.set(id, info);
    return info;
  }

  /** Which classes this process has of a code. */
  learn(info: CodeInfo, classes: readonly (Callable | undefined)[]): void {
    info.classes = classes;
    classes.forEach((Class, index) => {
      if (Class && !this.#classes.has(Class)) {
        this.#classes.set(Class, { ref: { code: info.id, index }, side: info, problem: info.problems[index] });
      }
    });
  }

  classAt(ref: ClassRef): Callable | undefined {
    return this.#byNumber.get(ref.code)?.classes[ref.index];
  }

  /** How other processes find this class; a class that no function named yet is captured now. */
  classOf(Class: Callable): KnownClass | undefined {
    const known = this.#classes.get(Class);
    if (known || !this.#isDriver) return known;
    try {
      this.define(Class as unknown as AnyClass, undefined);
    } catch (error) {
      if (error instanceof CaptureError) return undefined;
      throw error;
    }
    return this.#classes.get(Class);
  }
}
