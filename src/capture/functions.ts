/**
 * Functions and classes as code: the text as it was written, with the variables around it bound to copies of their
 * values. Functions of one module share its variables; those of enclosing functions and blocks belong to each copy.
 */
import { types } from "node:util";
import type * as Acorn from "acorn";
import type { Node } from "acorn";
import { asClass, classEdits, heritageOf, instancePrivate, isFromText, staticPrivateFields } from "./classes.js";
import { readVariable } from "./environment.js";
import { freedomOf } from "./free.js";
import { type Inspected, inspect, locate, scriptName } from "./inspect.js";
import { isGlobalName } from "./known.js";
import { declarationAround, type ImportBinding, importsMain, type Module, moduleOf, viteId } from "./module.js";
import { ModuleCode } from "./modulecode.js";
import { isNative } from "./native.js";
import { runsModuleOnce } from "./once.js";
import { remember } from "./origins.js";
import type { AnyFunction, Encoded, FunctionPlan, PrototypePlan } from "./portable.js";
import { hasDirective, pathTo, type Script, scriptOf, userName } from "./script.js";
import { type Edit, edited, type Piece } from "./text.js";
import { named, refuse, shown, type Trail } from "./trail.js";
import { type FunctionEncoder, integrityOf, type Values } from "./values.js";

type Draft = { -readonly [K in keyof FunctionPlan]: FunctionPlan[K] };

/** One name bound to a value, for `explain`. */
export interface Binding {
  readonly name: string;
  readonly encoded: Encoded;
  readonly value: unknown;
  readonly from: string;
}

/** A function found in its script. */
interface Found {
  readonly fn: AnyFunction;
  readonly inspected: Inspected;
  readonly script: Script;
  readonly module: Module;
  /** From the program to the function itself. */
  readonly path: readonly Node[];
  readonly node: Node;
}

const registered = new WeakSet<Module>();

export class Functions implements FunctionEncoder {
  readonly plans: Draft[] = [];
  readonly modules: ModuleCode[] = [];
  readonly bindings: Binding[] = [];
  /** An import was learnt of whose value had been copied before: the capture must be made again. */
  stale = false;
  readonly #values: () => Values;
  readonly #byModule = new Map<Module, ModuleCode>();

  constructor(values: () => Values) {
    this.#values = values;
  }

  add(fn: AnyFunction, trail: Trail): Encoded {
    const values = this.#values();
    const inspected = inspect(fn);
    if (inspected.bound) return this.#bound(fn, inspected.bound, trail);
    const found = this.#find(fn, inspected, trail);
    const at: Trail = { ...trail, place: () => placeOfFunction(found) };
    const group = this.#group(found.module);
    const plan: Draft = { module: group.index };
    const klass = asClass(found.node);
    const heritage = klass && heritageOf(fn, klass);
    // Before the class itself gets its number: functions are made in the order of their numbers.
    if (heritage) plan.heritage = values.encode(heritage.value, { ...at, variable: `${fn.name} (its superclass)` });
    const index = this.plans.push(plan) - 1;
    const encoded = ["function", index] as const;
    values.know(fn, encoded);
    const place = group.reserve();
    values.later(() => {
      const edits = klass ? classEdits(klass, group.name("Super"), group.name("Privates")) : [];
      const locals = this.#bind(found, group, edits, plan, at);
      group.fill(place, this.#maker(found, group, edits, locals));
      this.#extras(found, plan, at);
    });
    return encoded;
  }

  closedReason(owner: AnyFunction): { reason: string; advice: string } | undefined {
    const location = locate(owner);
    if (!location) return undefined;
    const { name } = owner;
    if (/^node:/.test(scriptName(location.scriptId))) {
      return {
        reason: `it is an object of Node.js (${name}), which stays in its process, as open files, sockets and streams do`,
        advice: "Make it inside the function.",
      };
    }
    const script = scriptOf(location.scriptId);
    const node = pathTo(script, Function.prototype.toString.call(owner), location)?.at(-1);
    const klass = node && asClass(node);
    const hidden = klass && instancePrivate(klass);
    if (!hidden) return undefined;
    return {
      reason: `it is an instance of ${name}, whose ${userName(script, hidden.offset, hidden.name)} cannot be read from outside`,
      advice: `Make the instance inside the function, or distribute ${name} itself.`,
    };
  }

  #bound(fn: AnyFunction, bound: NonNullable<Inspected["bound"]>, trail: Trail): Encoded {
    const values = this.#values();
    const target = values.encode(bound.target, trail);
    const self = values.encode(bound.self, { ...trail, variable: `${trail.variable} (its bound this)` });
    const args = bound.args.map((arg, i) =>
      values.encode(arg, { ...trail, variable: `${trail.variable} (bound ${i})` }),
    );
    return values.node(fn, ["bound", target, self, args]);
  }

  #find(fn: AnyFunction, inspected: Inspected, trail: Trail): Found {
    const name = fn.name === "" ? "it" : fn.name;
    const { location } = inspected;
    if (!location || isNative(fn)) {
      return refuse(trail, `${name} is a native function, which has no source`, "Wrap it: (x) => native(x).");
    }
    if (/^node:/.test(scriptName(location.scriptId))) {
      return refuse(
        trail,
        `${name} is an internal function of Node.js`,
        "Import what it belongs to inside the function.",
      );
    }
    const script = scriptOf(location.scriptId);
    const path = pathTo(script, Function.prototype.toString.call(fn), location);
    const node = path?.at(-1);
    if (!path || !node) {
      return refuse(
        trail,
        `the source of ${name} was not found in ${shown(script.url)}`,
        "Distribute it by name: distribute({ module: import.meta.url, name: ... }).",
      );
    }
    const found: Found = { fn, inspected, script, module: moduleOf(script, path), path, node };
    const at: Trail = { ...trail, place: () => placeOfFunction(found) };
    if (path.some((outer) => outer.type === "WithStatement")) {
      refuse(at, "it is written inside a `with` statement, whose names cannot be known", "Move it out.");
    }
    for (const { offset, variable, reason, advice } of freedomOf(node).troubles) {
      refuse(named(trail, variable, script, offset), reason, advice);
    }
    return found;
  }

  #group(module: Module): ModuleCode {
    let group = this.#byModule.get(module);
    if (!group) {
      group = new ModuleCode(module, this.modules.length);
      this.modules.push(group);
      this.#byModule.set(module, group);
    }
    return group;
  }

  /** Binds every name the function takes from outside. Returns the local ones. */
  #bind(found: Found, group: ModuleCode, edits: Edit[], plan: Draft, trail: Trail): Map<string, Encoded> {
    const { node, script, module, path } = found;
    const freedom = freedomOf(node);
    const locals = new Map<string, Encoded>();
    for (const { start, end } of freedom.metas) edits.push({ start, end, text: group.parameter("meta") });
    for (const { start, end } of freedom.dynamicImports) edits.push({ start, end, text: group.parameter("import") });
    for (const { start, end, specifier } of freedom.viteImports) {
      edits.push({ start, end, text: JSON.stringify(viteId(specifier)) });
    }
    if (freedom.names.size > 0) this.#register(found);
    for (const free of freedom.names.values()) {
      const { name, uses } = free;
      const at = named(trail, name, script, uses[0]?.start ?? node.start);
      const around = declarationAround(path, name);
      const ofModule = around ? module.levels.has(around.scope) : true;
      const imported = ofModule ? module.imports.get(name) : undefined;
      if (imported) {
        this.#import(found, group, edits, name, uses, imported, at);
        continue;
      }
      const given = ofModule ? module.given.get(name) : undefined;
      if (given !== undefined && (!around || around.declaration.kind === "parameter")) {
        group.alias(name, given);
        continue;
      }
      if (!around && !free.assigned && this.#isOwnGlobal(found, name)) continue;
      const read = readVariable({ ...found, free, around, trail: at });
      if (read.kind === "absent") continue;
      const encoded = this.#values().encode(read.value, at);
      this.bindings.push({
        name,
        encoded,
        value: read.value,
        from: this.#definedAt(found, around?.declaration.start, at),
      });
      if (free.atDefinition) this.#atDefinition(encoded, at);
      if (ofModule) group.variable(name, encoded, free.assigned !== undefined);
      else if (free.assigned !== undefined && !runsModuleOnce(script.source.slice(node.start, node.end))) {
        refuse(
          named(trail, name, script, free.assigned),
          "the function assigns it, and it belongs to the code around: each worker would change a copy of its own",
          "Return the value instead, or keep the state in a distributed class.",
        );
      } else locals.set(name, encoded);
    }
    const late = [...locals].filter(([, encoded]) => !group.isInline(encoded));
    if (late.length > 0) plan.locals = late.map(([, encoded]) => encoded);
    return locals;
  }

  /** Is the name a global that means the same in every process, not one that the user replaced? */
  #isOwnGlobal({ inspected }: Found, name: string): boolean {
    if (!isGlobalName(name) || inspected.scopes().some((scope) => Object.hasOwn(scope, name))) return false;
    const value = Object.getOwnPropertyDescriptor(globalThis, name)?.value as unknown;
    if (typeof value !== "function" || isNative(value)) return true;
    const location = locate(value);
    return !location || /^node:/.test(scriptName(location.scriptId));
  }

  #atDefinition(encoded: Encoded, trail: Trail): void {
    const data = Array.isArray(encoded) && encoded[0] === "node" && this.#values().nodes[encoded[1] as number];
    if (!Array.isArray(encoded) || /^(?:symbol|well-known|global|import)$/.test(String(encoded[0]))) return;
    if (data && data.make[0] === "data") return;
    refuse(
      trail,
      "the class takes the name of a member from it, for which the worker would have to run code as the class is made",
      "Use a string or a Symbol.for(...) kept in a const.",
    );
  }

  #import(
    found: Found,
    group: ModuleCode,
    edits: Edit[],
    name: string,
    uses: readonly { start: number; end: number; shorthand: boolean }[],
    { import: from, member, live }: ImportBinding,
    trail: Trail,
  ): void {
    if (importsMain(from)) {
      refuse(
        trail,
        "it is imported from the program's main file, and a worker that imports that would run the whole program",
        "Move it to a module of its own.",
      );
    }
    const values = this.#values();
    const index = values.importIndex(from);
    const parameter = group.parameter(index);
    const expression = member === undefined ? parameter : `${parameter}${access(member)}`;
    const [first] = importedValues(found.inspected, name);
    // A function is bound once; for other values an ES module may give its export a new one later.
    if (live && member !== undefined && typeof first?.[1] !== "function") {
      for (const { start, end, shorthand } of uses) {
        edits.push({ start, end, text: shorthand ? `${name}: ${expression}` : expression });
      }
    } else group.define(name, expression);
    const encoded: Encoded = member === undefined ? ["import", index] : ["import", index, member];
    this.bindings.push({ name, encoded, value: undefined, from: from.specifier });
    for (const [key, value] of importedValues(found.inspected, name)) {
      const path: Encoded = key === undefined ? encoded : ["import", index, key];
      if (isUserClass(value) && !values.classes.has(value)) values.classes.set(value, path);
    }
  }

  /** Functions and classes that a module imports are known by identity from now on, so that they are imported again. */
  #register({ module, inspected }: Found): void {
    if (registered.has(module)) return;
    registered.add(module);
    for (const [name, binding] of module.imports) {
      const { import: from, member } = binding;
      if (importsMain(from)) continue;
      for (const [key, value] of importedValues(inspected, name)) {
        if (typeof value !== "function" || isNative(value)) continue;
        const exported = member ?? key;
        if (member !== undefined && key !== undefined) continue;
        remember(value, exported === undefined ? { import: from } : { import: from, member: exported });
        if (this.#values().has(value)) this.stale = true;
      }
      if (member === undefined) {
        const [first] = importedValues(inspected, name);
        if (types.isModuleNamespaceObject(first?.[1])) remember(first?.[1], { import: from });
      }
    }
  }

  #definedAt({ script }: Found, offset: number | undefined, trail: Trail): string {
    const { file, line } = offset === undefined ? trail.place() : named(trail, "", script, offset).place();
    return `${shown(file)}:${line}`;
  }

  /** An expression that makes the function once its module is set up: a function of what it needs at that moment. */
  #maker({ fn, script, node, path }: Found, group: ModuleCode, edits: Edit[], locals: Map<string, Encoded>): Piece[] {
    const klass = asClass(node);
    const parameters = [
      ...(klass?.superClass ? [group.name("Super")] : []),
      ...(klass && staticPrivateFields(klass).length > 0 ? [group.name("Privates")] : []),
    ];
    if (klass && !klass.superClass && parameters.length > 0) parameters.unshift(group.name("Super"));
    const expression = this.#expression(fn, script, node, edits);
    const open = `(${parameters.join(", ")}) => `;
    const strict = !group.strict && isStrict(path) ? `"use strict"; ` : "";
    if (locals.size === 0 && strict === "") return [{ text: open }, ...expression];
    const inline = [...locals].filter(([, encoded]) => group.isInline(encoded));
    const late = [...locals].filter(([, encoded]) => !group.isInline(encoded)).map(([name]) => name);
    const { names } = freedomOf(node);
    const consts = inline
      .map(
        ([name, encoded]) =>
          `${names.get(name)?.assigned === undefined ? "const" : "let"} ${name} = ${group.inline(encoded)}; `,
      )
      .join("");
    if (late.length === 0) return [{ text: `${open}{ ${strict}${consts}return ` }, ...expression, { text: "; }" }];
    const argument = late.includes("$") ? "$$$" : "$";
    const set = late.map((name, index) => `${name} = ${argument}[${index}];`).join(" ");
    return [
      { text: `${open}{ ${strict}${consts}let ${late.join(", ")}; return [() => ` },
      ...expression,
      { text: `, (${argument}) => { ${set} }]; }` },
    ];
  }

  /** The text as an expression that gives the function its name. */
  #expression(fn: AnyFunction, script: Script, node: Node, edits: Edit[]): Piece[] {
    const name = ownName(fn);
    if (node.type === "MethodDefinition" || node.type === "Property") {
      const method = node as Acorn.MethodDefinition | Acorn.Property;
      const { key, computed, kind } = method;
      const accessor = kind === "get" || kind === "set" ? kind : undefined;
      const quoted = JSON.stringify(accessor ? name.replace(/^[gs]et /, "") : name);
      // From before a computed key's bracket to behind it.
      const start = computed ? script.source.lastIndexOf("[", key.start) : key.start;
      const end = computed ? script.source.indexOf("]", key.end) + 1 : key.end;
      edits.push({ start, end, text: `[${quoted}]` });
      const isStatic = node.type === "MethodDefinition" && (method as Acorn.MethodDefinition).static;
      const from = isStatic
        ? node.start + (/^static\s+/.exec(script.source.slice(node.start, start))?.[0].length ?? 0)
        : node.start;
      const text = edited(
        script,
        from,
        node.end,
        edits.filter((edit) => edit.start >= from),
      );
      return accessor
        ? [{ text: "Object.getOwnPropertyDescriptor({ " }, ...text, { text: ` }, ${quoted}).${accessor}` }]
        : [{ text: "({ " }, ...text, { text: ` })[${quoted}]` }];
    }
    const text = edited(script, node.start, node.end, edits);
    const hasName = Boolean((node as Acorn.FunctionExpression).id);
    if (hasName || name === "") return [{ text: "(" }, ...text, { text: ")" }];
    const quoted = JSON.stringify(name);
    return [{ text: `({ [${quoted}]: ` }, ...text, { text: ` })[${quoted}]` }];
  }

  /** Own properties, static fields, and what was done to the prototype. */
  #extras(found: Found, plan: Draft, trail: Trail): void {
    const { fn, script, node, inspected } = found;
    const values = this.#values();
    const klass = asClass(node);
    const isOwnStatic = klass ? isFromText(script, klass, true) : () => false;
    const hasPlainPrototype = isPlainPrototype(fn);
    const given = (node as Acorn.FunctionExpression).id?.name ?? ownName(fn);
    const properties = values.properties(
      fn,
      trail,
      (key, descriptor) =>
        key === "length" ||
        key === "arguments" ||
        key === "caller" ||
        (key === "name" && (descriptor.value === given || descriptor.value === "")) ||
        (key === "prototype" && hasPlainPrototype) ||
        isOwnStatic(key, descriptor),
      true,
    );
    if (properties.length > 0) plan.properties = properties;
    if (klass) {
      const fields = staticPrivateFields(klass);
      if (fields.length > 0) {
        const current = inspected.privates();
        plan.privates = fields.map((name) =>
          values.encode(current.get(name), { ...trail, variable: `${fn.name}.${name}` }),
        );
      }
    }
    const prototype = hasPlainPrototype ? this.#prototype(found, trail) : undefined;
    if (prototype) plan.prototype = prototype;
    const integrity = integrityOf(fn);
    if (integrity) plan.integrity = integrity;
  }

  #prototype({ fn, script, node }: Found, trail: Trail): PrototypePlan | undefined {
    const prototype = (fn as { prototype?: object }).prototype;
    if (!prototype) return undefined;
    const values = this.#values();
    const klass = asClass(node);
    const isOwn = klass ? isFromText(script, klass, false) : () => false;
    const at: Trail = { ...trail, variable: `${trail.variable}.prototype` };
    const properties = values.properties(prototype, at, (key, d) => key === "constructor" || isOwn(key, d), true);
    const parent = Object.getPrototypeOf(prototype) as object | null;
    const isUsual = klass !== undefined || (node as Acorn.FunctionExpression).generator || parent === Object.prototype;
    const integrity = integrityOf(prototype);
    if (properties.length === 0 && isUsual && !integrity) return undefined;
    return {
      properties,
      ...(!isUsual && { parent: values.encode(parent, at) }),
      ...(integrity && { integrity }),
    };
  }
}

function placeOfFunction({ script, node }: Found): ReturnType<Trail["place"]> {
  return named(
    { root: "", variable: "", place: () => ({ file: "", line: 0, column: 0 }) },
    "",
    script,
    node.start,
  ).place();
}

function ownName(fn: AnyFunction): string {
  const name = Object.getOwnPropertyDescriptor(fn, "name")?.value as unknown;
  return typeof name === "string" ? name : "";
}

/** Has it the prototype object that it was made with? */
function isPlainPrototype(fn: AnyFunction): boolean {
  const prototype = (fn as { prototype?: unknown }).prototype;
  if (typeof prototype !== "object" || prototype === null) return true;
  const owner = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value as unknown;
  return owner === fn || /Generator/.test(Object.prototype.toString.call(prototype));
}

function isUserClass(value: unknown): value is AnyFunction {
  if (typeof value !== "function" || isNative(value)) return false;
  return Object.getOwnPropertyDescriptor(value, "prototype")?.writable === false;
}

/** What an import binding holds: itself under `undefined`, and the exports when it is a module. */
function* importedValues(inspected: Inspected, name: string): Iterable<[key: string | undefined, value: unknown]> {
  let value: unknown;
  try {
    value = inspected.scopes().find((scope) => Object.hasOwn(scope, name))?.[name];
  } catch {
    return; // not run yet
  }
  yield [undefined, value];
  if (typeof value !== "object" || value === null || types.isProxy(value)) return;
  const isModule = Object.prototype.toString.call(value) === "[object Module]";
  for (const key of Object.keys(value)) {
    const descriptor = isModule || "__esModule" in value ? moduleExport(value, key) : undefined;
    const found = descriptor ?? (Object.getOwnPropertyDescriptor(value, key)?.value as unknown);
    if (found !== undefined) yield [key, found];
  }
}

/** Reading an export runs no code of the user's, but may come too early. */
function moduleExport(module: object, key: string): unknown {
  try {
    return (module as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

function access(member: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(member) ? `.${member}` : `[${JSON.stringify(member)}]`;
}

function isStrict(path: readonly Node[]): boolean {
  return path.some((node) => asClass(node) !== undefined || hasDirective(node));
}
