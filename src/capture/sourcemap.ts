/** Source maps, as far as capture needs them: from a place in a script to the user's own file, line and column. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A place in the user's own source. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 0. */
  readonly column: number;
}

/** Segments of all lines in order; five numbers each: column in the script, file, line (from 1), column, name or -1. */
export interface SourceMap {
  readonly files: readonly string[];
  /** What the user calls what a compiler or minifier has renamed. */
  readonly names: readonly string[];
  readonly segments: Int32Array;
  /** Line of the script → index of its first segment; one more entry at the end. */
  readonly lines: readonly number[];
}

interface RawMap {
  readonly sources?: readonly (string | null)[];
  readonly names?: readonly string[];
  readonly sourceRoot?: string;
  readonly mappings?: string;
  readonly sections?: unknown;
}

/** The map that a script names, inline or in a file beside it. One that cannot be read counts as none. */
export function readSourceMap(mapUrl: string, scriptUrl: string): SourceMap | undefined {
  try {
    const raw = JSON.parse(read(mapUrl, scriptUrl)) as RawMap;
    if (typeof raw.mappings !== "string" || raw.sections !== undefined) return undefined;
    const base = mapUrl.startsWith("data:") ? scriptUrl : new URL(mapUrl, scriptUrl).href;
    const files = (raw.sources ?? []).map((source) => absolute(source ?? "", raw.sourceRoot, base));
    return { files, names: raw.names ?? [], ...decode(raw.mappings) };
  } catch {
    return undefined;
  }
}

function read(mapUrl: string, scriptUrl: string): string {
  const inline = /^data:[^,]*?(;base64)?,(.*)$/s.exec(mapUrl);
  if (!inline) return readFileSync(fileURLToPath(new URL(mapUrl, scriptUrl)), "utf8");
  const text = inline[2] ?? "";
  return inline[1] ? Buffer.from(text, "base64").toString("utf8") : decodeURIComponent(text);
}

function absolute(source: string, root: string | undefined, base: string): string {
  const path = root ? `${root.replace(/\/$/, "")}/${source}` : source;
  if (path.startsWith("/")) return path;
  const url = new URL(path, base);
  return url.protocol === "file:" ? fileURLToPath(url) : url.href;
}

const digits = new Map([..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].map((c, i) => [c, i]));
const digitOf = Array.from({ length: 128 }, (_, code) => digits.get(String.fromCharCode(code)) ?? 0);

/** The `mappings` text: base-64 variable-length numbers, each the difference to the one before. */
function decode(mappings: string): { segments: Int32Array; lines: number[] } {
  const segments: number[] = [];
  const lines = [0];
  const fields = [0, 0, 0, 0, 0]; // column in the script, source, line, column, name
  let field = 0;
  let value = 0;
  let shift = 0;
  const endSegment = (): void => {
    const [column = 0, source = 0, line = 0, userColumn = 0, name = 0] = fields;
    if (field >= 4) segments.push(column, source, line + 1, userColumn, field === 5 ? name : -1);
    field = 0;
  };
  for (let i = 0; i < mappings.length; i++) {
    const code = mappings.charCodeAt(i);
    if (code === 44 /* , */) endSegment();
    else if (code === 59 /* ; */) {
      endSegment();
      lines.push(segments.length / 5);
      fields[0] = 0;
    } else {
      const digit = digitOf[code] ?? 0;
      value |= (digit & 31) << shift;
      if (digit & 32) shift += 5;
      else {
        if (field < 5) fields[field] = (fields[field] ?? 0) + (value & 1 ? -(value >>> 1) : value >>> 1);
        field++;
        value = 0;
        shift = 0;
      }
    }
  }
  endSegment();
  lines.push(segments.length / 5);
  return { segments: Int32Array.from(segments), lines };
}

/** Index of the last segment at or before a place of the script; -1 when its line has none there. */
export function segmentAt(map: SourceMap, line: number, column: number): number {
  let low = map.lines[line] ?? 0;
  let high = map.lines[line + 1] ?? low;
  const first = low;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((map.segments[middle * 5] ?? 0) <= column) low = middle + 1;
    else high = middle;
  }
  return low > first ? low - 1 : -1;
}
