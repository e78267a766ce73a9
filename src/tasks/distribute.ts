/** `distribute`: a function, a class, or a module's export becomes one that runs in the cluster. */
import { type Explanation, explain } from "../capture/index.js";
import { UsageError } from "../common/index.js";
import { type Code, type CodeSource, type Engine, Held, type ModuleSource } from "../engine/index.js";
import { remoteClass } from "./actors.js";
import { ChunkSizer } from "./chunk-size.js";
import { describeHandle, handleOf, revivers, sourceOf } from "./handles.js";
import { frozenItem } from "./items.js";
import { MapJob } from "./map-job.js";
import { checkNames, checkOptions, count, taskSpec } from "./options.js";
import { refArray } from "./ref-array.js";
import { StreamJob } from "./ref-stream.js";
import { type Session, sessionOf } from "./session.js";
import type { ActorOptions, Distribute, MapOptions, TaskOptions } from "./types/index.js";

/** Known in the engine at hand; captured there at the first call. */
interface Known {
  readonly engine: Engine;
  readonly code: Code;
}

function accepted(source: unknown): CodeSource {
  if (typeof source === "function") {
    if (handleOf(source))
      throw new UsageError("distribute: this is distributed already; for other options use .options({ … }).", {
        parameter: "source",
      });
    return source as CodeSource;
  }
  const { module, name } = (source ?? {}) as Partial<ModuleSource>;
  if ((typeof module === "string" || module instanceof URL) && typeof name === "string") return { module, name };
  const given = source === null ? "null" : source instanceof Promise ? "a promise" : typeof source;
  throw new UsageError(
    `distribute: ${given} was given; it takes a function, a class, or { module: import.meta.url, name: "exported" }.`,
    {
      parameter: "source",
    },
  );
}

/** An array's items are copied with their chunk; a generator may give the same object again and again, changed each time. */
function listOf(engine: Engine, items: Iterable<unknown>, name: string): unknown[] {
  if (Array.isArray(items)) return Array.from(items);
  return Array.from(items, (item) => frozenItem(engine, item, name));
}

const isClass = (source: unknown): boolean =>
  typeof source === "function" && /^class\b/.test(Function.prototype.toString.call(source));

/**
 * `arrived`: the code of a function that came from another process, in place of its source. `row`: what the profile calls it,
 * whatever its calls are named.
 */
function remoteFunction(
  source: CodeSource | undefined,
  options: TaskOptions,
  arrived: Code | undefined,
  row: string | undefined,
): unknown {
  const ownName = arrived?.name ?? (source as { name?: string }).name ?? "";
  let spec = taskSpec(options, ownName || "anonymous");
  let known: Known | undefined;

  const codeIn = (engine: Engine): Code => {
    if (arrived) return arrived;
    if (known?.engine !== engine) {
      known = { engine, code: engine.define(source!, row) };
      // A function without a name is called by its place, which capture finds.
      if (!ownName) spec = taskSpec(options, known.code.name);
    }
    return known.code;
  };
  const ready = (): { session: Session; code: Code } => {
    const session = sessionOf(options.on);
    return { session, code: codeIn(session.engine) };
  };

  function remote(...args: unknown[]): Held {
    if (new.target)
      throw new UsageError(`${spec.name} is a distributed function: call it without new.`, { parameter: "new" });
    const { session, code } = ready();
    const held = session.engine.submit(code, args, spec);
    session.adviser.called(code, spec.name);
    return held;
  }

  function map(items: unknown, mapOptions: MapOptions = {}): object {
    checkNames(mapOptions, ["chunk", "inFlight"], `${spec.name}.map`);
    const { session, code } = ready();
    const { engine } = session;
    const sizer = new ChunkSizer(
      spec.timeoutMs > 0 && mapOptions.chunk === undefined ? 1 : mapOptions.chunk,
      engine.workers,
    );
    const inFlight = count("inFlight", mapOptions.inFlight, engine.workers * 2, { least: 1 });
    if (typeof items === "object" && items !== null) {
      if (Symbol.iterator in items) {
        const job = new MapJob(
          engine,
          code,
          spec,
          listOf(engine, items as Iterable<unknown>, spec.name),
          sizer,
          inFlight,
        );
        session.adviser.mapped(spec.name);
        return refArray(job);
      }
      if (Symbol.asyncIterator in items)
        return new StreamJob(engine, code, spec, items as AsyncIterable<unknown>, sizer, inFlight);
    }
    throw new UsageError(
      `${spec.name}.map: ${items === null ? "null" : typeof items} was given; it takes an array, another iterable, or an async iterable.`,
      {
        parameter: "items",
      },
    );
  }

  Object.defineProperty(remote, "name", { value: spec.name });
  Object.assign(remote, {
    map,
    options: (more: TaskOptions) => {
      checkOptions(more, "function");
      return remoteFunction(source, { ...options, ...more }, arrived, row);
    },
  });
  const { on: _here, signal: _local, ...travelling } = options;
  describeHandle(remote, () => ({ kind: "function", source, target: arrived, options: travelling }));
  return remote;
}

revivers.function = ({ target, options }) =>
  remoteFunction(undefined, options as TaskOptions, target as Code, undefined);

function distributeAny(source: unknown, given: TaskOptions & ActorOptions = {}): unknown {
  const checked = accepted(source);
  checkOptions(given, typeof checked !== "function" ? "either" : isClass(checked) ? "class" : "function");
  // A copy: what the caller does to the object afterwards changes nothing.
  const options = { ...given };
  if (isClass(checked)) return remoteClass(checked, options);
  return typeof checked === "function"
    ? remoteFunction(checked, options, undefined, options.name)
    : fromModule(checked as ModuleSource, options);
}

/** What a module's export is only its worker sees: called, it is a function; called with `new`, a class. */
function fromModule(source: ModuleSource | undefined, options: TaskOptions & ActorOptions, arrived?: Code): unknown {
  checkOptions(options, "either");
  let asFunction: ((...args: unknown[]) => unknown) | undefined;
  let asClass: (new (...args: unknown[]) => unknown) | undefined;
  const callable = () => {
    asFunction ??= remoteFunction(source, options, arrived, options.name) as (...args: unknown[]) => unknown;
    return asFunction as typeof asFunction & { map(items: unknown, mapOptions?: MapOptions): unknown };
  };
  function either(...args: unknown[]): unknown {
    if (!new.target) return callable()(...args);
    asClass ??= remoteClass(source, options, arrived) as new (...args: unknown[]) => unknown;
    return new asClass(...args);
  }
  Object.defineProperty(either, "name", { value: arrived?.name ?? source!.name });
  Object.assign(either, {
    map: (items: unknown, mapOptions?: MapOptions) => callable().map(items, mapOptions),
    options: (more: TaskOptions & ActorOptions) => {
      checkOptions(more, "either");
      return fromModule(source, { ...options, ...more }, arrived);
    },
  });
  const { on: _here, signal: _local, ...travelling } = options;
  describeHandle(either, () => ({ kind: "module", source, target: arrived, options: travelling }));
  return either;
}

revivers.module = ({ target, options }) => fromModule(undefined, options as TaskOptions, target as Code);

const captureHost = { isExternal: (value: object) => value instanceof Held || handleOf(value) !== undefined };

/** What travels with a function or class, distributed already or not. Runs nothing; throws `CaptureError` as a call would. */
function explainAny(source: unknown): Explanation {
  const handle = typeof source === "function" && handleOf(source);
  return explain((handle ? sourceOf(source) : accepted(source)) as never, captureHost);
}

/**
 * Makes a function or class that runs in the cluster. What it names from outside travels with it: captured at the first
 * call, and as it was then.
 *
 * @example
 * const factor = 3;
 * const scaled = distribute((x: number) => x * factor);
 * console.log(await get(scaled(14))); // 42
 * @throws UsageError for what is no function, and for wrong options; a call throws CaptureError for what cannot travel
 */
export const distribute: Distribute = Object.assign(distributeAny, { explain: explainAny }) as unknown as Distribute;
