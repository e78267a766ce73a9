/**
 * Makes a portable function live in this process. Loads nothing of what capturing takes, since a worker starts with it.
 *
 * The order: imports; the code, which defines nothing yet; functions and classes, whose variables are still empty; the
 * objects, empty too; then everything is filled in, so that cycles of any kind close. Frozen objects are frozen last.
 */
import { deserialize } from "node:v8";
import { compileFunction } from "node:vm";
import { CaptureError } from "../common/index.js";
import { Decoder, type Group } from "./decode.js";
import { importFunction, load, metaOf, requireOf, resolve } from "./load.js";
import { nameCode, remember } from "./origins.js";
import type { AnyFunction, Import, Parameter, Parts, Plan, Portable, Revived } from "./portable.js";

/**
 * @throws CaptureError when a module it imports cannot be imported here, or has no such export.
 */
export async function revive(portable: Portable, parts: Parts): Promise<Revived> {
  if (portable.module !== undefined) {
    return { value: await exported(portable, portable.module, portable.export ?? "default"), classes: [] };
  }
  const plan = deserialize(portable.data) as Plan;
  const imported: unknown[] = [];
  for (const wanted of plan.imports) imported.push(await importOne(wanted, portable));

  const filename = nameCode({ positions: portable.positions, urls: plan.modules.map(({ url }) => url) });
  const program = compileFunction(portable.code, [], { filename }) as () => ((...parameters: unknown[]) => Group)[];
  const groups = program().map((group, index) => {
    const { url, parameters } = plan.modules[index] ?? { url: "", parameters: [] };
    return group(...parameters.map((parameter) => argument(parameter, url, imported, portable.tsx)));
  });
  const decoder = new Decoder(plan, groups, imported, parts, (kind, url) =>
    argument(kind, url, imported, portable.tsx),
  );
  return decoder.decode();
}

function argument(parameter: Parameter, url: string, imported: readonly unknown[], tsx: boolean): unknown {
  if (typeof parameter === "number") return imported[parameter];
  const meta = metaOf(url);
  if (parameter === "filename" || parameter === "dirname") return meta[parameter];
  const given = parameter === "meta" ? meta : parameter === "require" ? requireOf(url) : importFunction(url, tsx);
  remember(given, { helper: ["helper", parameter, url] });
  return given;
}

async function importOne(wanted: Import, portable: Portable): Promise<unknown> {
  try {
    const module = await load(wanted, portable.tsx);
    remember(module, { import: wanted });
    return module;
  } catch (cause) {
    throw cannotImport(portable, wanted.specifier, wanted.parent, cause);
  }
}

async function exported(portable: Portable, module: string, name: string): Promise<AnyFunction> {
  let namespace: Record<string, unknown>;
  try {
    const url = resolve(module, module);
    namespace = (await load({ specifier: url, parent: url, kind: "import" }, portable.tsx)) as Record<string, unknown>;
  } catch (cause) {
    throw cannotImport(portable, module, module, cause);
  }
  // Of a CommonJS module, Node finds only the exports that it can see in the text.
  const main = namespace["default"] as Record<string, unknown> | undefined;
  const found = name in namespace ? namespace[name] : main?.[name];
  if (typeof found === "function") return found;
  const functions = [...new Set([...Object.keys(namespace), ...Object.keys(main ?? {})])].filter(
    (key) => typeof (namespace[key] ?? main?.[key]) === "function",
  );
  const reason = found === undefined ? `it has no export ${name}` : `its export ${name} is no function`;
  throw new CaptureError(
    `${name} of ${portable.where} cannot run in a worker: ${reason}. It exports ${functions.join(", ") || "no functions"}.`,
    { variable: name, reason, file: portable.where, line: 1 },
  );
}

function cannotImport(portable: Portable, specifier: string, parent: string, cause: unknown): CaptureError {
  const { message } = cause instanceof Error ? cause : { message: String(cause) };
  const [, file = portable.where, line = "1"] = /^(.*):(\d+)$/.exec(portable.where) ?? [];
  const reason = `the import of ${JSON.stringify(specifier)} failed in the worker: ${message}`;
  return new CaptureError(
    `${portable.name} (${portable.where}) cannot run in a worker: ${reason}. It is imported by ${parent}.`,
    {
      variable: specifier,
      reason,
      file,
      line: Number(line),
      cause,
    },
  );
}
