/**
 * What of a class is code, and what has happened already. Its static blocks and initialisers have run in this process,
 * so they are left out, and the values that its static fields have now are taken over instead.
 */
import type * as Acorn from "acorn";
import type { Node } from "acorn";
import { isNative } from "./native.js";
import type { AnyFunction } from "./portable.js";
import type { Script } from "./script.js";
import type { Edit } from "./text.js";

type ClassNode = Acorn.Class;
type Member = ClassNode["body"]["body"][number];

export function asClass(node: Node): ClassNode | undefined {
  return node.type === "ClassDeclaration" || node.type === "ClassExpression" ? (node as ClassNode) : undefined;
}

/** Names of the static `#fields`, in order. */
export function staticPrivateFields(node: ClassNode): string[] {
  return node.body.body.flatMap((member) => (isPrivateField(member) && member.static ? [privateName(member)] : []));
}

/** The first `#member` that each instance has of its own. */
export function instancePrivate(node: ClassNode): { name: string; offset: number } | undefined {
  const found = node.body.body.find(
    (member) => member.type !== "StaticBlock" && !member.static && member.key.type === "PrivateIdentifier",
  );
  return found && { name: privateName(found as Acorn.PropertyDefinition), offset: found.start };
}

function isPrivateField(member: Member): member is Acorn.PropertyDefinition {
  return member.type === "PropertyDefinition" && member.key.type === "PrivateIdentifier";
}

function privateName(member: Acorn.PropertyDefinition): string {
  return `#${(member.key as Acorn.PrivateIdentifier).name}`;
}

/**
 * Edits that make of the text of a class an expression that defines it and runs nothing: `heritage` and `privates` are
 * names of parameters of the code around it.
 */
export function classEdits(node: ClassNode, heritage: string, privates: string): Edit[] {
  const edits: Edit[] = [];
  if (node.superClass) edits.push({ ...rangeOf(node.superClass), text: heritage });
  for (const member of node.body.body) {
    if (member.type === "StaticBlock") edits.push({ ...rangeOf(member), text: "" });
    else if (member.type === "PropertyDefinition" && member.static) {
      if (!isPrivateField(member)) edits.push({ ...rangeOf(member), text: ";" });
      else if (member.value) edits.push({ start: member.key.end, end: member.end, text: ";" });
    }
  }
  const fields = staticPrivateFields(node);
  if (fields.length > 0) {
    const set = fields.map((name, index) => `this.${name} = $[${index}];`).join(" ");
    edits.push({ start: node.end - 1, end: node.end - 1, text: `static { ${privates}(($) => { ${set} }); }` });
  }
  return edits;
}

function rangeOf({ start, end }: Node): { start: number; end: number } {
  return { start, end };
}

/** Is the property just what the text of the class gives it: a method, getter or setter that nobody replaced? */
export function isFromText(
  script: Script,
  node: ClassNode,
  isStatic: boolean,
): (key: PropertyKey, d: PropertyDescriptor) => boolean {
  const texts = new Set<string>();
  for (const member of node.body.body) {
    if (member.type !== "MethodDefinition" || member.static !== isStatic) continue;
    const text = script.source.slice(member.start, member.end);
    texts.add(member.static ? text.replace(/^static\s+/, "") : text);
  }
  const isOwn = (fn: unknown): boolean =>
    fn === undefined || (typeof fn === "function" && texts.has(Function.prototype.toString.call(fn)));
  return (_key, { value, get, set }) => (get || set ? isOwn(get) && isOwn(set) : value !== undefined && isOwn(value));
}

/** The superclass as it is now; `undefined` when the class names none. */
export function heritageOf(fn: AnyFunction, node: ClassNode): { value: AnyFunction | null } | undefined {
  if (!node.superClass) return undefined;
  const parent = Object.getPrototypeOf(fn) as AnyFunction;
  return { value: parent === Function.prototype && isNative(parent) ? null : parent };
}
