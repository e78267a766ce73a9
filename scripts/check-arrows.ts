/**
 * Refuses an import in `src/` that goes against the direction of the dependencies, or into a folder other than through its
 * door (`index.ts`). Type-only imports count: they tie folders together as well.
 *
 * The tree to check may be given as an argument: `node --import tsx scripts/check-arrows.ts <folder with src/>`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript-6";
import { report, root } from "./common.ts";

/** What each folder of `src/` may import from. The command line, at the end of all arrows, may import from everything. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  common: [],
  random: ["common"],
  kernels: ["common"],
  linalg: ["common", "kernels"],
  storage: ["common"],
  capture: ["common"],
  engine: ["common", "capture"],
  // Each engine is an implementation of the contract in engine/, of which the contract knows nothing.
  "engine/embedded": ["common", "capture", "engine"],
  "engine/ray": ["common", "capture", "engine"],
  tasks: ["common", "capture", "engine"],
  // The program of a worker process: it puts the engine's half and the layer above together.
  worker: ["engine/embedded", "tasks"],
  array: ["common", "random", "kernels", "linalg", "storage", "tasks"],
  frame: ["common", "kernels", "storage", "tasks"],
  native: ["common"],
  mpi: ["common", "native"],
  hdf5: ["common", "mpi", "native"],
  slurm: ["common", "capture", "engine", "storage", "tasks"],
  scaling: ["common", "tasks"],
  dashboard: ["common", "engine", "tasks"],
};
const everything = new Set(["cli"]);

/** Imports past a door or against an arrow that are right all the same, each with its reason. */
const exceptions: readonly { from: string; to: string; reason: string }[] = [
  {
    from: "engine/embedded",
    to: "capture/worker.ts",
    reason: "a worker starts without the parser that capture's door loads",
  },
  { from: "engine/index.ts", to: "engine/embedded/index.ts", reason: "the door starts the engine that is asked for" },
  {
    from: "worker/main.ts",
    to: "engine/embedded/worker/index.ts",
    reason: "a worker loads its own half of the engine, not the driver's",
  },
];

const src = join(process.argv[2] ? resolve(process.argv[2]) : root, "src");
const problems: string[] = [];
for (const file of readdirSync(src, { recursive: true, encoding: "utf8" }).sort()) {
  if (file.endsWith(".ts")) problems.push(...check(file));
}
report(problems);

function check(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(src, file), "utf8"), ts.ScriptTarget.Latest, true);
  const found = imports(source).flatMap(({ specifier, position }) => {
    const wrong = problemWith(file, specifier);
    return wrong ? [`${at(source, position)}: ${wrong}`] : [];
  });
  if (file !== "index.ts") return found;
  const others = source.statements.filter(
    (statement) => !ts.isExportDeclaration(statement) || !statement.moduleSpecifier,
  );
  return [
    ...found,
    ...others.map((one) => `${at(source, one.getStart())}: src/index.ts only re-exports (export … from)`),
  ];
}

function problemWith(file: string, specifier: string): string | undefined {
  if (specifier === "girona" || specifier.startsWith("girona/"))
    return `"${specifier}" is the package itself: import the folder`;
  if (!specifier.startsWith(".")) return undefined;
  const target = relative(src, resolve(src, dirname(file), specifier)).replace(/\.js$/, ".ts");
  if (target.startsWith("..")) return `"${specifier}" is outside of src/`;
  const from = folderOf(file);
  const to = folderOf(target);
  if (from === to) return undefined;
  if (exceptions.some((one) => (one.from === from || one.from === file) && one.to === target)) return undefined;

  if (from !== "" && !everything.has(from)) {
    const allowed = arrows[from];
    if (!allowed) return `src/${from}/ has no row in the table of scripts/check-arrows.ts`;
    if (!allowed.includes(to))
      return `${from} must not import from ${to || "src/index.ts"}: it may import from ${allowed.join(", ") || "no other folder"}`;
  }
  // A part of a folder is inside of its door.
  if (from.startsWith(`${to}/`)) return undefined;
  if (target !== `${to}/index.ts`) return `${target} is behind the door of ${to}: import ${to}/index.js`;
  return undefined;
}

/** The longest row of the table that holds the file, else its top folder; `""` for `src/index.ts`. */
function folderOf(file: string): string {
  const parts = dirname(file) === "." ? [] : dirname(file).split("/");
  const nested = parts.slice(0, 2).join("/");
  return nested in arrows ? nested : (parts[0] ?? "");
}

function imports(source: ts.SourceFile): { specifier: string; position: number }[] {
  const found: { specifier: string; position: number }[] = [];
  const visit = (node: ts.Node): void => {
    const specifier =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
            ? node.argument.literal
            : undefined;
    if (specifier && ts.isStringLiteralLike(specifier))
      found.push({ specifier: specifier.text, position: specifier.getStart() });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function at(source: ts.SourceFile, position: number): string {
  return `src/${source.fileName}:${source.getLineAndCharacterOfPosition(position).line + 1}`;
}
