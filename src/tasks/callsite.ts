/** Where in the user's program a call was made. */
import { findSourceMap } from "node:module";
import { fileURLToPath } from "node:url";

const own = fileURLToPath(new URL("../", import.meta.url));

/** Frames looked at: the user's is the first outside of girona. */
const depth = 30;

/** The frames as they are, not as Node prints them: with source maps on, a printed stack is mapped already. */
function frames(): NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = depth;
  Error.prepareStackTrace = (_, sites) => sites;
  try {
    return new Error().stack as unknown as NodeJS.CallSite[];
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const pathOf = (file: string): string => (file.startsWith("file:") ? fileURLToPath(file.split("?")[0]!) : file);

function place(site: NodeJS.CallSite): string | undefined {
  const file = site.getFileName();
  if (!file || file.startsWith("node:") || !(file.startsWith("file:") || file.startsWith("/"))) return undefined;
  const path = pathOf(file);
  if (path.startsWith(own)) return undefined;
  const line = site.getLineNumber() ?? 1;
  const entry = (findSourceMap(file) ?? findSourceMap(path))?.findEntry(line - 1, (site.getColumnNumber() ?? 1) - 1) as
    | { originalSource?: string; originalLine?: number }
    | undefined;
  if (entry?.originalSource === undefined || entry.originalLine === undefined) return `${path}:${line}`;
  const source = pathOf(entry.originalSource);
  return `${source.startsWith("/") ? source : path}:${entry.originalLine + 1}`;
}

/** `file:line` of the nearest caller outside girona. Costs some microseconds: not for every call. */
export function callSite(): string {
  for (const site of frames()) {
    const found = place(site);
    if (found) return found;
  }
  return "unknown";
}
