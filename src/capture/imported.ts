/** What the imports of a module hold in this process, by which values are known again as imports. */
import { types } from "node:util";
import type { Inspected } from "./inspect.js";
import { importsMain, type Module } from "./module.js";
import { isBundlerExport, isNative } from "./native.js";
import { remember } from "./origins.js";

/** What an import binding holds: itself under `undefined`, and the exports when it is a module. */
export function* importedValues(
  inspected: Inspected,
  name: string,
): Iterable<[key: string | undefined, value: unknown]> {
  let value: unknown;
  try {
    value = inspected.scopes().find((scope) => Object.hasOwn(scope, name))?.[name];
  } catch {
    return; // not run yet
  }
  yield [undefined, value];
  if (typeof value !== "object" || value === null || types.isProxy(value)) return;
  // Reading an export of an ES module runs nothing, and vitest's modules are made alike.
  const isModule = Object.prototype.toString.call(value) === "[object Module]";
  for (const key of Object.keys(value)) {
    const descriptor = isModule ? undefined : Object.getOwnPropertyDescriptor(value, key);
    const found = isModule || (descriptor && isBundlerExport(descriptor)) ? read(value, key) : descriptor?.value;
    if (found !== undefined) yield [key, found];
  }
}

/** The export, if it has its value yet. */
function read(module: object, key: string): unknown {
  try {
    return Reflect.get(module, key);
  } catch {
    return undefined;
  }
}

const registered = new WeakSet<Module>();

/**
 * Functions and classes that a module imports are known by identity from now on, so that they are imported again.
 * `onLearnt` is called for each.
 */
export function registerImports(module: Module, inspected: Inspected, onLearnt: (value: object) => void): void {
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
      onLearnt(value);
    }
    if (member === undefined) {
      const [first] = importedValues(inspected, name);
      if (types.isModuleNamespaceObject(first?.[1])) remember(first?.[1], { import: from });
    }
  }
}
