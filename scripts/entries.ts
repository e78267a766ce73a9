/** The names that each entry of package.json exports: those that exist when the program runs, and those that are only types. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript-6";
import { root } from "./common.ts";

export interface Entry {
  /** As a program imports it: `"girona/random"`. */
  readonly specifier: string;
  readonly values: readonly string[];
  readonly types: readonly string[];
  /** Values without a declaration (`@internal`), for the package's own folders alone. */
  readonly internal: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}

/** Reads the built package. */
export async function entries(): Promise<Entry[]> {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const found: Entry[] = [];
  for (const [path, targets] of Object.entries(manifest.exports)) {
    if (typeof targets === "string") continue; // ./package.json
    const declared = declaredNames(join(root, targets.types));
    const values = Object.keys(await import(pathToFileURL(join(root, targets.default)).href)).sort();
    found.push({
      specifier: join(manifest.name, path),
      values: values.filter((name) => declared.includes(name)),
      types: declared.filter((name) => !values.includes(name)),
      internal: values.filter((name) => !declared.includes(name)),
    });
  }
  return found;
}

function declaredNames(file: string): string[] {
  const program = ts.createProgram([file], { module: ts.ModuleKind.NodeNext, noLib: true, types: [] });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} is not there or exports nothing: is it built?`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) => symbol.name)
    .sort();
}
