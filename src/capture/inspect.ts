/**
 * What only V8's debugger knows about a function: where it was written, and the values of the variables around it.
 *
 * Asked through an inspector session inside this process, which answers synchronously. The `Debugger` domain slows
 * every promise of the process down while it is on (measured: 10x), so it is on only to read a new script, and off
 * again before anything else runs. `Runtime.getProperties` works without it.
 */
import type { Session } from "node:inspector";
import { createRequire } from "node:module";
import { runInThisContext } from "node:vm";
import type { AnyFunction } from "./portable.js";

/** Of one scope: its variables by name, as they are now. Reading one before its declaration ran throws on Node 24. */
export type Scope = Readonly<Record<string, unknown>>;

export interface Location {
  readonly scriptId: string;
  /** From 0. */
  readonly line: number;
  /** From 0. */
  readonly column: number;
}

export interface Inspected {
  /** `undefined` for native and bound functions. */
  readonly location: Location | undefined;
  /** From the innermost outwards; the global object is left out. */
  readonly scopes: () => readonly Scope[];
  readonly bound: { target: AnyFunction; self: unknown; args: readonly unknown[] } | undefined;
  /** Static `#private` fields of a class, by name. */
  readonly privates: () => ReadonlyMap<string, unknown>;
}

/** A script as the debugger reports it. */
export interface ParsedScript {
  readonly scriptId: string;
  readonly url: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly isModule?: boolean;
  readonly sourceMapURL?: string;
}

interface RemoteObject {
  readonly objectId?: string;
  readonly value?: unknown;
}
interface InternalProperty {
  readonly name: string;
  readonly value?: RemoteObject & { readonly value?: { scriptId: string; lineNumber: number; columnNumber: number } };
}
interface Properties {
  readonly result: { name: string; value?: RemoteObject }[];
  readonly internalProperties?: InternalProperty[];
  readonly privateProperties?: { name: string; value?: RemoteObject }[];
}

const group = "girona";
const boxExpression = "globalThis[Symbol.for('girona.capture')]";
const pull = `function () { ${boxExpression}.value = this; }`;

let post: ((method: string, parameters?: object) => unknown) | undefined;
let box: { value: unknown } = { value: undefined };
/** The inspector's name for the box, until `release`: what is asked through it belongs to its group. */
let boxId: string | undefined;
const parsed = new Map<string, ParsedScript>();
const locations = new WeakMap<AnyFunction, Location>();

function session(): (method: string, parameters?: object) => unknown {
  if (post) return post;
  const inspector = createRequire(import.meta.url)("node:inspector") as { Session: new () => Session };
  const opened = new inspector.Session();
  opened.connect();
  opened.on("Debugger.scriptParsed", ({ params }) => parsed.set(params.scriptId, params as ParsedScript));
  const send = (method: string, parameters?: object): unknown => {
    let answer: { error: Error | null; result: unknown } | undefined;
    opened.post(method, parameters, (error, result) => {
      answer = { error, result };
    });
    if (!answer) throw new Error(`the inspector did not answer ${method} at once`);
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  };
  // Values are handed over by a box on the global object of the main context, where the session evaluates.
  const mainGlobal = runInThisContext("globalThis") as object;
  const key = Symbol.for("girona.capture");
  // A second copy of the package in this process uses the same one.
  box = (Reflect.get(mainGlobal, key) as typeof box | undefined) ?? box;
  Object.defineProperty(mainGlobal, key, { value: box, configurable: true });
  post = send;
  return send;
}

function take(object: RemoteObject | undefined): unknown {
  if (object?.objectId === undefined) return object?.value;
  session()("Runtime.callFunctionOn", { objectId: object.objectId, functionDeclaration: pull });
  const { value } = box;
  box.value = undefined;
  return value;
}

/** The inspector's name for a function. */
function handle(fn: AnyFunction): string | undefined {
  const send = session();
  boxId ??= (send("Runtime.evaluate", { expression: boxExpression, objectGroup: group }) as { result: RemoteObject })
    .result.objectId;
  box.value = fn;
  const { result } = properties(boxId);
  box.value = undefined;
  return result.find(({ name }) => name === "value")?.value?.objectId;
}

function properties(objectId: string | undefined): Properties {
  return session()("Runtime.getProperties", { objectId, ownProperties: true }) as Properties;
}

/** Where a function was written, if that is known already or can be asked: see `inspect`. */
export function locate(fn: AnyFunction): Location | undefined {
  return locations.get(fn) ?? inspect(fn).location;
}

/** Asks about one function. The answers live until `release`. */
export function inspect(fn: AnyFunction): Inspected {
  const own = properties(handle(fn));
  const internal = (name: string): InternalProperty["value"] =>
    own.internalProperties?.find((property) => property.name === name)?.value;

  const at = internal("[[FunctionLocation]]")?.value;
  const location = at && { scriptId: at.scriptId, line: at.lineNumber, column: at.columnNumber };
  if (location) locations.set(fn, location);

  const target = internal("[[TargetFunction]]");
  const bound = target && {
    target: take(target) as AnyFunction,
    self: take(internal("[[BoundThis]]")),
    args: Array.from(take(internal("[[BoundArgs]]")) as ArrayLike<unknown>),
  };

  return {
    location,
    bound,
    scopes: once(() => {
      // Not iterable, and each entry holds the variables as an object made for us; the last is the global object.
      const list = take(internal("[[Scopes]]")) as ArrayLike<{ object: Scope }> | undefined;
      const count = list ? list.length - 1 : 0;
      return Array.from({ length: count }, (_, index) => list?.[index]?.object ?? {});
    }),
    privates: once(() => new Map((own.privateProperties ?? []).map(({ name, value }) => [name, take(value)]))),
  };
}

/** Lets go of everything asked since the last time; what was taken out stays usable. */
export function release(): void {
  if (boxId === undefined) return;
  boxId = undefined;
  session()("Runtime.releaseObjectGroup", { objectGroup: group });
}

/** Facts and text of a script. Turns the debugger on for a moment. */
export function readScript(scriptId: string): { script: ParsedScript; source: string } | undefined {
  const send = session();
  send("Debugger.enable");
  try {
    const script = parsed.get(scriptId);
    if (!script) return undefined;
    const { scriptSource } = send("Debugger.getScriptSource", { scriptId }) as { scriptSource: string };
    return { script, source: scriptSource };
  } finally {
    send("Debugger.disable");
  }
}

/** What V8 calls a script: its URL or file, or `node:...` for one of Node's own. */
export function scriptName(scriptId: string): string {
  if (!parsed.has(scriptId)) readScript(scriptId);
  return parsed.get(scriptId)?.url ?? "";
}

/** Facts of every script this process has loaded; after `readScript`. */
export function parsedScripts(): Iterable<ParsedScript> {
  return parsed.values();
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
