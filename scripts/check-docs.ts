/**
 * The docs under test: links and anchors lead somewhere, commands exist, programs compile, and those marked `run` print what
 * the page says. CONTRIBUTING.md has the rules.
 *
 * Some files alone: `node --import tsx scripts/check-docs.ts README.md src/index.ts`.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { execute, report, root } from "./common.ts";
import type { Entry } from "./entries.ts";
import { fences, printed, type Snippet, snippetsOfPage, snippetsOfSource } from "./snippets.ts";

const given = process.argv.slice(2).map((file) => relative(root, resolve(file)));
const files = given.length > 0 ? given : [...pages(), ...under("src", ".ts")];

const problems: string[] = [];
const snippets: Snippet[] = [];
for (const file of files) {
  if (!existsSync(join(root, file))) {
    problems.push(`${file}: is not there`);
    continue;
  }
  const text = readFileSync(join(root, file), "utf8");
  if (file.endsWith(".md")) {
    problems.push(...links(file, text), ...commands(file, text));
    snippets.push(...snippetsOfPage(file, text));
  } else snippets.push(...snippetsOfSource(file, text));
}
if (snippets.length > 0) problems.push(...(await programs(snippets)));
report(problems);

function pages(): string[] {
  return ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", ...under("docs", ".md")];
}

function under(folder: string, ending: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  const found = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return found
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => join(folder, file));
}

/** Links to files and headings of the project. Addresses elsewhere are not visited. */
function links(file: string, text: string): string[] {
  return prose(text).flatMap((line, index) =>
    [...line.matchAll(/\[[^\]]*\]\(([^)\s]+)[^)]*\)|(?:src|href)="([^"]+)"/g)].flatMap((match) => {
      const link = match[1] ?? match[2] ?? "";
      if (/^[a-z]+:/.test(link)) return [];
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? file : join(dirname(file), decodeURIComponent(path));
      const at = `${file}:${index + 1}`;
      if (!existsSync(join(root, target))) return [`${at}: link to ${link}: there is no ${target}`];
      if (anchor !== undefined && !anchors(readFileSync(join(root, target), "utf8")).has(anchor))
        return [`${at}: link to ${link}: ${target} has no heading with that anchor`];
      return [];
    }),
  );
}

/** As GitHub makes them. */
function anchors(page: string): Set<string> {
  const found = new Set<string>();
  for (const line of prose(page, { keepCode: true })) {
    const heading = line.match(/^#{1,6}\s+(.*?)\s*#*$/)?.[1];
    if (heading === undefined) continue;
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
    let unique = slug;
    for (let n = 1; found.has(unique); n++) unique = `${slug}-${n}`;
    found.add(unique);
  }
  return found;
}

/** The lines of a page with those inside of fences, and inline code, left empty. */
function prose(page: string, options: { keepCode?: boolean } = {}): string[] {
  const lines = page.split("\n");
  for (const fence of fences(page)) lines.fill("", fence.line - 2, fence.line + fence.lines.length);
  return options.keepCode ? lines : lines.map((line) => line.replace(/`[^`]*`/g, ""));
}

/** Every `make target` and `npm run script` of a page is there: in inline code, or as a line of a fence. */
function commands(file: string, text: string): string[] {
  const makefile = readFileSync(join(root, "Makefile"), "utf8");
  const { scripts = {} }: { scripts?: Record<string, string> } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  return text.split("\n").flatMap((line, index) =>
    [...line.matchAll(/(?:^|`)(?:\$ )?(make|npm run) ([\w:-]+)\s*(?:$|`|#)/g)].flatMap(([, tool, name = ""]) => {
      const exists = tool === "make" ? new RegExp(`^${name}:`, "m").test(makefile) : name in scripts;
      return exists ? [] : [`${file}:${index + 1}: there is no "${tool} ${name}"`];
    }),
  );
}

/** Compiles all programs as one project against the built package, and runs those that are to be run. */
async function programs(all: readonly Snippet[]): Promise<string[]> {
  mkdirSync(join(root, ".cache"), { recursive: true });
  // Inside of the project, where "girona" is the package itself and its dependencies are found.
  const folder = mkdtempSync(join(root, ".cache/docs-"));
  try {
    // Loaded only here: it takes a second, with the compiler in it.
    const exported = all.some(({ file }) => file.endsWith(".ts")) ? await (await import("./entries.ts")).entries() : [];
    const names = new Map<string, Snippet>();
    for (const snippet of all) {
      const name = `${snippet.file.replaceAll(/\W/g, "-")}-${snippet.line}.ts`;
      names.set(name, snippet);
      const code = snippet.file.endsWith(".ts") ? withImports(snippet, folder, exported) : snippet.code;
      // The marker makes a module of programs without imports, so that they may use await and do not share names.
      writeFileSync(join(folder, name), `${code}\nexport {};\n`);
    }
    const options = {
      noEmit: true,
      noUnusedLocals: false,
      noUnusedParameters: false,
      allowImportingTsExtensions: true,
    };
    const project = {
      extends: "../../tsconfig.test.json",
      compilerOptions: options,
      files: [...names.keys()],
      include: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
    const tsc = ["node", "node_modules/typescript/bin/tsc", "-p", folder, "--pretty", "false"];
    const { exitCode, output } = await execute(tsc, { timeoutMs: 120_000 });
    if (exitCode !== 0) {
      const shown = output.replace(/^(?:\S*\/)?([\w-]+\.ts)\((\d+),(\d+)\)/gm, (whole, name: string, line: string) => {
        const snippet = names.get(name);
        return snippet ? `${snippet.file}:${line}` : whole;
      });
      return [shown.trim()];
    }
    const found: string[] = [];
    for (const [name, snippet] of names) if (snippet.run) found.push(...(await run(join(folder, name), snippet)));
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function run(program: string, snippet: Snippet): Promise<string[]> {
  const { exitCode, output } = await execute(["node", "--import", "tsx", program], { timeoutMs: 60_000 });
  const at = `${snippet.file}:${snippet.line}`;
  if (exitCode !== 0) return [`${at}: the program fails:\n${output}`];
  if (snippet.output === undefined || printed(output, snippet.output)) return [];
  return [`${at}: the program prints\n${output}and the page says\n${snippet.output}`];
}

/**
 * A doc comment's example needs no imports for what the package exports; they are put on the first line, which is empty.
 * Relative imports, in the docs of inner folders, are as seen from its source.
 */
function withImports({ file, code: written }: Snippet, folder: string, exported: readonly Entry[]): string {
  const code = written.replace(/(\bfrom\s*|\bimport\s*\(?\s*)"(\.[^"]*)"/g, (_, before: string, specifier: string) => {
    return `${before}"${relative(folder, resolve(root, dirname(file), specifier))}"`;
  });
  if (/^\s*import\b/m.test(code)) return code;
  const taken = new Set<string>();
  const wanted = exported.flatMap(({ specifier, values, types }) => {
    const mentioned = (name: string) =>
      !taken.has(name) &&
      new RegExp(`\\b${name}\\b`).test(code) &&
      !new RegExp(`\\b(?:const|let|var|function|class|interface|type|import) ${name}\\b`).test(code);
    const names = [...values.filter(mentioned), ...types.filter(mentioned).map((name) => `type ${name}`)];
    for (const name of names) taken.add(name.replace("type ", ""));
    return names.length > 0 ? [`import { ${names.join(", ")} } from "${specifier}";`] : [];
  });
  return wanted.join(" ") + code;
}
