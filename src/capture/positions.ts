/** From a line of revived code back to the line the user wrote, for stacks. */
import { codeNamed } from "./origins.js";
import type { Positions } from "./portable.js";

/** The user's place for a place in the code, both lines and columns from 0 but the user's line from 1. */
export function placeInCode(
  positions: Positions,
  line: number,
  column: number,
): { file: string; line: number; column: number } | undefined {
  const { segments, files } = positions;
  let low = 0;
  let high = segments.length / 5;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = segments[middle * 5] ?? 0;
    if (at < line || (at === line && (segments[middle * 5 + 1] ?? 0) <= column)) low = middle + 1;
    else high = middle;
  }
  const [codeLine, codeColumn = 0, file = 0, userLine = 1, userColumn = 0] = segments.slice((low - 1) * 5, low * 5);
  if (low === 0 || codeLine !== line) return undefined;
  const runsAlong = file < 0;
  return {
    file: files[runsAlong ? ~file : file] ?? "",
    line: userLine,
    column: userColumn + (runsAlong ? column - codeColumn : 0),
  };
}

// Everything girona runs in a worker stands below this folder: `src/`, or `dist/` when built.
const ownUrl = new URL("..", import.meta.url).href;
const ownPath = decodeURIComponent(new URL(ownUrl).pathname);

/**
 * A stack as the user would have it: frames of revived code at the user's own file and line, none of girona's own.
 * Other frames, and lines that are no frames, stay as they are.
 *
 * @example
 * import { userStack } from "./index.js";
 *
 * userStack("Error: no\n    at work (girona:fn3:4:12)"); // "Error: no\n    at work (/app/main.ts:17:9)"
 */
export function userStack(stack: string): string {
  const lines: string[] = [];
  for (const line of stack.split("\n")) {
    const frame = /^\s+at /.test(line);
    if (frame && (line.includes(ownUrl) || line.includes(ownPath))) continue;
    const match = frame ? /^(.*?)(girona:fn\d+):(\d+):(\d+)(.*)$/.exec(line) : null;
    if (!match) {
      lines.push(line);
      continue;
    }
    const [, before = "", name = "", row, column, after = ""] = match;
    const code = codeNamed(name);
    const place = code && placeInCode(code.positions, Number(row) - 1, Number(column) - 1);
    // What the code has around the user's functions is girona's.
    if (place) lines.push(`${before}${place.file}:${place.line}:${place.column + 1}${after}`);
    else if (!code) lines.push(line);
  }
  return lines.join("\n");
}
