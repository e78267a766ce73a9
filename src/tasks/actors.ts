/** Distributed classes: `new` starts a process that holds the instance. */

import { inspect } from "node:util";
import type { GironaTypeError } from "../common/index.js";
import { UsageError } from "../common/index.js";
import type { ActorHandle, Code, CodeSource, Engine } from "../engine/index.js";
import { describeHandle, handleOf, revivers } from "./handles.js";
import { actorSpec, checkOptions } from "./options.js";
import { anySession, currentSession, sessionOf } from "./session.js";
import type { Actor, ActorOptions } from "./types/index.js";

/** Names that printing, testing and awaiting look up on anything: no methods, and no errors either. */
const probes = new Set<string>([
  "then",
  "toJSON",
  "constructor",
  "asymmetricMatch",
  "nodeType",
  "tagName",
  "$$typeof",
  "hasAttribute",
  "inspect",
  "valueOf",
  "length",
]);

interface Owned {
  readonly engine: Engine;
  readonly actor: ActorHandle;
}

const owners = new WeakMap<object, Owned>();
const dropped = new FinalizationRegistry<Owned>(({ engine, actor }) => engine.dropActor(actor));

/** Method names of a class, its parents' included; `undefined` when this process has not got the class. */
function methodsOf(source: CodeSource | undefined): ReadonlySet<string> | undefined {
  if (typeof source !== "function") return undefined;
  const names = new Set<string>();
  for (
    let at = source.prototype as object | null;
    at && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    for (const name of Object.getOwnPropertyNames(at)) {
      if (name !== "constructor" && typeof Object.getOwnPropertyDescriptor(at, name)!.value === "function")
        names.add(name);
    }
  }
  return names;
}

function actorProxy(engine: Engine, actor: ActorHandle, methods: ReadonlySet<string> | undefined): object {
  const calls = new Map<string, (...args: unknown[]) => unknown>();
  const text = `<Actor ${actor.label}${methods ? ` (methods: ${[...methods].join(", ")})` : ""}>`;
  // Printing looks at the target of a proxy, not through it.
  const target = Object.create(null, { [inspect.custom]: { value: () => text } }) as object;
  const proxy: object = new Proxy(target, {
    get(_, key) {
      if (typeof key === "symbol") {
        if (key === Symbol.toPrimitive || key === inspect.custom) return () => text;
        return undefined;
      }
      if (probes.has(key) && !methods?.has(key)) return key === "toJSON" ? () => text : undefined;
      let call = calls.get(key);
      if (!call) {
        // A field may hold a function, so an unknown name is only told when it is called.
        call = (...args: unknown[]) => {
          if (methods && !methods.has(key)) {
            throw new UsageError(
              `${actor.label} has no method ${key}(); it has: ${[...methods].join(", ") || "none"}. Fields stay private to the actor: read them in a method.`,
              {
                parameter: key,
              },
            );
          }
          return engine.callActor(actor, key, args);
        };
        calls.set(key, call);
      }
      return call;
    },
    has: (_, key) => typeof key === "string" && (methods?.has(key) ?? false),
    set: (_, key) => {
      throw new UsageError(
        `${actor.label}.${String(key)} cannot be set from outside: the actor lives in another process. Write a method that sets it.`,
        {
          parameter: String(key),
        },
      );
    },
  });
  owners.set(proxy, { engine, actor });
  dropped.register(proxy, { engine, actor });
  describeHandle(proxy, () => ({
    kind: "actor",
    source: undefined,
    target: actor,
    options: { methods: methods && [...methods] },
  }));
  return proxy;
}

/** `arrived`: the code of a class from another process, in place of its source. */
export function remoteClass(source: CodeSource | undefined, options: ActorOptions, arrived?: Code): unknown {
  const label = arrived?.name || (source as { name?: string }).name || "anonymous class";
  const spec = actorSpec(options, label);
  const methods = methodsOf(source);
  let known: { engine: Engine; code: Code } | undefined;

  function RemoteClass(...args: unknown[]): object {
    if (!new.target)
      throw new UsageError(`${label} is a distributed class: call it with new, which starts an actor.`, {
        parameter: "new",
      });
    const { engine } = sessionOf(options.on);
    if (known?.engine !== engine) known = { engine, code: arrived ?? engine.define(source!, undefined) };
    return actorProxy(engine, engine.createActor(known.code, args, spec), methods);
  }
  Object.defineProperty(RemoteClass, "name", { value: label });
  Object.assign(RemoteClass, {
    options: (more: ActorOptions) => {
      checkOptions(more, "class");
      return remoteClass(source, { ...options, ...more }, arrived);
    },
  });
  const { on: _here, signal: _local, ...travelling } = options;
  describeHandle(RemoteClass, () => ({ kind: "class", source, target: arrived, options: travelling }));
  return RemoteClass;
}

revivers.class = ({ target, options }) => remoteClass(undefined, options as ActorOptions, target as Code);
revivers.actor = ({ target, options }) => {
  const { methods } = options as { methods: string[] | undefined };
  return actorProxy(currentSession().engine, target as ActorHandle, methods && new Set(methods));
};

/**
 * The living actor of that name: `getActor<Counter>("counter")`. Names are per session.
 *
 * @throws UsageError when there is none; the message lists those there are.
 */
export async function getActor<I = GironaTypeError<"girona: write getActor<Counter>(name)">>(
  name: string,
): Promise<Actor<I>> {
  const { engine } = anySession() ? currentSession() : noSession(name);
  return actorProxy(engine, await engine.findActor(name), undefined) as Actor<I>;
}

function noSession(name: string): never {
  throw new UsageError(`There is no actor named "${name}": no cluster is open, and named actors live in one.`, {
    parameter: "name",
  });
}

/** Ends an actor's process; its waiting calls reject with `CancelledError`. */
export async function kill(actor: Actor<unknown>): Promise<void> {
  const owned = owners.get(actor);
  if (!owned || !handleOf(actor))
    throw new UsageError(
      "kill: something else than an actor was given; it takes what new made of a distributed class.",
      { parameter: "actor" },
    );
  await owned.engine.killActor(owned.actor);
}
