/** Items of `.map` that come one by one. */
import { type Engine, Held } from "../engine/index.js";

/** Copied when it is read, because its source may change it for the next one; what cannot change stays as it is. */
export function frozenItem(engine: Engine, item: unknown, name: string): unknown {
  const changeable = (typeof item === "object" && item !== null) || typeof item === "function";
  return changeable && !(item instanceof Held) ? engine.freeze(item, `an item of ${name}.map`) : item;
}
