/** `girona doctor`: what this machine has of what girona can use, and how to add the rest. */
import { styleText } from "node:util";
import { type Check, checks } from "./checks.js";
import { installCommand, type System, thisSystem } from "./packages.js";
import type { Finding } from "./probe.js";

/** One row, in the form that `--json` prints: every key is always there. */
export interface Row {
  readonly state: Finding["state"];
  readonly core: boolean;
  readonly version: string | null;
  readonly path: string | null;
  readonly detail: string | null;
  readonly value: number | null;
  readonly for: string;
  /** The command that adds or mends it; `null` when nothing has to be done. */
  readonly add: string | null;
}

/** Prints the report; the exit code is 1 when girona itself cannot run here. */
export async function doctor(version: string, json: boolean): Promise<number> {
  const system = thisSystem();
  const rows = await examine(system);
  const ok = Object.values(rows).every(({ core, state }) => !core || state !== "broken");
  if (json) {
    const { platform, arch } = process;
    process.stdout.write(`${JSON.stringify({ girona: version, platform, arch, ok, checks: rows }, undefined, 2)}\n`);
  } else process.stdout.write(`girona ${version}\n\n${table(rows, coloured())}\n${summary(rows, ok)}\n`);
  return ok ? 0 : 1;
}

async function examine(system: System): Promise<Readonly<Record<string, Row>>> {
  const entries = Object.entries(checks);
  const found = new Map<Check, Finding>();
  for (const first of [true, false]) {
    const now = entries.filter(([, check]) => (check.first ?? false) === first);
    await Promise.all(now.map(async ([, check]) => found.set(check, await look(check))));
  }
  return Object.fromEntries(entries.map(([name, check]) => [name, row(check, found.get(check)!, system)]));
}

async function look({ look: ask }: Check): Promise<Finding> {
  try {
    return await ask();
  } catch (error) {
    return { state: "broken", detail: (error as Error).message };
  }
}

function row({ core = false, for: purpose, add }: Check, finding: Finding, system: System): Row {
  const { state, version = null, path = null, detail = null, value = null } = finding;
  const command = typeof add === "string" ? add : installCommand(add, system);
  return { state, core, version, path, detail, value, for: purpose, add: state === "ok" ? null : command };
}

/** Colours are for terminals, and for those who want them. */
function coloured(): boolean {
  return process.stdout.isTTY === true && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
}

const colours = { ok: "green", missing: "yellow", broken: "red" } as const;

function table(rows: Readonly<Record<string, Row>>, inColour: boolean): string {
  const cells = Object.entries(rows).map(([name, { state, version, path, detail, for: purpose, add }]) => {
    const what = [version, detail && version ? `(${detail})` : detail, path].filter(Boolean).join(" ");
    return { name, state, what, purpose, add };
  });
  const width = (key: "name" | "state" | "purpose") => Math.max(...cells.map((one) => one[key].length));
  const [names, states, purposes] = [width("name"), width("state"), width("purpose")];
  const indent = " ".repeat(names + states + purposes + 6);
  const heads = `${"".padEnd(names)}  ${"state".padEnd(states)}  ${"needed for".padEnd(purposes)}  found`;
  const lines = cells
    .map(({ name, state, what, purpose, add }) => {
      const shown = state.padEnd(states);
      const coloured = inColour ? styleText(colours[state], shown) : shown;
      const first = `${name.padEnd(names)}  ${coloured}  ${purpose.padEnd(purposes)}  `;
      const found = [what, add && `add: ${add}`].filter(Boolean);
      return `${first}${found.join(`\n${indent}`)}`.trimEnd().concat("\n");
    })
    .join("");
  return `${heads}\n${lines}`;
}

function summary(rows: Readonly<Record<string, Row>>, ok: boolean): string {
  const broken = Object.keys(rows).filter((name) => rows[name]!.core && rows[name]!.state === "broken");
  if (!ok) return `girona cannot run on this machine: see ${broken.join(", ")}.`;
  return "girona runs on this machine. What is missing above is needed only for what stands beside it.";
}
