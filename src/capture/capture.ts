/** Captures one function or class: what it is made of, and everything it names, as plain data. */
import { basename, isAbsolute } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { serialize } from "node:v8";
import { CaptureError, UsageError } from "../common/index.js";
import type { Binding } from "./bind.js";
import { Functions } from "./functions.js";
import { inspect, release } from "./inspect.js";
import { isKnownFunction, knownValue, refreshKnown } from "./known.js";
import { needsTsx } from "./loader.js";
import { isClass } from "./native.js";
import type { AnyFunction, Capture, CaptureHost, Encoded, ModuleSource, Plan, Portable } from "./portable.js";
import { assemble } from "./program.js";
import { pathTo, placeOf, scriptOf } from "./script.js";
import type { Place } from "./sourcemap.js";
import { shown, type Trail } from "./trail.js";
import { Values } from "./values.js";

/** A capture with what `explain` tells of it. */
export interface Detailed extends Capture {
  readonly plan: Plan;
  readonly bindings: readonly Binding[];
}

/**
 * Makes a function or class portable. Runs none of the user's code.
 *
 * @throws CaptureError naming the variable, file and line of what cannot travel.
 * @throws UsageError when the module form names a module in a way that only a file could resolve.
 */
export function capture(source: AnyFunction | ModuleSource, host: CaptureHost): Capture {
  if (typeof source !== "function") return { portable: byName(source), classes: [] };
  const { portable, classes } = captureFunction(source, host);
  return { portable, classes };
}

/** Captures by value; imports learnt on the way can make a second pass necessary, so that identities agree. */
export function captureFunction(fn: AnyFunction, host: CaptureHost): Detailed {
  refreshKnown();
  try {
    for (;;) {
      const found = attempt(fn, host);
      if (found) return found;
    }
  } finally {
    release();
  }
}

function attempt(fn: AnyFunction, host: CaptureHost): Detailed | undefined {
  const place = whereIs(fn);
  const name = displayName(fn, place);
  const trail: Trail = { root: name, variable: name, place: () => place ?? { file: "(native)", line: 1, column: 0 } };
  const functions: Functions = new Functions(() => values);
  const values: Values = new Values(host, functions);
  // A function given to be captured travels as code even where others would import it.
  const root = knownValue(fn) ?? functions.add(fn, trail);
  if (isClass(fn)) values.classes.set(fn, root);
  const { buffers, large } = values.finish();
  if (functions.stale) return undefined;

  const groups = functions.modules.map((group) => group.finish());
  const { code, positions } = assemble(groups.map(({ pieces }) => pieces));
  const plan: Plan = {
    imports: values.imports,
    modules: groups.map((group) => group.plan),
    functions: functions.plans,
    nodes: values.nodes,
    buffers,
    root,
    classes: [...values.classes.values()],
  };
  const portable: Portable = {
    name,
    isClass: isClass(fn),
    where: place ? `${shown(place.file)}:${place.line}` : name,
    code,
    data: packed(plan, trail),
    large,
    external: values.external,
    positions,
    tsx: functions.modules.some(({ script }) => needsTsx(script)),
  };
  return { portable, classes: [...values.classes.keys()], plan, bindings: functions.bindings };
}

function packed(plan: Plan, trail: Trail): Uint8Array {
  try {
    const { buffer, byteOffset, byteLength } = serialize(plan);
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch (cause) {
    const { file, line } = trail.place();
    const reason = `what it names cannot be serialised: ${(cause as Error).message}`;
    throw new CaptureError(`${trail.root} cannot be sent to a worker (${shown(file)}:${line}): ${reason}.`, {
      variable: trail.variable,
      reason,
      file,
      line,
      cause,
    });
  }
}

/** Where a function is written; `undefined` for native ones. */
function whereIs(fn: AnyFunction): Place | undefined {
  const { location, bound } = inspect(fn);
  if (bound) return whereIs(bound.target);
  if (!location || isKnownFunction(fn)) return undefined;
  const script = scriptOf(location.scriptId);
  const node = pathTo(script, Function.prototype.toString.call(fn), location)?.at(-1);
  return node && placeOf(script, node.start);
}

function displayName(fn: AnyFunction, place: Place | undefined): string {
  const name: unknown = fn.name;
  if (typeof name === "string" && name !== "") return name;
  return place ? `anonymous (${basename(place.file)}:${place.line})` : "anonymous";
}

/** The module form: only names travel. */
function byName({ module, name }: ModuleSource): Portable {
  const url = moduleUrl(module);
  return {
    name,
    isClass: undefined,
    where: url.startsWith("file:") ? shown(fileURLToPath(url)) : url,
    code: "",
    data: new Uint8Array(0),
    large: [],
    external: [],
    module: url,
    export: name,
    positions: { files: [], segments: [] },
    tsx: needsTsx({ url, hasSourceMap: undefined }),
  };
}

function moduleUrl(module: string | URL): string {
  const text = String(module);
  if (isAbsolute(text)) return pathToFileURL(text).href;
  if (/^[a-z][a-z+.-]+:/i.test(text) && URL.canParse(text)) return new URL(text).href;
  throw new UsageError(
    `module: ${JSON.stringify(text)} was given, and from which file it is meant cannot be known. Give import.meta.url for the file itself, import.meta.resolve(${JSON.stringify(text)}) for another one, or an absolute path.`,
    { parameter: "module" },
  );
}

export type { Encoded };
