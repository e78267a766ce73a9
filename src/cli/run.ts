/** `girona run FILE [args…]`: a program as Node would run it, TypeScript included. */
import { readdirSync, realpathSync, statSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { nearest } from "../common/index.js";
import { hook } from "./hook.js";
import { plan } from "./plan.js";

/** The program's path, or why there is none. */
export function findProgram(file: string): { readonly path: string } | { readonly problem: string } {
  const path = resolve(file);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return { path };
  if (found) return { problem: `${file} is ${found.isDirectory() ? "a folder" : "no file"}; name a program in it` };
  const folder = dirname(path);
  const there = statSync(folder, { throwIfNoEntry: false });
  if (!there?.isDirectory()) return { problem: `there is no ${file}: the folder ${relative("", folder)} is not there` };
  const near = nearestProgram(basename(path), readdirSync(folder));
  return { problem: `there is no ${file}${near ? `\n(Did you mean ${relative("", join(folder, near))}?)` : ""}` };
}

const ending = /\.[cm]?[jt]sx?$/;

/** Of the programs among these files; the ending is easily forgotten or mistaken, and does not count. */
function nearestProgram(name: string, files: readonly string[]): string | undefined {
  const programs = files.filter((one) => ending.test(one));
  const stems = programs.map((one) => one.replace(ending, ""));
  const near = nearest(name.replace(ending, ""), stems);
  return near === undefined ? undefined : programs[stems.indexOf(near)];
}

/** Makes this process the program's: its arguments, its loaders, and from then on its code. */
export async function run(path: string, args: readonly string[]): Promise<void> {
  process.argv.splice(1, process.argv.length - 1, path, ...args);
  const { tsx, asMain, modules } = plan(realpathSync(path));
  if (tsx) {
    const [esm, cjs] = await Promise.all([import("tsx/esm/api"), import("tsx/cjs/api")]);
    cjs.register();
    esm.register();
  }
  const fallback = !hasGirona(path);
  // After tsx: the hook registered last is asked first.
  if (fallback || modules.length > 0) hook({ modules });
  // Workers import what the program's functions import, so they need the same.
  if (fallback) process.env["NODE_OPTIONS"] = `${process.env["NODE_OPTIONS"] ?? ""} --import=${ownPackage}`.trim();
  if (asMain) Module.runMain();
  else await import(pathToFileURL(path).href);
}

const ownPackage = new URL("own-package.js", import.meta.url).href;

/** Does the program's folder lead to a girona of its own? */
function hasGirona(path: string): boolean {
  try {
    createRequire(path).resolve("girona");
    return true;
  } catch {
    return false;
  }
}
