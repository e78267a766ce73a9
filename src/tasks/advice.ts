/**
 * Mistakes that make code look distributed and run serially, each told once: what, where, what it cost, what to do.
 *
 * The rules read counts that are kept anyway; the place of a call is looked up for the few calls that may matter.
 */
import { showBytes, showSeconds } from "../common/index.js";
import type { Code, Engine, FunctionSnapshot, Held } from "../engine/index.js";
import { callSite } from "./callsite.js";
import { MainThread } from "./main-thread.js";
import { openingAdvice } from "./openings.js";
import type { Advice } from "./types/index.js";

/** `get` right after its submission, this often in a row with nothing else under way, is a loop. */
const loopTurns = 20;
/** An argument of this size, sent this often, is worth a `put`. */
const largeBytes = 1_000_000;
const largeTimes = 10;
/** Calls of a function that say something about its run time. */
const manyCalls = 1000;
/** What a task costs beside its own run, seconds. */
const overhead = 20e-6;
/** Captured data of this size travels to every worker. */
const largeCapture = 10_000_000;

interface Large {
  times: number;
  readonly bytes: number;
  where: string;
  name: string;
}

interface Loop {
  turns: number;
  where: string;
  name: string;
  since: number;
}

/** How a program may call it: a function without a name is known by its place, which is no code. */
const inCode = (name: string): string => (/^[\w$]+$/.test(name) ? name : "f");

export class Adviser {
  readonly #engine: Engine;
  readonly #large = new Map<WeakRef<object>, Large>();
  readonly #largeByValue = new WeakMap<object, Large>();
  readonly #firstCall = new Map<Code, { readonly where: string; times: number }>();
  #calls = 0;
  #lastName: string | undefined;
  #fetchedAt = -1;
  #loop: Loop = { turns: 0, where: "", name: "", since: 0 };
  readonly #loops: Loop[] = [];
  #mainThread: MainThread | undefined;
  #storing = false;

  constructor(engine: Engine) {
    this.#engine = engine;
    const large = engine as { onLarge?: (value: object, bytes: number) => void };
    large.onLarge = (value, bytes) => this.#sawLarge(value, bytes);
  }

  /** Where the program opened the cluster. Not for a task's own session: its thread is busy by design. */
  watchMainThread(openedAt: string): void {
    this.#mainThread = new MainThread(this.#engine, openedAt);
  }

  stop(): void {
    this.#mainThread?.stop();
  }

  /** Tasks were submitted by `.map`. */
  mapped(name: string): void {
    this.#mainThread?.called(name);
  }

  /** A task was submitted by a call. */
  called(code: Code, name: string): void {
    this.#calls++;
    this.#mainThread?.called(name);
    const first = this.#firstCall.get(code);
    if (first) first.times++;
    else this.#firstCall.set(code, { where: callSite(), times: 1 });
    this.#lastName = name;
  }

  /** One ref was given to `get`. */
  fetchedOne(_held: Held): void {
    // A window of calls, or several loops at once, have others under way.
    const onlyOneSince = this.#calls === this.#fetchedAt + 1 && this.#engine.underWay <= 1;
    this.#fetchedAt = this.#calls;
    if (!onlyOneSince || this.#lastName === undefined) {
      this.#loop = { turns: 0, where: "", name: "", since: performance.now() };
      return;
    }
    const loop = this.#loop;
    loop.turns++;
    if (loop.turns === loopTurns) {
      loop.where = callSite();
      loop.name = this.#lastName;
      if (!this.#loops.some(({ where }) => where === loop.where)) this.#loops.push(loop);
    }
  }

  /** What `put` stores is not sent with a task. */
  storing<T>(store: () => T): T {
    this.#storing = true;
    const began = performance.now();
    try {
      return store();
    } finally {
      this.#storing = false;
      this.#mainThread?.spent(performance.now() - began);
    }
  }

  #sawLarge(value: object, bytes: number): void {
    if (bytes < largeBytes || this.#storing) return;
    let seen = this.#largeByValue.get(value);
    if (!seen) {
      seen = { times: 0, bytes, where: "", name: "" };
      this.#largeByValue.set(value, seen);
      this.#large.set(new WeakRef(value), seen);
    }
    seen.times++;
    // The place of the second sight: most large arguments are sent once, and cost nothing here.
    if (seen.times === 2) seen.where = callSite();
  }

  advice(): Advice[] {
    return [
      ...this.#getInLoop(),
      ...this.#largeArguments(),
      ...this.#smallTasks(),
      ...this.#largeCaptures(),
      ...(this.#mainThread?.advice() ?? []),
      ...openingAdvice(),
    ];
  }

  #getInLoop(): Advice[] {
    return this.#loops.map(({ where, name, turns, since }) => ({
      rule: "get-in-loop",
      where,
      what: `get inside the loop that calls ${name}: never more than one task is under way, so ${this.#engine.workers} workers do the work of one`,
      cost: `${turns + 1} calls one after the other in ${showSeconds((performance.now() - since) / 1e3)}`,
      fix: `call all first and fetch them together: const refs = items.map((item) => ${inCode(name)}(item)); await get(refs). Where a call needs the last result, pass its ref: ref = ${inCode(name)}(ref)`,
    }));
  }

  #largeArguments(): Advice[] {
    const found: Advice[] = [];
    for (const { times, bytes, where } of this.#large.values()) {
      if (times < largeTimes) continue;
      found.push({
        rule: "large-argument",
        where,
        what: `the same argument of ${showBytes(bytes)} was sent with ${times} tasks`,
        cost: `${showBytes(bytes * times)} moved`,
        fix: "store it once and pass the ref: const ref = await put(value); f(ref, …)",
      });
    }
    return found;
  }

  #smallTasks(): Advice[] {
    const found: Advice[] = [];
    const functions = new Map(this.#engine.snapshot().functions.map((one) => [one.name, one]));
    for (const [code, { where, times }] of this.#firstCall) {
      const about = functions.get(code.name);
      if (about && times >= manyCalls && about.steps.run.median < overhead)
        found.push(this.#smallTask(about, times, where));
    }
    return found;
  }

  #smallTask({ name, steps }: FunctionSnapshot, calls: number, where: string): Advice {
    const chunk = Math.max(10, Math.round(0.01 / Math.max(steps.run.median, 1e-7)));
    return {
      rule: "small-tasks",
      where,
      what: `${calls} calls of ${name}, each shorter (${showSeconds(steps.run.median)}) than what a task costs beside it (about ${showSeconds(overhead)})`,
      cost: `about ${showSeconds(calls * overhead)} of overhead for ${showSeconds(calls * steps.run.median)} of work`,
      fix: `${inCode(name)}.map(items) puts several items into one task; about ${chunk} pay off`,
    };
  }

  #largeCaptures(): Advice[] {
    const found: Advice[] = [];
    for (const [code, { where }] of this.#firstCall) {
      const size = code.capturedBytes;
      if (size < largeCapture) continue;
      found.push({
        rule: "large-capture",
        where,
        what: `${code.name} takes ${showBytes(size)} along, which every worker receives`,
        cost: `${showBytes(size * this.#engine.workers)} moved`,
        fix: "pass the data as an argument, or put() it and pass the ref; distribute.explain(f) lists what is taken along",
      });
    }
    return found;
  }
}
