/** Does a worker need tsx to import what a script imports? */
import { parsedScripts } from "./inspect.js";

const typescript = /\.[cm]?tsx?(?:[?#]|$)/;
const jsx = /\.jsx(?:[?#]|$)/;

/**
 * Yes when this process runs TypeScript through a loader such as tsx or vitest. Not when Node itself strips the types:
 * it leaves no source map, and a worker of the same Node does the same.
 */
export function needsTsx(script: { readonly url: string; readonly hasSourceMap: boolean | undefined }): boolean {
  if (typescript.test(script.url) || jsx.test(script.url)) {
    if (script.hasSourceMap === true || jsx.test(script.url) || !stripsTypes()) return true;
  }
  return usesLoader();
}

function stripsTypes(): boolean {
  return Boolean((process.features as { typescript?: string | false }).typescript);
}

/** Is tsx or vitest at work in this process, started from the command line or by a call? */
function usesLoader(): boolean {
  const options = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].join(" ");
  if (/\btsx\b/.test(options) || "__vitest_worker__" in globalThis) return true;
  for (const { url } of parsedScripts()) if (/\/tsx\/dist\/(?:register|esm\/|cjs\/)/.test(url)) return true;
  return false;
}
