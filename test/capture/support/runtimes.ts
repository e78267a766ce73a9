/** The ways to run a program that capture must work in, and how the case files are made ready for each. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { expect, it } from "vitest";
import { needs, run } from "../../support/index.ts";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const cases = join(here, "../cases");
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const tsx = join(root, "node_modules/tsx/dist/cli.mjs");

export type CaseFile = "core" | "typescript" | "decorators" | "esm" | "plain";

export interface Runtime {
  readonly name: string;
  readonly files: readonly CaseFile[];
  /** Which Node. */
  readonly node: "20" | "24" | "26";
  /** Arguments of node, without the entry. */
  readonly args?: readonly string[];
  /** Makes the case files ready and returns the entry, with its arguments. */
  readonly prepare: (directory: string, file: CaseFile) => Promise<string> | string | readonly string[];
  /** Errors name the user's own file, line and variable. */
  readonly mapped: boolean;
  readonly relaxed?: boolean;
}

/** Node of that version: the one that runs the tests, or the one the Makefile has put into `.cache/node`. */
export function nodeBinary(version: string): string {
  return process.versions.node.startsWith(`${version}.`)
    ? process.execPath
    : join(root, ".cache/node", version, "bin/node");
}

export function entryOf(file: CaseFile): string {
  return file === "esm" || file === "plain" ? sourceOf(file) : `run-${file}.ts`;
}

function sourceOf(file: CaseFile): string {
  return file === "plain" ? "plain.cjs" : `${file}.ts`;
}

/** As they stand. */
export const inPlace = (_directory: string, file: CaseFile): string => join(cases, entryOf(file));

/** The TypeScript files, in a package of another type. */
export function copied(type: "module" | "commonjs"): Runtime["prepare"] {
  return (directory, file) => {
    cpSync(cases, directory, { recursive: true });
    writeFileSync(join(directory, "package.json"), JSON.stringify({ type }));
    return join(directory, entryOf(file));
  };
}

/** Each file as JavaScript, as a compiler that keeps modules apart makes it. */
export function compiled(format: "esm" | "cjs"): Runtime["prepare"] {
  return async (directory, file) => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "package.json"), JSON.stringify({ type: format === "esm" ? "module" : "commonjs" }));
    cpSync(join(cases, "data.json"), join(directory, "data.json"));
    for (const name of readdirSync(cases).filter((one) => one.endsWith(".ts"))) {
      if (format === "cjs" && /^(?:esm|late)\.ts$/.test(name)) continue;
      const source = readFileSync(join(cases, name), "utf8").replace(/(["']\.\/\w+)\.ts(["'])/g, "$1.js$2");
      const { code } = await transform(source, {
        loader: "ts",
        format,
        platform: "node",
        sourcemap: "inline",
        sourcefile: join(cases, name),
        target: "es2022",
        supported: { using: false, "import-attributes": true },
      });
      writeFileSync(join(directory, name.replace(/\.ts$/, ".js")), code);
    }
    return join(directory, entryOf(file).replace(/\.ts$/, ".js"));
  };
}

export function bundled(options: { format: "esm" | "cjs"; minify?: boolean; sourcemap: boolean }): Runtime["prepare"] {
  return async (directory, file) => {
    const outfile = join(directory, `${file}.${options.format === "esm" ? "mjs" : "cjs"}`);
    await build({
      ...options,
      entryPoints: [join(cases, entryOf(file))],
      outfile,
      bundle: true,
      platform: "node",
      target: "node20",
      packages: "external",
      logLevel: "error",
    });
    return outfile;
  };
}

/** In a test of vitest's, in processes or threads. */
export function insideVitest(pool: "forks" | "threads"): Runtime["prepare"] {
  const config = join(here, "inner.vitest.config.ts");
  return (_directory, file) => [vitest, "run", "--config", config, "--pool", pool, "--testNamePattern", `^${file}$`];
}

export interface Row {
  readonly name: string;
  readonly expect: "works" | "refused" | "throws";
  readonly expected: string;
  readonly got: string;
  readonly ok: boolean;
  readonly code?: string;
  readonly file?: string;
  readonly line?: number;
  readonly at?: string;
}

/** Declares one test per row of the case files, run in that runtime. */
export async function declareRows(runtime: Runtime): Promise<void> {
  const node = nodeBinary(runtime.node);
  if (!existsSync(node)) {
    it(`runs on Node ${runtime.node}`, () => {
      needs(`needs Node ${runtime.node} in .cache/node/${runtime.node}: make other-nodes`, false);
      expect(existsSync(node)).toBe(true);
    });
    return;
  }
  for (const file of runtime.files) {
    const { rows, output } = await runRows(runtime, node, file);
    declareFile(runtime, file, rows, output);
  }
}

async function runRows(runtime: Runtime, node: string, file: CaseFile): Promise<{ rows: Row[]; output: string }> {
  const directory = join(root, ".cache/capture", runtime.name.replace(/\W+/g, "-"), file);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const output = join(directory, "rows.jsonl");
  writeFileSync(output, "");
  const entry = [await runtime.prepare(join(directory, "program"), file)].flat();
  const env = {
    CAPTURE_ROWS: output,
    CAPTURE_HARNESS: join(here, "harness.mjs"),
    CAPTURE_RELAXED: String(runtime.relaxed === true),
    VITEST: undefined,
    NODE_OPTIONS: undefined,
  };
  const command = [node, ...(runtime.args ?? []), ...entry];
  const { exitCode, stdout, stderr } = await run(command, { env, timeoutMs: 60_000 });
  return {
    rows: readFileSync(output, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Row),
    output: `exit code ${exitCode}\n${stdout}${stderr}`,
  };
}

/** The tests of one case file, when its rows are there. */
export function declareFile(
  runtime: Pick<Runtime, "mapped">,
  file: CaseFile,
  rows: readonly Row[],
  output: string,
): void {
  const source = readFileSync(join(cases, sourceOf(file)), "utf8");
  const written = [...source.matchAll(/\b(?:works|refused|throws)\(\s*"((?:[^"\\]|\\.)*)"/g)];
  const lines = written.map(({ index }) => source.slice(0, index).split("\n").length);
  it(`${file}: every row has run`, () => {
    expect(
      rows.map(({ name }) => name),
      output,
    ).toEqual(written.map(([, name]) => name));
  });
  for (const row of rows) {
    it(`${file}: ${row.name} ${row.expect === "works" ? "works" : row.expect === "throws" ? "throws" : "is refused"}`, () => {
      expect(row.ok, `expected ${row.expected}\ngot ${row.got}\n${row.code ?? ""}`).toBe(true);
      if (row.expect === "works" || !runtime.mapped) return;
      const index = written.findIndex(([, name]) => name === row.name);
      const first = row.at === undefined ? (lines[index] ?? 0) : lineOf(source, row.at);
      const end = row.at === undefined ? (lines[index + 1] ?? Number.POSITIVE_INFINITY) : first + 1;
      expect(row.file?.replace(/^file:\/\//, "")).toMatch(new RegExp(`/${sourceOf(file)}$`));
      expect(row.line, row.got).toBeGreaterThanOrEqual(first);
      expect(row.line, row.got).toBeLessThan(end);
    });
  }
}

function lineOf(source: string, text: string): number {
  // Not where the row itself quotes it.
  const quoted = JSON.stringify(text);
  return source.replace(quoted, "").slice(0, source.replace(quoted, "").indexOf(text)).split("\n").length;
}

export const tsxArgs = [tsx];
