/**
 * Functions and classes as code: the text as it was written, with the variables around it bound to copies of their
 * values. Functions of one module share its variables; those of enclosing functions and blocks belong to each copy.
 */
import { type Binding, bind } from "./bind.js";
import { asClass, classEdits, heritageOf } from "./classes.js";
import { extrasOf } from "./extras.js";
import { find } from "./found.js";
import { type Inspected, inspect } from "./inspect.js";
import { makerOf } from "./maker.js";
import type { Module } from "./module.js";
import { ModuleCode } from "./modulecode.js";
import type { AnyFunction, Encoded, FunctionPlan } from "./portable.js";
import { placeOf } from "./script.js";
import type { Trail } from "./trail.js";
import type { FunctionEncoder, Values } from "./values.js";

type Draft = { -readonly [K in keyof FunctionPlan]: FunctionPlan[K] };

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
    const found = find(fn, inspected, trail);
    const at: Trail = { ...trail, place: () => placeOf(found.script, found.node.start) };
    const group = this.#group(found.module);
    const plan: Draft = { module: group.index };
    const klass = asClass(found.node);
    const heritage = klass && heritageOf(fn, klass);
    // Before the class itself gets its number: functions are made in the order of their numbers.
    if (heritage) plan.heritage = values.encode(heritage.value, { ...at, variable: `${fn.name} (its superclass)` });
    const encoded = ["function", this.plans.push(plan) - 1] as const;
    values.know(fn, encoded);
    const place = group.reserve();
    values.later(() => {
      const edits = klass ? classEdits(klass, group.name("Super"), group.name("Privates")) : [];
      const onStale = (): void => {
        this.stale = true;
      };
      const locals = bind(found, { group, values, edits, bindings: this.bindings, trail: at, onStale });
      const late = [...locals.values()].filter((value) => !group.isInline(value));
      if (late.length > 0) plan.locals = late;
      group.fill(place, makerOf(found, group, edits, locals));
      Object.assign(plan, extrasOf(found, values, at));
    });
    return encoded;
  }

  #bound(fn: AnyFunction, bound: NonNullable<Inspected["bound"]>, trail: Trail): Encoded {
    const values = this.#values();
    const part = (value: unknown, name: string): Encoded =>
      values.encode(value, { ...trail, variable: `${trail.variable} (${name})` });
    const target = values.encode(bound.target, trail);
    const self = part(bound.self, "its bound this");
    const args = bound.args.map((arg, index) => part(arg, `its bound argument ${index + 1}`));
    return values.node(fn, ["bound", target, self, args]);
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
}
