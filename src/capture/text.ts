/** Code put together from pieces of the user's scripts, each of which remembers where it came from. */
import type { Script } from "./script.js";

export interface Piece {
  readonly text: string;
  /** Where it stands in a script, when it is the user's own. */
  readonly from?: { readonly script: Script; readonly offset: number };
}

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text of a script from `start` to `end`, with the edits made; they may not overlap. */
export function edited(script: Script, start: number, end: number, edits: readonly Edit[]): Piece[] {
  const pieces: Piece[] = [];
  let at = start;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start > at) pieces.push(original(script, at, edit.start));
    if (edit.text !== "") pieces.push({ text: edit.text });
    at = edit.end;
  }
  if (end > at) pieces.push(original(script, at, end));
  return pieces;
}

function original(script: Script, start: number, end: number): Piece {
  return { text: script.source.slice(start, end), from: { script, offset: start } };
}
