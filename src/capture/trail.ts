/** How capture came to a value, so that an error can name the user's own variable, file and line. */
import { relative } from "node:path";
import { CaptureError } from "../common/index.js";
import { placeOf, type Script, userName } from "./script.js";
import type { Place } from "./sourcemap.js";

export interface Trail {
  /** The function or class that was to be sent. */
  readonly root: string;
  /** As the user would write it: `config.socket`. */
  readonly variable: string;
  /** Where it is named; found only when it is asked for. */
  readonly place: () => Place;
}

/** The trail of something below a value. */
export function below(trail: Trail, step: string | symbol | number): Trail {
  const name = String(step);
  if (/^\d+$/.test(name)) return { ...trail, variable: `${trail.variable}[${name}]` };
  const suffix =
    typeof step === "string" && /^[A-Za-z_$][\w$]*$/.test(name)
      ? `.${name}`
      : `[${typeof step === "string" ? JSON.stringify(step) : name}]`;
  return { ...trail, variable: trail.variable + suffix };
}

/** The trail of a name in a script. */
export function named(trail: Trail, variable: string, script: Script, offset: number): Trail {
  return { root: trail.root, variable: userName(script, offset, variable), place: () => placeOf(script, offset) };
}

/** Ends the capture. `reason` and `advice` are sentences; the reason without its full stop. */
export function refuse(trail: Trail, reason: string, advice: string, cause?: unknown): never {
  const { file, line } = trail.place();
  throw new CaptureError(
    `${trail.root} cannot be sent to a worker because of ${trail.variable} (${shown(file)}:${line}): ${reason}. ${advice}`,
    { variable: trail.variable, reason, file, line, ...(cause !== undefined && { cause }) },
  );
}

/** A file as it is shown: from the working directory when it is below it. */
export function shown(file: string): string {
  if (!file.startsWith("/")) return file;
  const path = relative(process.cwd(), file);
  return path.startsWith("..") ? file : path;
}
