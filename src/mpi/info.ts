/** Settings for the library. */
import { addon } from "./addon.js";
import { shown, throwUsageError } from "./errors.js";
import type { Info, InfoLike } from "./types.js";

export class Settings implements Info {
  readonly #number: number;
  #freed = false;

  constructor(number: number) {
    this.#number = number;
  }

  static of(settings: Readonly<Record<string, string>> = {}): Settings {
    const made = new Settings(addon.infoCreate(-1));
    for (const [key, value] of Object.entries(settings)) made.set(key, value);
    return made;
  }

  get number(): number {
    return this.#number;
  }

  get size(): number {
    return this.keys().length;
  }

  get(key: string): string | undefined {
    return addon.infoGet(this.#number, key);
  }

  set(key: string, value: string): this {
    if (typeof key !== "string" || typeof value !== "string")
      throwUsageError("Info.set", "value", `must be a text, as the key must, not ${shown(value)}`);
    addon.infoSet(this.#number, key, value);
    return this;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  delete(key: string): void {
    addon.infoDelete(this.#number, key);
  }

  keys(): string[] {
    return addon.infoKeys(this.#number);
  }

  entries(): [key: string, value: string][] {
    return this.keys().map((key) => [key, this.get(key) ?? ""]);
  }

  dup(): Info {
    return new Settings(addon.infoCreate(this.#number));
  }

  free(): void {
    addon.infoFree(this.#number);
    this.#freed = true;
  }

  [Symbol.dispose](): void {
    if (!this.#freed) this.free();
  }
}

/** Calls with the settings' number, -1 without any; those that were made for the call go after it. */
export function withInfo<R>(info: InfoLike | undefined, call: (number: number) => R): R {
  if (info === undefined) return call(-1);
  if (info instanceof Settings) return call(info.number);
  const made = Settings.of(info as Readonly<Record<string, string>>);
  try {
    return call(made.number);
  } finally {
    made.free();
  }
}
