/** `girona run --profile REPORT`: asks the program's own girona, whichever that is, for its report. */
import { resolve } from "node:path";
import { checkOutputFile } from "../common/index.js";

const variable = "GIRONA_PROFILE";

/** Why there could be no report there. Told before the program runs, which may take hours. */
export function problemWith(report: string): string | undefined {
  if (!/\.(?:html|json)$/.test(report))
    return `--profile ${report}: the name of the report must end in .html (a page) or .json; the program comes after it`;
  try {
    checkOutputFile(report, "--profile");
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

export function profileInto(report: string): void {
  process.env[variable] = resolve(report);
  process.once("exit", () => {
    // The first cluster of the program takes it.
    if (process.env[variable]) process.stderr.write("girona: no profile: the program called no distributed function\n");
  });
}
