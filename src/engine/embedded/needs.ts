/** Which functions a receiver must know before it reads a value. */
import { Payload } from "../codec/index.js";
import type { CodeInfo } from "./codes.js";

export function codesIn(value: unknown, found: (code: CodeInfo) => void): void {
  if (!(value instanceof Payload)) return;
  for (const side of value.sides) {
    if (!("kind" in side)) continue;
    const code = side.kind === "code" ? side : side.code;
    if (code) found(code as CodeInfo);
  }
}
