/** Where in the user's program a call was made. */
import { findSourceMap } from "node:module";
import { fileURLToPath } from "node:url";

const own = new URL("../", import.meta.url).href;
const ownPath = fileURLToPath(own);

function place(frame: string): string | undefined {
  const match = /\(?((?:file:\/\/)?\/[^()]*?|[A-Za-z]:\\[^()]*?):(\d+):(\d+)\)?$/.exec(frame.trim());
  if (!match) return undefined;
  const [, file = "", line, column] = match;
  if (file.startsWith(own) || file.startsWith(ownPath)) return undefined;
  const path = file.startsWith("file:") ? fileURLToPath(file.split("?")[0]!) : file;
  const entry = findSourceMap(file)?.findEntry(Number(line) - 1, Number(column) - 1) as
    | { originalSource?: string; originalLine?: number }
    | undefined;
  if (entry?.originalSource !== undefined && entry.originalLine !== undefined) {
    const source = entry.originalSource.startsWith("file:")
      ? fileURLToPath(entry.originalSource)
      : entry.originalSource;
    return `${source.startsWith("/") ? source : path}:${entry.originalLine + 1}`;
  }
  return `${path}:${line}`;
}

/** `file:line` of the nearest caller outside girona. Costs some microseconds: not for every call. */
export function callSite(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 20;
  const { stack } = new Error();
  Error.stackTraceLimit = limit;
  for (const frame of stack?.split("\n").slice(1) ?? []) {
    const found = place(frame);
    if (found) return found;
  }
  return "unknown";
}
