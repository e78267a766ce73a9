/** Reports as files: a page, or JSON when the name ends in `.json`. */
import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { arch, cpus, hostname, release, type } from "node:os";
import { basename } from "node:path";
import { cannotWrite, usableCores, usableMemory } from "../common/index.js";
import { type Machine, type Report, reportHtml } from "./report.js";

export function thisMachine(): Machine {
  return {
    host: hostname(),
    platform: `${type()} ${release()} ${arch()}`,
    cpu: cpus()[0]?.model ?? "unknown processor",
    cores: usableCores().value,
    memory: usableMemory().value,
    node: process.versions.node,
  };
}

function textOf(file: string, report: Report): string {
  if (file.endsWith(".json")) return `${JSON.stringify(report, undefined, 2)}\n`;
  return reportHtml(report, basename(process.argv[1] || "program"), new Date());
}

/** Throws `UsageError` when it cannot be written. */
export async function writeReport(file: string, report: Report): Promise<void> {
  try {
    await writeFile(file, textOf(file, report));
  } catch (error) {
    throw cannotWrite(file, "report(file)", error);
  }
}

/** The same in one go, for the exit of the process. `parameter`: what named the file. */
export function writeReportNow(file: string, report: Report, parameter: string): void {
  try {
    writeFileSync(file, textOf(file, report));
  } catch (error) {
    throw cannotWrite(file, parameter, error);
  }
}
