/** A script the process has loaded: its text, its syntax tree, and where each piece stands in the user's own files. */
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type * as Acorn from "acorn";
import type { Node, Program } from "acorn";
import { CaptureError } from "../common/index.js";
import { type Location, readScript } from "./inspect.js";
import { codeNamed } from "./origins.js";
import { placeInCode } from "./positions.js";
import { type Place, readSourceMap, type SourceMap, segmentAt } from "./sourcemap.js";

export interface Script {
  readonly id: string;
  /** A file URL where the script has a file; else what V8 calls it, such as `REPL3`. */
  readonly url: string;
  /** As V8 prints it in stacks. */
  readonly name: string;
  readonly source: string;
  readonly isModule: boolean;
  readonly hasSourceMap: boolean;
  readonly map: SourceMap | undefined;
  readonly program: Program;
  /** Offset of each line. */
  readonly lines: readonly number[];
  readonly startLine: number;
  readonly startColumn: number;
}

const scripts = new Map<string, Script>();

/** The script of that id, read and parsed once. */
export function scriptOf(id: string): Script {
  const known = scripts.get(id);
  if (known) return known;
  const found = readScript(id);
  if (!found) throw new Error(`V8 no longer has the script ${id}`);
  const { script, source } = found;
  const url = asUrl(script.url);
  const lines = lineOffsets(source);
  const mapUrl = script.sourceMapURL ?? "";
  const made: Script = {
    id,
    url,
    name: script.url,
    source,
    isModule: script.isModule === true,
    hasSourceMap: mapUrl !== "",
    map: mapUrl === "" ? undefined : readSourceMap(mapUrl, url),
    program: parse(source, script.isModule === true, url),
    lines,
    startLine: script.startLine,
    startColumn: script.startColumn,
  };
  scripts.set(id, made);
  return made;
}

/** V8 calls a CommonJS module by its path, and an ES module by its URL. */
export function asUrl(name: string): string {
  if (name.startsWith("/")) return pathToFileURL(name).href;
  return name;
}

function lineOffsets(source: string): number[] {
  const offsets = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) offsets.push(at + 1);
  return offsets;
}

function parse(source: string, isModule: boolean, url: string): Program {
  const acorn = createRequire(import.meta.url)("acorn") as typeof Acorn;
  try {
    return acorn.parse(source, {
      ecmaVersion: "latest",
      sourceType: isModule ? "module" : "commonjs",
      allowImportExportEverywhere: true,
    });
  } catch (cause) {
    const file = fileOf(url);
    const { message } = cause as Error;
    const line = (cause as { loc?: { line: number } }).loc?.line ?? 1;
    throw new CaptureError(
      `${file} cannot be read to see what its functions name: ${message}. Move what is to be distributed to a module without that syntax.`,
      { variable: file, reason: `its syntax is not understood: ${message}`, file, line, cause },
    );
  }
}

/** The path of a file URL; any other name as it is. */
export function fileOf(url: string): string {
  if (!url.startsWith("file:")) return url;
  return fileURLToPath(url.split(/[?#]/)[0] ?? url);
}

/** Offset of a place that V8 reports. */
export function offsetOf(script: Script, { line, column }: Pick<Location, "line" | "column">): number {
  const row = line - script.startLine;
  return (script.lines[row] ?? 0) + (row === 0 ? column - script.startColumn : column);
}

/** Line and column of an offset, both from 0. */
export function lineAndColumn(script: Script, offset: number): { line: number; column: number } {
  let low = 0;
  let high = script.lines.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((script.lines[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return { line: low, column: offset - (script.lines[low] ?? 0) };
}

/** Where an offset stands in the user's own source. */
export function placeOf(script: Script, offset: number): Place {
  const { line, column } = lineAndColumn(script, offset);
  const code = codeNamed(script.name);
  const place = code && placeInCode(code.positions, line, column);
  if (place) return place;
  const segment = segmentOf(script, line, column);
  if (!segment) return { file: fileOf(script.url), line: line + script.startLine + 1, column };
  const [, file = 0, originalLine = 1, originalColumn = 0] = segment;
  return { file: script.map?.files[file] ?? fileOf(script.url), line: originalLine, column: originalColumn };
}

/** What the user calls the variable that stands at an offset: not what a minifier made of it. */
export function userName(script: Script, offset: number, name: string): string {
  const { line, column } = lineAndColumn(script, offset);
  const [at, , , , original = -1] = segmentOf(script, line, column) ?? [];
  return (at === column ? script.map?.names[original] : undefined) ?? name;
}

function segmentOf({ map }: Script, line: number, column: number): Int32Array | undefined {
  const index = map ? segmentAt(map, line, column) : -1;
  return index < 0 ? undefined : map?.segments.subarray(index * 5, index * 5 + 5);
}

/** The innermost nodes last, from the program to the one that is exactly this text and a function or class. */
export function pathTo(script: Script, text: string, location: Location): readonly Node[] | undefined {
  const near = offsetOf(script, location);
  let start = script.source.lastIndexOf(text, near);
  if (start < 0 || near >= start + text.length) start = script.source.indexOf(text);
  if (start < 0) return undefined;
  const end = start + text.length;
  const path: Node[] = [script.program];
  for (let node: Node | undefined = script.program; node; ) {
    if (isDefinition(node, start, end, script.source)) return path;
    node = children(node).find((child) => child.start <= start && child.end >= end);
    if (node) path.push(node);
  }
  return undefined;
}

function isDefinition(node: Node, start: number, end: number, source: string): boolean {
  if (node.end !== end) return false;
  if (/Function|^Class(?:Declaration|Expression)$/.test(node.type)) return node.start === start;
  if (node.type === "Property") return node.start === start && isFunction((node as Acorn.Property).value);
  // The text of a static method starts after `static`.
  return node.type === "MethodDefinition" && /^(?:static\s+)?$/.test(source.slice(node.start, start));
}

export function isFunction(node: Node): boolean {
  return /Function/.test(node.type);
}

/** The nodes directly below one, in the order of the text. */
export function children(node: Node): Node[] {
  const found: Node[] = [];
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const item of value) isNode(item) && found.push(item);
    else if (isNode(value)) found.push(value);
  }
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string" && "start" in value;
}

/** `"use strict"` at the start of a program or function. */
export function hasDirective(node: Node): boolean {
  const { body } = node as { body?: unknown };
  const statements = Array.isArray(body) ? body : (body as { body?: unknown } | undefined)?.body;
  if (!Array.isArray(statements)) return false;
  return statements.some((one) => (one as { directive?: string }).directive === "use strict");
}
