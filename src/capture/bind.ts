/** Binds the names that a function takes from outside: to imports made again, or to copies of their values. */
import { readVariable } from "./environment.js";
import type { Found } from "./found.js";
import { type FreeName, freedomOf } from "./free.js";
import { importedValues, registerImports } from "./imported.js";
import { locate, scriptName } from "./inspect.js";
import { isGlobalName } from "./known.js";
import { declarationAround, type ImportBinding, importsMain, viteId } from "./module.js";
import type { ModuleCode } from "./modulecode.js";
import { isClass, isNative } from "./native.js";
import { runsModuleOnce } from "./once.js";
import type { Encoded } from "./portable.js";
import { placeOf } from "./script.js";
import type { Edit } from "./text.js";
import { named, refuse, shown, type Trail } from "./trail.js";
import type { Values } from "./values.js";

/** One name bound to a value, for `explain`. */
export interface Binding {
  readonly name: string;
  readonly encoded: Encoded;
  readonly value: unknown;
  readonly from: string;
}

/** Where the bindings of one function go. */
export interface Target {
  readonly group: ModuleCode;
  readonly values: Values;
  /** Changes to the text of the function. */
  readonly edits: Edit[];
  readonly bindings: Binding[];
  /** Of the function itself. */
  readonly trail: Trail;
  /** An import was learnt of whose value had been copied before: the capture must be made again. */
  onStale(): void;
}

/** Returns the variables that belong to the function alone, from the functions and blocks around it. */
export function bind(found: Found, target: Target): ReadonlyMap<string, Encoded> {
  const { node, script } = found;
  const { group, edits } = target;
  const freedom = freedomOf(node);
  for (const { start, end } of freedom.metas) edits.push({ start, end, text: group.parameter("meta") });
  for (const { start, end } of freedom.dynamicImports) edits.push({ start, end, text: group.parameter("import") });
  for (const { start, end, specifier } of freedom.viteImports) {
    edits.push({ start, end, text: JSON.stringify(viteId(specifier)) });
  }
  if (freedom.names.size > 0) {
    registerImports(found.module, found.inspected, (value) => {
      if (target.values.has(value)) target.onStale();
    });
  }
  const locals = new Map<string, Encoded>();
  for (const free of freedom.names.values()) {
    const at = named(target.trail, free.name, script, free.uses[0]?.start ?? node.start);
    bindName(found, target, free, at, locals);
  }
  return locals;
}

function bindName(found: Found, target: Target, free: FreeName, at: Trail, locals: Map<string, Encoded>): void {
  const { module, path, node, script } = found;
  const { group, values, bindings } = target;
  const { name } = free;
  const isAssigned = free.assigned !== undefined;
  const around = declarationAround(path, name);
  const ofModule = around ? module.levels.has(around.scope) : true;

  const imported = ofModule ? module.imports.get(name) : undefined;
  if (imported) return bindImport(found, target, free, imported, at);
  const given = ofModule ? module.given.get(name) : undefined;
  if (given !== undefined && (!around || around.declaration.kind === "parameter")) return group.alias(name, given);
  if (!around && !isAssigned && isOwnGlobal(found, name)) return;

  const read = readVariable({ ...found, free, around, trail: at });
  if (read.kind === "absent") return;
  const encoded = values.encode(read.value, at);
  const { file, line } = around ? placeOf(script, around.declaration.start) : at.place();
  bindings.push({ name, encoded, value: read.value, from: `${shown(file)}:${line}` });
  if (free.atDefinition) checkDefinition(encoded, values, at);
  if (ofModule) group.variable(name, encoded, isAssigned);
  else if (isAssigned && !runsModuleOnce(script.source.slice(node.start, node.end))) {
    refuse(
      named(at, name, script, free.assigned ?? node.start),
      "the function assigns it, and it belongs to the code around: each worker would change a copy of its own",
      "Return the value instead, or keep the state in a distributed class.",
    );
  } else locals.set(name, encoded);
}

function bindImport(
  { inspected }: Found,
  { group, values, edits, bindings }: Target,
  { name, uses }: FreeName,
  { import: from, member, live }: ImportBinding,
  at: Trail,
): void {
  if (importsMain(from)) {
    refuse(
      at,
      "it is imported from the program's main file, and a worker that imports that would run the whole program",
      "Move it to a module of its own.",
    );
  }
  const index = values.importIndex(from);
  const parameter = group.parameter(index);
  const expression = member === undefined ? parameter : `${parameter}${access(member)}`;
  const [first] = importedValues(inspected, name);
  // A function is bound once; for other values an ES module may give its export a new one later.
  if (live && member !== undefined && typeof first?.[1] !== "function") {
    for (const { start, end, shorthand } of uses) {
      edits.push({ start, end, text: shorthand ? `${name}: ${expression}` : expression });
    }
  } else group.define(name, expression);
  const encoded: Encoded = member === undefined ? ["import", index] : ["import", index, member];
  bindings.push({ name, encoded, value: undefined, from: from.specifier });
  for (const [key, value] of importedValues(inspected, name)) {
    const path: Encoded = key === undefined ? encoded : ["import", index, key];
    if (isClass(value) && !values.classes.has(value)) values.classes.set(value, path);
  }
}

/** Is the name a global that means the same in every process, not one that the user replaced? */
function isOwnGlobal({ inspected }: Found, name: string): boolean {
  if (!isGlobalName(name) || inspected.scopes().some((scope) => Object.hasOwn(scope, name))) return false;
  const value = Object.getOwnPropertyDescriptor(globalThis, name)?.value as unknown;
  if (typeof value !== "function" || isNative(value)) return true;
  const location = locate(value);
  return !location || /^node:/.test(scriptName(location.scriptId));
}

/** What a class takes the name of a member from must be there before any function is. */
function checkDefinition(encoded: Encoded, values: Values, trail: Trail): void {
  const data = Array.isArray(encoded) && encoded[0] === "node" && values.nodes[encoded[1] as number];
  if (!Array.isArray(encoded) || /^(?:symbol|well-known|global|import)$/.test(String(encoded[0]))) return;
  if (data && data.make[0] === "data") return;
  refuse(
    trail,
    "the class takes the name of a member from it, for which the worker would have to run code as the class is made",
    "Use a string or a Symbol.for(...) kept in a const.",
  );
}

function access(member: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(member) ? `.${member}` : `[${JSON.stringify(member)}]`;
}
