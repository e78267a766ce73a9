/** The text that a worker compiles, and where each of its lines stands in the user's files. */
import type { Positions } from "./portable.js";
import { fileOf, lineAndColumn, placeOf, type Script } from "./script.js";
import type { Piece } from "./text.js";

export interface Program {
  readonly code: string;
  readonly positions: Positions;
}

/** Puts the groups of all modules together: an array of functions, one per module. */
export function assemble(groups: readonly (readonly Piece[])[]): Program {
  const pieces: Piece[] = [{ text: "return [\n" }];
  for (const group of groups) pieces.push(...group, { text: ",\n" });
  pieces.push({ text: "];\n" });
  const where = new PositionList();
  let code = "";
  for (const piece of pieces) {
    if (piece.from) where.add(piece.from.script, piece.from.offset, piece.text);
    else where.skip(piece.text);
    code += piece.text;
  }
  return { code, positions: { files: where.files, segments: where.segments } };
}

class PositionList {
  readonly files: string[] = [];
  readonly segments: number[] = [];
  readonly #fileIndex = new Map<string, number>();
  #line = 0;
  #column = 0;

  /** A piece of a script, as it stands there. */
  add(script: Script, offset: number, text: string): void {
    if (script.map) this.#mapped(script, offset, text);
    else this.#plain(script, offset, text);
    this.skip(text);
  }

  skip(text: string): void {
    const last = text.lastIndexOf("\n");
    if (last < 0) this.#column += text.length;
    else {
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#line++;
      this.#column = text.length - last - 1;
    }
  }

  /** One segment per line, along which the columns run. */
  #plain(script: Script, offset: number, text: string): void {
    let line = this.#line;
    let column = this.#column;
    for (let at = 0; ; ) {
      const place = placeOf(script, offset + at);
      this.segments.push(line, column, ~this.#file(place.file), place.line, place.column);
      const next = text.indexOf("\n", at);
      if (next < 0 || next + 1 >= text.length) return;
      at = next + 1;
      line++;
      column = 0;
    }
  }

  /** The segments of the script's own source map, moved. */
  #mapped(script: Script, offset: number, text: string): void {
    const { map } = script;
    if (!map) return;
    const start = lineAndColumn(script, offset);
    const end = lineAndColumn(script, offset + text.length);
    const first = placeOf(script, offset);
    this.segments.push(this.#line, this.#column, this.#file(first.file), first.line, first.column);
    for (let line = start.line; line <= end.line; line++) {
      const shift = line === start.line ? this.#column - start.column : 0;
      for (let index = map.lines[line] ?? 0; index < (map.lines[line + 1] ?? 0); index++) {
        const [column = 0, file = 0, originalLine = 1, originalColumn = 0] = map.segments.subarray(
          index * 5,
          index * 5 + 5,
        );
        if (line === start.line && column <= start.column) continue;
        if (line === end.line && column >= end.column) break;
        const name = map.files[file] ?? fileOf(script.url);
        this.segments.push(
          this.#line + line - start.line,
          column + shift,
          this.#file(name),
          originalLine,
          originalColumn,
        );
      }
    }
  }

  #file(name: string): number {
    let index = this.#fileIndex.get(name);
    if (index === undefined) {
      index = this.files.push(name) - 1;
      this.#fileIndex.set(name, index);
    }
    return index;
  }
}
