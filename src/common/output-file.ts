/** Files that a user names for output: why one cannot be written, in words, and where possible before the work starts. */
import { accessSync, constants, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { UsageError } from "./errors.js";

const reasons: Readonly<Record<string, (folder: string) => string>> = {
  ENOENT: (folder) => `the folder ${folder} is not there; make it first, or name a file in another one`,
  ENOTDIR: (folder) => `${folder} is no folder; name a file in one`,
  EISDIR: () => "it is a folder; name a file in it",
  EACCES: (folder) => `you may not write in ${folder}; name a file in a folder of your own`,
  EPERM: (folder) => `you may not write in ${folder}; name a file in a folder of your own`,
  EROFS: (folder) => `${folder} is read-only; name a file in a folder of your own`,
  ENOSPC: (folder) => `no space is left in ${folder}; free some, or name a file on another disk`,
  EDQUOT: (folder) => `your quota is used up in ${folder}; free some, or name a file on another disk`,
};

/** `parameter`: what named the file, as the user knows it. `cause`: what the file system said. */
export function cannotWrite(file: string, parameter: string, cause: unknown): UsageError {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  const reason = reasons[code]?.(dirname(resolve(file))) ?? `${message}; name another file`;
  return new UsageError(`${parameter}: ${file} cannot be written: ${reason}.`, { parameter, cause });
}

/** Throws what writing would run into, as far as that can be known without writing. */
export function checkOutputFile(file: string, parameter: string): void {
  try {
    const there = statSync(file, { throwIfNoEntry: false });
    if (there?.isDirectory()) throw Object.assign(new Error("is a folder"), { code: "EISDIR" });
    const folder = dirname(resolve(file));
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error("is no folder"), { code: "ENOTDIR" });
    accessSync(there ? file : folder, constants.W_OK);
  } catch (error) {
    throw cannotWrite(file, parameter, error);
  }
}
