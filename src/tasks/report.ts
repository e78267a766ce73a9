/** What a session did, as one page that needs nothing but a browser. Pure: from plain data to text. */
import { showBytes, showSeconds } from "../common/index.js";
import type { FunctionSnapshot, Step, WorkerSnapshot } from "../engine/index.js";
import { escapeHtml } from "./html.js";
import type { Advice, Cost, FunctionProfile } from "./types/index.js";

export interface Machine {
  readonly host: string;
  readonly platform: string;
  readonly cpu: string;
  /** That the program may use, as for the memory. */
  readonly cores: number;
  /** Bytes. */
  readonly memory: number;
  readonly node: string;
}

/** `session`: which of several clusters of the program, in the order of their opening, from 1 on. */
interface OfSession {
  readonly session?: number;
}

export interface Report {
  readonly version: 1;
  readonly functions: readonly (FunctionProfile & Pick<FunctionSnapshot, "where" | "failed"> & OfSession)[];
  readonly advice: readonly Advice[];
  readonly cost: Cost;
  readonly workers: readonly (WorkerSnapshot & OfSession)[];
  readonly machine: Machine;
}

/** The sessions of one program as one; of advice that several of them have, the last. */
export function joined(reports: readonly Report[]): Report {
  const [first] = reports;
  if (reports.length === 1) return first!;
  const numbered = <T>(rowsOf: (report: Report) => readonly T[]): (T & { session: number })[] =>
    reports.flatMap((report, i) => rowsOf(report).map((row) => ({ session: i + 1, ...row })));
  const advice = new Map(reports.flatMap((one) => one.advice.map((each) => [`${each.rule} ${each.where}`, each])));
  const prices = reports.flatMap(({ cost }) => (cost.price === undefined ? [] : [cost.price]));
  return {
    version: 1,
    functions: numbered((report) => report.functions),
    advice: [...advice.values()],
    cost: {
      workerHours: reports.reduce((sum, { cost }) => sum + cost.workerHours, 0),
      price: prices.length === 0 ? undefined : prices.reduce((sum, price) => sum + price),
    },
    workers: numbered((report) => report.workers),
    machine: first!.machine,
  };
}

const steps: Readonly<Record<Step, string>> = {
  serialise: "arguments to bytes, in the program",
  queue: "waiting for a worker; every waiting call counts, so the sum may exceed the time that passed",
  transfer: "bytes to arguments, in the worker",
  run: "the function itself",
  fetch: "bytes to the value, in get",
};
const stepNames = Object.keys(steps) as Step[];

/** A cell; `number` ones are aligned to the right. */
type Cell = string | { readonly number: string } | { readonly html: string };

function cell(content: Cell, row: boolean): string {
  const tag = row ? 'th scope="row"' : "td";
  const end = row ? "th" : "td";
  if (typeof content === "string") return `<${tag}>${escapeHtml(content)}</${end}>`;
  if ("html" in content) return `<td>${content.html}</td>`;
  return `<td class="number">${escapeHtml(content.number)}</td>`;
}

/** The first cell of a row is its head. */
function table(caption: string, heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const head = heads.map((one) => `<th scope="col">${escapeHtml(one)}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((one, i) => cell(one, i === 0)).join("")}</tr>`).join("\n");
  return `<div class="wide" role="region" tabindex="0" aria-label="${escapeHtml(caption)}"><table>
<caption>${escapeHtml(caption)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}
</tbody></table></div>`;
}

/** Percent, at least something to see for what is not nothing. */
function share(part: number, whole: number): string {
  const percent = (100 * part) / whole;
  return part > 0 && percent < 1 ? "< 1 %" : `${Math.round(percent)} %`;
}

/** Where the time of one function's calls went. */
function bar(profile: FunctionProfile): string {
  const whole = stepNames.reduce((sum, step) => sum + profile[step].total, 0);
  if (whole === 0) return "";
  const words = escapeHtml(stepNames.map((step) => `${step} ${share(profile[step].total, whole)}`).join(", "));
  let x = 0;
  const parts = stepNames.map((step) => {
    const width = (100 * profile[step].total) / whole;
    const part = `<rect class="${step}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="10"/>`;
    x += width;
    return part;
  });
  return `<svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="${words}"><title>${words}</title>${parts.join("")}</svg>`;
}

const seconds = ({ median, total }: { readonly median: number; readonly total: number }): Cell => ({
  number: `${showSeconds(median)} / ${showSeconds(total)}`,
});

/** Over a minute of worker time, worker-hours say more; below, they are a row of zeros. */
function costText({ workerHours, price }: Cost, runSeconds: number): string {
  const time = workerHours * 3600;
  const busy = time > 0 ? `; functions ran for ${showSeconds(runSeconds)} of it` : "";
  const paid = price === undefined ? "" : `, at the given price ${Number(price.toPrecision(3))}`;
  return `${Number(workerHours.toPrecision(3))} worker-hours (${showSeconds(time)} of worker time${busy})${paid}.`;
}

const style = `:root{color-scheme:light dark;--text:#1c1c1c;--back:#fff;--line:#ccc;--dim:#555;--serialise:#b35900;--queue:#9a9a9a;--transfer:#7a5cc0;--run:#1a7f4b;--fetch:#1f6fc4}
@media(prefers-color-scheme:dark){:root{--text:#e4e4e4;--back:#161616;--line:#444;--dim:#aaa;--serialise:#f0a050;--queue:#777;--transfer:#b49cf0;--run:#4cc38a;--fetch:#6cb0f5}}
body{font:15px/1.5 system-ui,sans-serif;margin:2rem;color:var(--text);background:var(--back)}
h1{margin-bottom:0}.dim{color:var(--dim)}.wide{overflow-x:auto}
table{border-collapse:collapse;margin:0 0 1rem}caption{text-align:left;color:var(--dim);padding:.25rem 0}
th,td{padding:.3rem .75rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}tbody th{font-weight:600}
.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
svg{display:block;width:12rem;height:1.1rem;margin-top:.15rem}dt{float:left;clear:left;width:7rem}dd{margin-left:7rem}
${stepNames.map((step) => `.${step}{fill:var(--${step})}dt.${step}::before{content:"■ ";color:var(--${step})}`).join("\n")}
`;

function functionsHtml(functions: Report["functions"], several: boolean): string {
  if (functions.length === 0) return "<p>No function was called.</p>";
  const rows = functions.map((one): Cell[] => [
    one.name,
    ...(several ? [{ number: String(one.session ?? "") }] : []),
    { html: bar(one) },
    { number: String(one.calls) },
    { number: String(one.failed) },
    ...stepNames.map((step) => seconds(one[step])),
    { number: showBytes(one.bytes) },
    one.where,
  ]);
  const heads = ["function", ...(several ? ["cluster"] : []), "where the time went", "calls", "failed", ...stepNames];
  const words = stepNames.map((step) => `<dt class="${step}">${step}</dt><dd>${escapeHtml(steps[step])}</dd>`).join("");
  return `${table("Time of each step: the median call / all calls together", [...heads, "moved", "defined at"], rows)}
<dl>${words}</dl>`;
}

function adviceHtml(advice: readonly Advice[]): string {
  if (advice.length === 0) return "<p>No mistake was noticed.</p>";
  const rows = advice.map(({ rule, where, what, cost, fix }) => [rule, where, what, cost, fix]);
  return table("Mistakes that were noticed", ["rule", "where", "what", "what it cost", "what to do"], rows);
}

function workersHtml(workers: Report["workers"], several: boolean): string {
  if (workers.length === 0) return "<p>There was none at the end.</p>";
  const rows = workers.map(({ name, session, pid, state, memory, running }): Cell[] => [
    name,
    ...(several ? [{ number: String(session ?? "") }] : []),
    { number: String(pid) },
    state,
    { number: memory === undefined ? "" : showBytes(memory) },
    running ?? "",
  ]);
  const heads = ["worker", ...(several ? ["cluster"] : []), "process", "state", "memory", "running"];
  return table("Processes when the report was made, or the cluster closed", heads, rows);
}

/** `title`: the program, say. `made`: the date. */
export function reportHtml(report: Report, title: string, made: Date): string {
  const { functions, advice, cost, workers, machine } = report;
  const several = [...functions, ...workers].some(({ session }) => session !== undefined);
  const ran = functions.reduce((sum, { run }) => sum + run.total, 0);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}: where the time went</title>
<style>${style}</style></head>
<body><main>
<h1>${escapeHtml(title)}</h1>
<p class="dim">girona, <time datetime="${made.toISOString()}">${made.toISOString().slice(0, 19).replace("T", " ")} UTC</time></p>
<h2>Functions</h2>
${functionsHtml(functions, several)}
<h2>Advice</h2>
${adviceHtml(advice)}
<h2>Cost</h2>
<p>${escapeHtml(costText(cost, ran))}</p>
<h2>Workers</h2>
${workersHtml(workers, several)}
<h2>Machine</h2>
<p>${escapeHtml(`${machine.host}: ${machine.cpu}, ${machine.cores} cores and ${showBytes(machine.memory)} for this program; ${machine.platform}, Node.js ${machine.node}.`)}</p>
</main></body></html>
`;
}
