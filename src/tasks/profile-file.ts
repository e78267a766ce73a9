/** `GIRONA_PROFILE=FILE`: the report of every cluster of the program, in one file when the program ends. */
import { relative, resolve } from "node:path";
import { checkOutputFile, UsageError } from "../common/index.js";
import { joined, type Report } from "./report.js";
import { writeReportNow } from "./report-file.js";
import { print } from "./stderr.js";

const variable = "GIRONA_PROFILE";

interface Source {
  reportNow(): Report;
}

/** A cluster of the program; `source` until it is closed, and its report from then on, so that the cluster is not kept. */
interface Entry {
  source: Source | undefined;
  report: Report | undefined;
}

let file: string | undefined;
let entries: Entry[] = [];

/**
 * Reads the variable, once: this process takes it, so that programs which it starts do not write over its file.
 *
 * @throws UsageError for a name that says neither which form, nor a place that can be written to: not after hours of work.
 */
export function readProfileVariable(): void {
  const given = process.env[variable];
  // An empty variable is how a shell unsets one for a command.
  if (!given) return;
  if (!/\.(?:html|json)$/.test(given)) {
    throw new UsageError(`${variable}: "${given}" was given; the name must end in .html (a page) or .json.`, {
      parameter: variable,
    });
  }
  checkOutputFile(given, variable);
  file = resolve(given);
  delete process.env[variable];
}

/** Is a file to be written at the end? */
export function profiling(): boolean {
  return file !== undefined;
}

export function profileOpened(source: Source): void {
  if (file !== undefined) entries.push({ source, report: undefined });
}

export function profileClosed(source: Source): void {
  const entry = entries.find((one) => one.source === source);
  if (!entry) return;
  entry.report = source.reportNow();
  entry.source = undefined;
}

/** At the end of the process: nothing may wait any more. */
export function writeProfile(): void {
  if (file === undefined || entries.length === 0) return;
  const reports = entries.map(({ source, report }) => report ?? source!.reportNow());
  entries = [];
  try {
    writeReportNow(file, joined(reports), variable);
    const near = relative("", file);
    print(`girona: where the time went: ${near.startsWith("..") ? file : near}`);
  } catch (error) {
    print(`girona: no profile: ${(error as Error).message}`);
  }
}
