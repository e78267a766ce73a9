/** What a user holds of a value in the cluster. Each engine has its own subclass; users see it as `Ref`. */
import { inspect } from "node:util";
import { UsageError } from "../common/index.js";

export type HeldState = "pending" | "ready" | "failed";

/**
 * Not a promise on purpose, and not its value either: printing names `get`, and using it as a value is an error in words,
 * because silently computing with a reference is worse than stopping.
 */
export abstract class Held {
  abstract get id(): string;
  /** The function's name, or `put`. */
  abstract get label(): string;
  abstract get state(): HeldState;

  toString(): string {
    return `Ref ${this.label}#${this.id} (${this.state}; its value: await get(ref))`;
  }

  toJSON(): never {
    throw new UsageError(
      `A Ref cannot be written as JSON: ${this.label}#${this.id} is held in the cluster. Write its value: await get(ref).`,
      { parameter: "ref" },
    );
  }

  [Symbol.toPrimitive](hint: string): string {
    if (hint === "string") return this.toString();
    throw new UsageError(
      `A Ref is not its value: ${this.label}#${this.id} is held in the cluster. Fetch it first: await get(ref).`,
      { parameter: "ref" },
    );
  }

  [inspect.custom](): string {
    return `<${this.toString()}>`;
  }
}
