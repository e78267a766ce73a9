/** The names that a function or class takes from outside itself, and what in it cannot run elsewhere. */
import type * as Acorn from "acorn";
import type { Node } from "acorn";
import { type Declarations, declarationsOf } from "./declarations.js";
import { children } from "./script.js";

export interface Use {
  readonly start: number;
  readonly end: number;
  /** `{ name }`, which stands for `{ name: name }`. */
  readonly shorthand: boolean;
}

export interface FreeName {
  readonly name: string;
  readonly uses: Use[];
  /** Only asked for with `typeof`, which is allowed for a name that does not exist. */
  typeofOnly: boolean;
  /** Offset of the first assignment. */
  assigned: number | undefined;
  /** Needed when a class is defined, not only when it is used: for the name of a member, as in `[name]() {}`. */
  atDefinition: boolean;
}

export interface Trouble {
  readonly offset: number;
  readonly variable: string;
  readonly reason: string;
  readonly advice: string;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Freedom {
  readonly names: ReadonlyMap<string, FreeName>;
  readonly troubles: readonly Trouble[];
  /** Each `import.meta`. */
  readonly metas: readonly Range[];
  /** The word `import` of each `import(...)`. */
  readonly dynamicImports: readonly Range[];
  /** The text in each of vitest's `__vite_ssr_dynamic_import__("...")`. */
  readonly viteImports: readonly (Range & { readonly specifier: string })[];
}

const known = new WeakMap<Node, Freedom>();

/** For a class without its superclass and static initialisers, whose values are taken over instead. */
export function freedomOf(node: Node): Freedom {
  let found = known.get(node);
  if (!found) {
    found = new Walk().from(node);
    known.set(node, found);
  }
  return found;
}

/** What `this`, `super` and `arguments` mean here: `none` outside of any function that would give them a meaning. */
type Receiver = "none" | "function" | "class";

interface Context {
  readonly scopes: readonly Declarations[];
  readonly receiver: Receiver;
  readonly atDefinition: boolean;
  /** `#names` of the classes around, inside the walked node. */
  readonly privates: readonly string[];
}

class Walk {
  readonly #names = new Map<string, FreeName>();
  readonly #troubles: Trouble[] = [];
  readonly #metas: Range[] = [];
  readonly #dynamicImports: Range[] = [];
  readonly #viteImports: (Range & { specifier: string })[] = [];
  #root: Node | undefined;

  from(root: Node): Freedom {
    this.#root = root;
    const start: Context = { scopes: [], receiver: "none", atDefinition: false, privates: [] };
    // A method alone: its key is not part of what runs, and `super` would be lost.
    if (root.type === "MethodDefinition" || root.type === "Property") {
      this.#visit((root as Acorn.MethodDefinition).value, start);
    } else this.#visit(root, start);
    return {
      names: this.#names,
      troubles: this.#troubles,
      metas: this.#metas,
      dynamicImports: this.#dynamicImports,
      viteImports: this.#viteImports,
    };
  }

  #visit(given: Node | null | undefined, context: Context): void {
    if (!given) return;
    const node = given as Acorn.AnyNode;
    switch (node.type) {
      case "Identifier":
        return this.#use(node, context);
      case "ThisExpression":
        if (context.receiver === "none") this.#outer(node, "this");
        return;
      case "Super":
        if (context.receiver !== "class") this.#outer(node, "super");
        return;
      case "MetaProperty":
        if (node.meta.name === "import") this.#metas.push(node);
        else if (context.receiver === "none") this.#outer(node, "new.target");
        return;
      case "ImportExpression":
        this.#dynamicImports.push({ start: node.start, end: node.start + "import".length });
        break;
      case "CallExpression":
        if (node.callee.type === "Identifier" && node.callee.name === "eval" && !declared("eval", context)) {
          this.#trouble(node, "eval", "it calls eval, whose text may name anything", "Write the code out.");
        }
        if (node.callee.type === "Identifier" && node.callee.name === "__vite_ssr_dynamic_import__") {
          const [first] = node.arguments;
          if (first?.type === "Literal" && typeof first.value === "string") {
            this.#viteImports.push({ start: first.start, end: first.end, specifier: first.value });
          }
        }
        break;
      case "UnaryExpression":
        if (node.operator === "typeof" && node.argument.type === "Identifier") {
          return this.#use(node.argument, context, { typeofOnly: true });
        }
        break;
      case "AssignmentExpression":
      case "ForInStatement":
      case "ForOfStatement":
        if (node.left.type !== "VariableDeclaration") this.#assign(node.left, context);
        break;
      case "UpdateExpression":
        this.#assign(node.argument, context);
        break;
      case "MemberExpression":
        this.#visit(node.object, context);
        if (node.computed || node.property.type === "PrivateIdentifier") this.#visit(node.property, context);
        return;
      case "PrivateIdentifier":
        if (!context.privates.includes(node.name)) this.#outer(node, `#${node.name}`);
        return;
      case "Property":
        if (node.shorthand) return this.#shorthand(node, context);
        if (node.computed) this.#visit(node.key, context);
        // A method of an object literal inside the function keeps its home object, and with it `super`.
        return this.#visit(
          node.value,
          node.method || node.kind !== "init" ? { ...context, receiver: "class" } : context,
        );
      case "LabeledStatement":
        return this.#visit(node.body, context);
      case "BreakStatement":
      case "ContinueStatement":
        return;
      case "ClassDeclaration":
      case "ClassExpression":
        return this.#class(node, context);
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        return this.#function(node, context);
    }
    const names = declarationsOf(node);
    const inner = names.size > 0 ? { ...context, scopes: [names, ...context.scopes] } : context;
    for (const child of children(node)) this.#visit(child, inner);
  }

  #function(node: Acorn.Function, context: Context): void {
    const own = declarationsOf(node);
    const receiver =
      node.type === "ArrowFunctionExpression" ? context.receiver : context.receiver === "class" ? "class" : "function";
    const inner: Context = { ...context, scopes: [own, ...context.scopes], receiver, atDefinition: false };
    for (const parameter of node.params) this.#visit(parameter, inner);
    this.#visit(node.body, inner);
  }

  #class(node: Acorn.Class, context: Context): void {
    const own = node === this.#root;
    const privates = node.body.body.flatMap((member) =>
      member.type !== "StaticBlock" && member.key.type === "PrivateIdentifier" ? [member.key.name] : [],
    );
    const outer: Context = {
      ...context,
      scopes: [declarationsOf(node), ...context.scopes],
      privates: [...privates, ...context.privates],
    };
    if (!own) this.#visit(node.superClass, outer);
    for (const member of node.body.body) {
      if (member.type === "StaticBlock") {
        if (!own) this.#visit(member, { ...outer, receiver: "class" });
        continue;
      }
      const isStatic = member.static && member.type === "PropertyDefinition";
      // Its name alone, `#count`, is no use of it.
      if (member.computed && !(own && isStatic)) this.#visit(member.key, { ...outer, atDefinition: own });
      if (!(own && isStatic)) this.#visit(member.value, { ...outer, receiver: "class", atDefinition: false });
    }
  }

  #shorthand(node: Acorn.Property | Acorn.AssignmentProperty, context: Context): void {
    const value = node.value as Acorn.AnyNode;
    if (value.type === "Identifier") return this.#use(value, context, { shorthand: true });
    // `{ name = 1 }` of a pattern.
    if (value.type === "AssignmentPattern") {
      this.#use(value.left as Acorn.Identifier, context, { shorthand: true });
      this.#visit(value.right, context);
    }
  }

  #use(node: Acorn.Identifier, context: Context, how: { typeofOnly?: boolean; shorthand?: boolean } = {}): void {
    const { name, start, end } = node;
    if (declared(name, context)) return;
    if (name === "arguments") {
      if (context.receiver === "none") this.#outer(node, "arguments");
      return;
    }
    let free = this.#names.get(name);
    if (!free) {
      free = { name, uses: [], typeofOnly: true, assigned: undefined, atDefinition: false };
      this.#names.set(name, free);
    }
    free.uses.push({ start, end, shorthand: how.shorthand === true });
    if (!how.typeofOnly) free.typeofOnly = false;
    if (context.atDefinition) free.atDefinition = true;
  }

  #assign(target: Node, context: Context): void {
    for (const identifier of assigned(target)) {
      if (declared(identifier.name, context)) continue;
      this.#use(identifier, context);
      const free = this.#names.get(identifier.name);
      // `#use` is called again for it when the target is walked; one entry is enough.
      free?.uses.pop();
      if (free) free.assigned ??= identifier.start;
    }
  }

  #outer(node: Node, variable: string): void {
    this.#trouble(
      node,
      variable,
      variable.startsWith("#")
        ? "it uses a #private name of the class around it"
        : `it uses the ${variable} of the code around it`,
      variable === "super" || variable.startsWith("#")
        ? "Distribute its class instead."
        : "Copy what it needs into a const first, and name that in the function.",
    );
  }

  #trouble(node: Node, variable: string, reason: string, advice: string): void {
    this.#troubles.push({ offset: node.start, variable, reason, advice });
  }
}

function declared(name: string, context: Context): boolean {
  return context.scopes.some((scope) => scope.has(name));
}

function assigned(target: Node): Acorn.Identifier[] {
  const node = target as Acorn.AnyNode;
  switch (node.type) {
    case "Identifier":
      return [node];
    case "ParenthesizedExpression":
      return assigned(node.expression);
    case "ObjectPattern":
      return node.properties.flatMap((one) => assigned(one.type === "RestElement" ? one.argument : one.value));
    case "ArrayPattern":
      return node.elements.flatMap((one) => (one ? assigned(one) : []));
    case "AssignmentPattern":
      return assigned(node.left);
    case "RestElement":
      return assigned(node.argument);
    default:
      return [];
  }
}
