/** What travels with a function or class, in words. */
import { serialize } from "node:v8";
import { capture, captureFunction, type Detailed } from "./capture.js";
import { isClass } from "./native.js";
import type { AnyFunction, CaptureHost, Encoded, ModuleSource } from "./portable.js";

/** What one function or class takes along. `toString` gives the table in words. */
export interface Explanation {
  readonly name: string;
  /** The code as it is sent. */
  readonly source: string;
  /** Code and captured values together. */
  readonly bytes: number;
  readonly captured: readonly Captured[];
  toString(): string;
}

/** One thing that it names from outside. */
export interface Captured {
  readonly name: string;
  /** `module`: imported again by the worker, so only its name travels. */
  readonly kind: "value" | "function" | "class" | "module";
  readonly bytes: number;
  /** `file:line` where it is defined; the specifier of a module. */
  readonly from: string;
}

/**
 * Captures without sending.
 *
 * @throws CaptureError as `capture` does.
 */
export function explain(source: AnyFunction | ModuleSource, host: CaptureHost): Explanation {
  if (typeof source !== "function") {
    const { portable } = capture(source, host);
    const bytes = Buffer.byteLength(`${portable.module}${portable.export}`);
    const captured: Captured = { name: portable.name, kind: "module", bytes, from: portable.where };
    return table({ name: portable.name, source: "", bytes, captured: [captured] });
  }
  const detailed = captureFunction(source, host);
  const { portable } = detailed;
  const large = portable.large.reduce((sum, part) => sum + part.byteLength, 0);
  return table({
    name: portable.name,
    source: portable.code,
    bytes: Buffer.byteLength(portable.code) + portable.data.byteLength + large,
    captured: captured(detailed),
  });
}

function captured({ bindings, plan, portable }: Detailed): Captured[] {
  const sizes = new Sizes({ plan, portable });
  const seen = new Set<string>();
  const found: Captured[] = [];
  for (const { name, encoded, value, from } of bindings) {
    const key = `${name}\n${from}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const tag = Array.isArray(encoded) ? (encoded[0] as string) : "";
    const kind =
      tag === "import"
        ? "module"
        : typeof value !== "function" || tag === "external"
          ? "value"
          : isClass(value)
            ? "class"
            : "function";
    const bytes =
      tag === "import" ? Buffer.byteLength(from) : tag === "function" ? sizes.text(value) : sizes.of(encoded);
    found.push({ name, kind, bytes, from });
  }
  return found;
}

/** Bytes of values, each counted with the first variable that leads to it. */
class Sizes {
  readonly #of: Pick<Detailed, "plan" | "portable">;
  readonly #counted = new Set<number>();

  constructor(of: Pick<Detailed, "plan" | "portable">) {
    this.#of = of;
  }

  text(fn: unknown): number {
    return Buffer.byteLength(Function.prototype.toString.call(fn));
  }

  of(encoded: Encoded): number {
    if (!Array.isArray(encoded) || encoded[0] !== "node") return serialize(encoded).byteLength;
    const waiting = [encoded[1] as number];
    let bytes = 0;
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (this.#counted.has(index)) continue;
      this.#counted.add(index);
      const node = this.#of.plan.nodes[index];
      if (!node) continue;
      bytes += serialize(node).byteLength;
      const { make } = node;
      if (make[0] === "view" || make[0] === "buffer") bytes += this.#buffer(make[0] === "view" ? make[2] : make[1]);
      else if (make[0] !== "data") references([make, node.properties], waiting);
    }
    return bytes;
  }

  #buffer(index: number): number {
    const plan = this.#of.plan.buffers[index];
    return (typeof plan === "number" ? this.#of.portable.large[plan]?.byteLength : plan?.byteLength) ?? 0;
  }
}

/** The nodes that a part of the plan refers to. */
function references(part: unknown, into: number[]): void {
  if (!Array.isArray(part)) return;
  if (part.length === 2 && part[0] === "node" && typeof part[1] === "number") into.push(part[1]);
  else for (const item of part) references(item, into);
}

function table(facts: Omit<Explanation, "toString">): Explanation {
  const rows = facts.captured.map(({ name, kind, bytes, from }) => [name, kind, size(bytes), from]);
  const all = [["name", "kind", "size", "from"], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) =>
    row.map((cell, column) => (column === 3 ? cell : cell.padEnd(widths[column] ?? 0))).join("  "),
  );
  const text = `${facts.name}: ${size(facts.bytes)} travel to each worker, once\n${rows.length === 0 ? "It names nothing from outside." : lines.join("\n")}`;
  return Object.defineProperty({ ...facts }, "toString", { value: () => text });
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
