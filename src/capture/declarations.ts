/** Which names each scope of a syntax tree declares. */
import type * as Acorn from "acorn";
import type { Node } from "acorn";
import { children, isFunction } from "./script.js";

export interface Declaration {
  /** `own`: the name that a function or class expression has inside itself. */
  readonly kind: "import" | "var" | "let" | "const" | "class" | "function" | "parameter" | "own";
  readonly start: number;
  /** It has its value once the program has come past here. */
  readonly end: number;
  /** Has it a value of its own there? Not so for `var x;`, parameters, and what is hoisted with its value. */
  readonly initialised: boolean;
}

export type Declarations = ReadonlyMap<string, Declaration>;

const known = new WeakMap<Node, Declarations>();
const none: Declarations = new Map();

/** What a node declares for everything inside it; most nodes declare nothing. */
export function declarationsOf(node: Node): Declarations {
  if (!declares.has(node.type)) return none;
  let found = known.get(node);
  if (!found) {
    found = collect(node as Acorn.AnyNode);
    known.set(node, found);
  }
  return found;
}

const declares = new Set([
  "Program",
  "BlockStatement",
  "StaticBlock",
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "SwitchStatement",
  "CatchClause",
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "ClassDeclaration",
  "ClassExpression",
]);

function collect(node: Acorn.AnyNode): Declarations {
  const names = new Map<string, Declaration>();
  const add = (kind: Declaration["kind"], pattern: Node, from: Node = pattern): void => {
    for (const { name } of patternNames(pattern)) {
      const initialised = kind === "var" ? "init" in from && Boolean(from.init) : /^(?:let|const|class)$/.test(kind);
      names.set(name, { kind, start: from.start, end: from.end, initialised });
    }
  };
  switch (node.type) {
    case "Program":
      hoisted(node, add);
      lexical(node.body, add);
      break;
    case "BlockStatement":
      lexical(node.body, add);
      break;
    case "StaticBlock":
      hoisted(node, add);
      lexical(node.body, add);
      break;
    case "ForStatement":
      if (node.init?.type === "VariableDeclaration") lexical([node.init], add);
      break;
    case "ForInStatement":
    case "ForOfStatement":
      if (node.left.type === "VariableDeclaration") lexical([node.left], add);
      break;
    case "SwitchStatement":
      lexical(
        node.cases.flatMap((one) => one.consequent),
        add,
      );
      break;
    case "CatchClause":
      if (node.param) add("parameter", node.param);
      break;
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      if (node.type === "FunctionExpression" && node.id) add("own", node.id);
      for (const parameter of node.params) add("parameter", parameter);
      if (node.body.type === "BlockStatement") hoisted(node.body, add);
      break;
    case "ClassDeclaration":
    case "ClassExpression":
      if (node.id) add("own", node.id);
      break;
  }
  return names;
}

type Add = (kind: Declaration["kind"], pattern: Node, from?: Node) => void;

function lexical(statements: readonly Node[], add: Add): void {
  for (const statement of statements as Acorn.AnyNode[]) {
    if (statement.type === "ImportDeclaration") for (const { local } of statement.specifiers) add("import", local);
    const inner =
      (statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration") &&
      statement.declaration
        ? (statement.declaration as Acorn.AnyNode)
        : statement;
    if (inner.type === "VariableDeclaration" && inner.kind !== "var") {
      for (const one of inner.declarations) add(inner.kind === "let" ? "let" : "const", one.id, one);
    } else if (inner.type === "FunctionDeclaration" && inner.id) add("function", inner.id);
    else if (inner.type === "ClassDeclaration" && inner.id) add("class", inner.id, inner);
  }
}

/** `var` reaches out of blocks, not out of functions. */
function hoisted(node: Node, add: Add): void {
  for (const child of children(node) as Acorn.AnyNode[]) {
    if (isFunction(child) || child.type === "ClassDeclaration" || child.type === "ClassExpression") continue;
    if (child.type === "StaticBlock") continue;
    if (child.type === "VariableDeclaration" && child.kind === "var") {
      for (const one of child.declarations) add("var", one.id, one);
    }
    hoisted(child, add);
  }
}

/** Every identifier that a pattern binds: `{ a, b: [c = 1], ...d }` binds a, c, d. */
export function patternNames(node: Node | null): Acorn.Identifier[] {
  const pattern = node as Acorn.Pattern | null;
  switch (pattern?.type) {
    case "Identifier":
      return [pattern];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        patternNames(property.type === "RestElement" ? property.argument : property.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => patternNames(element));
    case "AssignmentPattern":
      return patternNames(pattern.left);
    case "RestElement":
      return patternNames(pattern.argument);
    default:
      return [];
  }
}
