/** The code of all functions of one module that travel together, and the variables of the module that they name. */
import type { Node } from "acorn";
import type { Module } from "./module.js";
import type { Encoded, ModulePlan, Parameter } from "./portable.js";
import { fileOf, hasDirective, type Script } from "./script.js";
import type { Piece } from "./text.js";

const longText = 200;

export class ModuleCode {
  readonly index: number;
  readonly script: Script;
  readonly strict: boolean;
  readonly #url: string;
  readonly #prefix: string;
  readonly #parameters = new Map<Parameter, string>();
  readonly #definitions = new Map<string, string>();
  readonly #variables = new Map<string, Encoded>();
  readonly #assigned = new Set<string>();
  readonly #makers: Piece[][] = [];

  constructor(module: Module, index: number) {
    this.script = module.script;
    this.#url = module.url;
    this.index = index;
    const { script, node } = module;
    this.strict = script.isModule || hasDirective(script.program) || hasDirective(node as Node);
    // A name that the user's code has nowhere.
    let prefix = "$girona";
    while (script.source.includes(prefix)) prefix += "_";
    this.#prefix = prefix;
  }

  /** A name for girona's own use. */
  name(purpose: string): string {
    return this.#prefix + purpose;
  }

  /** The name of the parameter for an import, or for what a loader gives. */
  parameter(what: Parameter): string {
    let name = this.#parameters.get(what);
    if (name === undefined) {
      name = this.name(typeof what === "number" ? `Import${what}` : what[0]?.toUpperCase() + what.slice(1));
      this.#parameters.set(what, name);
    }
    return name;
  }

  /** The user's own name for a parameter. */
  alias(name: string, what: Parameter): void {
    this.define(name, this.parameter(what));
  }

  define(name: string, expression: string): void {
    this.#definitions.set(name, expression);
  }

  variable(name: string, value: Encoded, assigned: boolean): void {
    this.#variables.set(name, value);
    if (assigned) this.#assigned.add(name);
  }

  reserve(): number {
    return this.#makers.push([]) - 1;
  }

  fill(place: number, maker: Piece[]): void {
    this.#makers[place] = maker;
  }

  /** Short primitives stand in the code, where V8 sees that they never change. */
  isInline(value: Encoded): boolean {
    return !Array.isArray(value) && !(typeof value === "string" && value.length > longText);
  }

  inline(value: Encoded): string {
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
    return value === undefined ? "undefined" : JSON.stringify(value);
  }

  finish(): { pieces: Piece[]; plan: ModulePlan } {
    const own = (text: string): Piece => ({ text });
    const pieces: Piece[] = [own(`// ${fileOf(this.#url)}\n(${[...this.#parameters.values()].join(", ")}) => {\n`)];
    if (this.strict) pieces.push(own(`"use strict";\n`));
    for (const [name, expression] of this.#definitions) pieces.push(own(`const ${name} = ${expression};\n`));
    const late: string[] = [];
    for (const [name, value] of this.#variables) {
      if (this.isInline(value)) {
        pieces.push(own(`${this.#assigned.has(name) ? "let" : "const"} ${name} = ${this.inline(value)};\n`));
      } else late.push(name);
    }
    if (late.length > 0) pieces.push(own(`let ${late.join(", ")};\n`));
    const setters = late.map((name) => {
      const argument = name === "$" ? "$$$" : "$";
      return `(${argument}) => { ${name} = ${argument}; }`;
    });
    pieces.push(own(`return { set: [${setters.join(", ")}], make: [\n`));
    for (const maker of this.#makers) pieces.push(...maker, own(",\n"));
    pieces.push(own("] };\n}"));
    return {
      pieces,
      plan: {
        url: this.#url,
        parameters: [...this.#parameters.keys()],
        values: late.map((name) => this.#variables.get(name)),
      },
    };
  }
}
