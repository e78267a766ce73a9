/** How a program is to be run: with tsx or without, as which kind of module. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ReadAs } from "./hook.js";

export interface Plan {
  readonly tsx: boolean;
  /** Node, given the file, does the right thing by itself. */
  readonly asMain: boolean;
  /** What is read otherwise than Node and tsx would; the program itself first, if it is among them. */
  readonly modules: readonly ReadAs[];
}

const typescript = /\.(?:[cm]?ts|tsx)$/;
const plainJs = /\.m?js$/;
const compiled = /\.(?:[cm]?ts|[jt]sx)$/;
const moduleSyntax = /^[ \t]*(?:import\b(?!\s*[(.])|export\b(?!\s*=))/m;
const commonJsSyntax = /^[ \t]*(?:import\s+\w+\s*=\s*require\b|export\s*=)/m;
const using = /^[ \t]*(?:await\s+)?using\s+[\w$]+\s*=/m;
const localImport = /\b(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;

/** Node 24 and newer know `using`. */
function knowsUsing(): boolean {
  try {
    new Function("{ using nothing = null }");
    return true;
  } catch {
    return false;
  }
}

/** `path`: without symbolic links, as modules are known by. */
export function plan(path: string): Plan {
  const [program, ...others] = programFiles(path);
  const files = [program!, ...others];
  // JavaScript that this Node cannot read, and tsx can.
  const newer = knowsUsing()
    ? []
    : files.filter(({ file, text }) => plainJs.test(file) && using.test(text) && isModule(file, text));
  const tsx = newer.length > 0 || files.some(({ file }) => compiled.test(file));

  // Node sees at once that these are modules; other programs it would read as CommonJS, when tsx is at work.
  const obvious = path.endsWith(".mjs") || (packageType(path) === "module" && !/\.c[jt]s$/.test(path));
  const asMain = obvious || !tsx || !isModule(path, program!.text);
  const formats = new Map<string, ReadAs["format"]>();
  if (!asMain) formats.set(path, "module");
  for (const { file } of newer) formats.set(file, "module-typescript");
  return { tsx, asMain, modules: Array.from(formats, ([file, format]) => ({ url: pathToFileURL(file).href, format })) };
}

/** Is the file an ES module, or could it not run as anything else? */
function isModule(path: string, text: string): boolean {
  if (/\.m[jt]s$/.test(path)) return true;
  if (/\.c[jt]s$/.test(path)) return false;
  const type = packageType(path);
  if (type === "module") return true;
  if (commonJsSyntax.test(text)) return false;
  return awaitsAtTop(text) || (type === undefined && moduleSyntax.test(text));
}

/** Lines that are not indented are in no function. */
function awaitsAtTop(text: string): boolean {
  return text.split("\n").some((line) => /^[^\s/*].*\bawait\b|^await\b/.test(line) && !/\basync\b/.test(line));
}

/** What the nearest package.json says. */
function packageType(path: string): "module" | "commonjs" | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest)) {
      const { type } = JSON.parse(readFileSync(manifest, "utf8")) as { type?: unknown };
      return type === "module" || type === "commonjs" ? type : undefined;
    }
    if (folder === dirname(folder)) return undefined;
  }
}

interface ProgramFile {
  readonly file: string;
  readonly text: string;
}

/** The program, and as long as it is JavaScript the files that it imports by a relative path. */
function programFiles(path: string): ProgramFile[] {
  const found = new Map<string, ProgramFile>();
  const waiting = [path];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    const text = read(file);
    if (text === undefined) continue;
    found.set(file, { file, text });
    if (typescript.test(file)) continue;
    for (const [, specifier = ""] of text.matchAll(localImport)) {
      const target = resolve(dirname(file), specifier);
      // In TypeScript's own way, `./a.js` may stand for `./a.ts`.
      const source = target.replace(/\.([cm]?)js$/, ".$1ts");
      const candidates = [
        target,
        ...(source === target ? [] : [source]),
        ...(extname(target) ? [] : [`${target}.js`, `${target}.ts`]),
      ];
      const next = candidates.find((one) => /\.[cm]?[jt]sx?$/.test(one) && existsSync(one));
      if (next) waiting.push(next);
    }
  }
  return [...found.values()];
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
