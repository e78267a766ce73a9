/** The code that makes one function, once the variables of its module are there. */
import type * as Acorn from "acorn";
import type { Node } from "acorn";
import { asClass, staticPrivateFields } from "./classes.js";
import type { Found } from "./found.js";
import { freedomOf } from "./free.js";
import type { ModuleCode } from "./modulecode.js";
import { ownName } from "./native.js";
import type { AnyFunction, Encoded } from "./portable.js";
import { hasDirective, type Script } from "./script.js";
import { type Edit, edited, type Piece } from "./text.js";

/** An expression that makes the function once its module is set up: a function of what it needs at that moment. */
export function makerOf(
  { fn, script, node, path }: Found,
  group: ModuleCode,
  edits: Edit[],
  locals: ReadonlyMap<string, Encoded>,
): Piece[] {
  const klass = asClass(node);
  const parameters = [
    ...(klass?.superClass ? [group.name("Super")] : []),
    ...(klass && staticPrivateFields(klass).length > 0 ? [group.name("Privates")] : []),
  ];
  if (klass && !klass.superClass && parameters.length > 0) parameters.unshift(group.name("Super"));
  const expression = expressionOf(fn, script, node, edits);
  const open = `(${parameters.join(", ")}) => `;
  const strict = !group.strict && isStrict(path) ? `"use strict"; ` : "";
  if (locals.size === 0 && strict === "") return [{ text: open }, ...expression];
  const inline = [...locals].filter(([, encoded]) => group.isInline(encoded));
  const late = [...locals].filter(([, encoded]) => !group.isInline(encoded)).map(([name]) => name);
  const { names } = freedomOf(node);
  const consts = inline
    .map(
      ([name, encoded]) =>
        `${names.get(name)?.assigned === undefined ? "const" : "let"} ${name} = ${group.inline(encoded)}; `,
    )
    .join("");
  if (late.length === 0) return [{ text: `${open}{ ${strict}${consts}return ` }, ...expression, { text: "; }" }];
  const argument = late.includes("$") ? "$$$" : "$";
  const set = late.map((name, index) => `${name} = ${argument}[${index}];`).join(" ");
  return [
    { text: `${open}{ ${strict}${consts}let ${late.join(", ")}; return [() => ` },
    ...expression,
    { text: `, (${argument}) => { ${set} }]; }` },
  ];
}

/** The text as an expression that gives the function its name. */
function expressionOf(fn: AnyFunction, script: Script, node: Node, edits: Edit[]): Piece[] {
  const name = ownName(fn);
  if (node.type === "MethodDefinition" || node.type === "Property") {
    const method = node as Acorn.MethodDefinition | Acorn.Property;
    const { key, computed, kind } = method;
    const accessor = kind === "get" || kind === "set" ? kind : undefined;
    const quoted = JSON.stringify(accessor ? name.replace(/^[gs]et /, "") : name);
    // From before a computed key's bracket to behind it.
    const start = computed ? script.source.lastIndexOf("[", key.start) : key.start;
    const end = computed ? script.source.indexOf("]", key.end) + 1 : key.end;
    edits.push({ start, end, text: `[${quoted}]` });
    const isStatic = node.type === "MethodDefinition" && (method as Acorn.MethodDefinition).static;
    const from = isStatic
      ? node.start + (/^static\s+/.exec(script.source.slice(node.start, start))?.[0].length ?? 0)
      : node.start;
    const text = edited(
      script,
      from,
      node.end,
      edits.filter((edit) => edit.start >= from),
    );
    return accessor
      ? [{ text: "Object.getOwnPropertyDescriptor({ " }, ...text, { text: ` }, ${quoted}).${accessor}` }]
      : [{ text: "({ " }, ...text, { text: ` })[${quoted}]` }];
  }
  const text = edited(script, node.start, node.end, edits);
  const hasName = Boolean((node as Acorn.FunctionExpression).id);
  if (hasName || name === "") return [{ text: "(" }, ...text, { text: ")" }];
  const quoted = JSON.stringify(name);
  return [{ text: `({ [${quoted}]: ` }, ...text, { text: ` })[${quoted}]` }];
}

function isStrict(path: readonly Node[]): boolean {
  return path.some((node) => asClass(node) !== undefined || hasDirective(node));
}
