/** What `.map` returns for a list: looks and works like an array of refs, and makes a ref only for who asks for it. */
import { inspect } from "node:util";
import { UsageError } from "../common/index.js";
import type { MapJob } from "./map-job.js";

const jobs = new WeakMap<object, MapJob>();

/** The job behind a `RefArray`. */
export function jobOf(value: unknown): MapJob | undefined {
  return typeof value === "object" && value !== null ? jobs.get(value) : undefined;
}

function indexOf(key: string | symbol, length: number): number | undefined {
  if (typeof key !== "string") return undefined;
  const index = Number(key);
  return Number.isInteger(index) && index >= 0 && index < length && String(index) === key ? index : undefined;
}

const shown = (job: MapJob): string =>
  `<${job.length} refs of ${job.label} (${job.done} ready; their values: await get(refs))>`;

const readOnly = (): never => {
  throw new UsageError("What .map returns is read-only; copy it first: [...refs].", { parameter: "refs" });
};

export function refArray(job: MapJob): object {
  // The target is empty but for its length, which a proxy must not lie about.
  const target: unknown[] = [];
  target.length = job.length;
  // Printing looks at the target of a proxy, not through it.
  Object.defineProperty(target, inspect.custom, { value: () => shown(job), configurable: true });
  Object.defineProperty(target, "length", { writable: false });
  const proxy = new Proxy(target, {
    get(_, key, receiver) {
      const index = indexOf(key, job.length);
      if (index !== undefined) return job.ref(index);
      if (key === "chunk") return job.sizer.size;
      if (key === "toJSON") return () => job.ref(0).toJSON();
      return Reflect.get(target, key, receiver);
    },
    has: (_, key) => key === "chunk" || indexOf(key, job.length) !== undefined || Reflect.has(target, key),
    ownKeys: () => [...Array.from({ length: job.length }, (_, i) => String(i)), "length"],
    getOwnPropertyDescriptor(_, key) {
      const index = indexOf(key, job.length);
      // Configurable, because the target has no such property.
      if (index !== undefined) return { value: job.ref(index), enumerable: true, configurable: true, writable: false };
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    set: readOnly,
    defineProperty: readOnly,
    deleteProperty: readOnly,
  });
  jobs.set(proxy, job);
  return proxy;
}
