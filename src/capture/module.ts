/**
 * The module a function belongs to: a whole script, or the function that a loader wraps a module in. Its variables are
 * shared by all functions of it that travel together, and some of them are imports, which the worker makes again.
 */
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type * as Acorn from "acorn";
import type { Node } from "acorn";
import { type Declaration, declarationsOf } from "./declarations.js";
import { codeNamed } from "./origins.js";
import type { Import, Parameter } from "./portable.js";
import { children, isFunction, type Script } from "./script.js";

/** A variable that is an import: of a member, or of the module as a whole. */
export interface ImportBinding {
  readonly import: Import;
  readonly member: string | undefined;
  /** An `import` of ES modules follows what the module does to its export; a destructured `require` does not. */
  readonly live: boolean;
}

export interface Module {
  readonly script: Script;
  readonly url: string;
  /** The program, or the wrapping function. */
  readonly node: Node;
  /** Blocks and functions whose variables count as the module's own. */
  readonly levels: ReadonlySet<Node>;
  readonly imports: ReadonlyMap<string, ImportBinding>;
  /** Variables that the loader gives to each module, such as `require`. */
  readonly given: ReadonlyMap<string, Parameter>;
}

const modules = new WeakMap<Node, Module>();

/** The module around a function, whose path from the program is given. */
export function moduleOf(script: Script, path: readonly Node[]): Module {
  const level = wrapperOf(script, path) ?? script.program;
  let found = modules.get(level);
  if (!found) {
    found = describe(script, level);
    modules.set(level, found);
  }
  return found;
}

/** The function that a loader put around a module: vitest's, tsx's for CommonJS, girona's own around revived code. */
function wrapperOf(script: Script, path: readonly Node[]): Node | undefined {
  const outermost = path.find((node, index) => index < path.length - 1 && isFunction(node));
  if (!outermost) return undefined;
  const { source } = script;
  if (codeNamed(script.name)) return outermost;
  if (/^(?:async )?\(__vite_ssr_/.test(source.slice(outermost.start, outermost.start + 20))) return outermost;
  if (source.startsWith("__filename=") && source.slice(0, outermost.start).endsWith(";(")) return outermost;
  return undefined;
}

function describe(script: Script, node: Node): Module {
  const code = codeNamed(script.name);
  const group = code ? groupIndex(script, node) : 0;
  const url = code?.urls[group] ?? script.url;
  const levels = new Set<Node>([script.program, node]);
  // vitest writes the module into a block inside a block.
  for (let body = (node as Acorn.ArrowFunctionExpression).body as Node | undefined; body; ) {
    if (body.type !== "BlockStatement") break;
    levels.add(body);
    const { body: statements } = body as Acorn.BlockStatement;
    body = statements.length === 1 ? statements[0] : undefined;
  }
  const given = new Map<string, Parameter>();
  if (!script.isModule && !code) {
    for (const name of ["require", "filename", "dirname"] as const)
      given.set(name === "require" ? name : `__${name}`, name);
    given.set("__vite_ssr_import_meta__", "meta");
    given.set("__vite_ssr_dynamic_import__", "import");
  }
  const imports = new Map<string, ImportBinding>();
  for (const level of levels) collectImports(script, url, statementsOf(level), imports);
  return { script, url, node, levels, imports, given };
}

function groupIndex(script: Script, node: Node): number {
  const [statement] = script.program.body as Acorn.AnyNode[];
  const list = statement?.type === "ReturnStatement" ? (statement.argument as Acorn.ArrayExpression) : undefined;
  return Math.max(0, list?.elements.indexOf(node as Acorn.Expression) ?? 0);
}

function statementsOf(level: Node): readonly Node[] {
  const { body } = level as Acorn.Program;
  return Array.isArray(body) ? body : [];
}

function collectImports(
  script: Script,
  url: string,
  statements: readonly Node[],
  into: Map<string, ImportBinding>,
): void {
  for (const statement of statements as Acorn.AnyNode[]) {
    if (statement.type === "ImportDeclaration") {
      const { specifiers, attributes = [] } = statement;
      const from: Import = {
        specifier: String(statement.source.value),
        parent: url,
        kind: "import",
        ...(attributes.length > 0 && { attributes: attributesOf(attributes) }),
      };
      for (const one of specifiers) into.set(one.local.name, { import: from, member: memberOf(one), live: true });
    } else if (statement.type === "VariableDeclaration" && statement.kind !== "let") {
      for (const one of statement.declarations) importedBy(script, url, one, into);
    } else if (statement.type === "TryStatement") {
      // esbuild lowers a top-level `using` to `try` and hoists every declaration in it to `var`.
      collectImports(script, url, statement.block.body, into);
    }
  }
}

function memberOf(specifier: Acorn.ImportDeclaration["specifiers"][number]): string | undefined {
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  return specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : undefined;
}

function attributesOf(attributes: readonly Acorn.ImportAttribute[]): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [nameOf(key), String(value.value)]));
}

function nameOf(node: Acorn.Identifier | Acorn.Literal): string {
  return node.type === "Identifier" ? node.name : String(node.value);
}

/** `const x = require("m")`, `const { x } = await import("m")`, and what bundlers and vitest make of an import. */
function importedBy(
  script: Script,
  url: string,
  declarator: Acorn.VariableDeclarator,
  into: Map<string, ImportBinding>,
): void {
  const found = declarator.init && importExpression(script, url, declarator.init);
  if (!found) return;
  const { id } = declarator;
  if (id.type === "Identifier") into.set(id.name, { ...found, live: false });
  if (id.type !== "ObjectPattern" || found.member !== undefined) return;
  for (const property of id.properties) {
    if (property.type !== "Property" || property.computed || property.value.type !== "Identifier") continue;
    const member = nameOf(property.key as Acorn.Identifier | Acorn.Literal);
    into.set(property.value.name, { import: found.import, member, live: false });
  }
}

function importExpression(
  script: Script,
  url: string,
  given: Acorn.Expression,
): { import: Import; member: string | undefined } | undefined {
  const whole = (specifier: string, kind: Import["kind"]): { import: Import; member: undefined } => ({
    import: { specifier: kind === "import" ? viteId(specifier) : specifier, parent: url, kind },
    member: undefined,
  });
  if (given.type === "AwaitExpression") {
    const { argument } = given;
    if (argument.type === "ImportExpression") {
      const specifier = text(argument.source);
      return specifier === undefined ? undefined : whole(specifier, "import");
    }
    if (argument.type === "CallExpression" && argument.callee.type === "Identifier") {
      const specifier = text(argument.arguments[0]);
      if (specifier !== undefined && /^__vite_ssr_(?:dynamic_)?import__$/.test(argument.callee.name)) {
        return whole(specifier, "import");
      }
    }
  }
  if (given.type === "CallExpression" && given.callee.type === "Identifier") {
    const [first, mode] = given.arguments;
    if (given.callee.name === "require" && !script.isModule) {
      const specifier = text(first);
      return specifier === undefined ? undefined : whole(specifier, "require");
    }
    if (first?.type === "CallExpression" && isInterop(script, given.callee.name)) {
      const inner = importExpression(script, url, first);
      if (inner?.import.kind === "require") {
        return whole(inner.import.specifier, mode ? "interop-node" : "interop");
      }
    }
  }
  if (given.type === "MemberExpression" && given.object.type !== "Super") {
    const inner = importExpression(script, url, given.object);
    const { property } = given;
    const member = given.computed ? text(property) : property.type === "Identifier" ? property.name : undefined;
    if (inner && inner.member === undefined && member !== undefined) return { import: inner.import, member };
  }
  return undefined;
}

function text(node: Node | undefined): string | undefined {
  const value = (node as Acorn.Literal | undefined)?.value;
  return node?.type === "Literal" && typeof value === "string" ? value : undefined;
}

/** esbuild's `__toESM`, whatever a minifier calls it: it is the function that asks for `__esModule`. */
function isInterop(script: Script, name: string): boolean {
  if (name === "__toESM") return true;
  const declaration = declarationsOf(script.program).get(name);
  return declaration?.kind === "var" && script.source.slice(declaration.start, declaration.end).includes("__esModule");
}

/** vitest names modules from the root of its project. */
export function viteId(specifier: string): string {
  const root = (globalThis as { __vitest_worker__?: { config?: { root?: string } } }).__vitest_worker__?.config?.root;
  if (root === undefined || !specifier.startsWith("/")) return specifier;
  if (specifier.startsWith("/@fs/")) return pathToFileURL(specifier.slice("/@fs".length)).href;
  const inRoot = root + specifier;
  return pathToFileURL(existsSync(inRoot) ? inRoot : specifier).href;
}

/** Where a name is declared around a function, from the inside outwards. */
export function declarationAround(
  path: readonly Node[],
  name: string,
): { declaration: Declaration; scope: Node } | undefined {
  for (let index = path.length - 2; index >= 0; index--) {
    const scope = path[index];
    const declaration = scope && declarationsOf(scope).get(name);
    if (declaration) return { declaration, scope };
  }
  return undefined;
}

/** The innermost function around an offset, or the program. */
export function functionAround(script: Script, offset: number): Node {
  let innermost: Node = script.program;
  for (let node: Node | undefined = script.program; node; ) {
    if (isFunction(node)) innermost = node;
    node = children(node).find((child) => child.start <= offset && offset < child.end);
  }
  return innermost;
}

/** Does the import name the program's own entry file? A worker that imported it would run the whole program again. */
export function importsMain({ specifier, parent }: Import): boolean {
  const main = process.argv[1];
  if (main === undefined || !/^(?:\.{0,2}\/|file:)/.test(specifier) || !URL.canParse(specifier, parent)) return false;
  const url = new URL(specifier, parent);
  return url.protocol === "file:" && withoutExtension(fileURLToPath(url)) === withoutExtension(main);
}

function withoutExtension(file: string): string {
  return file.replace(/\.[cm]?[jt]sx?$/, "");
}
