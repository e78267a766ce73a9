/** Handles (distributed functions, classes, actors) in terms of the engine, which carries them from process to process. */
import { type CodeSource, type HandleDescription, setHandleKinds } from "../engine/index.js";

const descriptions = new WeakMap<object, () => HandleDescription>();

/** Makes a value a handle. */
export function describeHandle(handle: object, describe: () => HandleDescription): void {
  descriptions.set(handle, describe);
}

export function handleOf(value: object): HandleDescription | undefined {
  return descriptions.get(value)?.();
}

type Revive = (description: HandleDescription) => unknown;

/** How each kind is made again where it arrived; set by the files that make them. */
export const revivers: { [K in HandleDescription["kind"]]?: Revive } = {};

setHandleKinds({ describe: handleOf, revive: (description) => revivers[description.kind]!(description) });

/** The source behind a handle, or the value itself. */
export function sourceOf(value: unknown): CodeSource {
  const handle = typeof value === "function" ? handleOf(value) : undefined;
  return handle?.source ?? (value as CodeSource);
}
