/**
 * girona and its peers side by side: `node --import tsx bench/run.ts [--only name,…] [--rounds n] [--quick]`.
 *
 * Every measurement is a process of its own, one after another. Rounds are interleaved (case by case, all subjects in
 * turn), so that a slow minute of the machine hits everyone.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { abandonChild, root, runChild } from "./child.ts";
import { type CaseName, figures, type PeerName, type SubjectName } from "./figures.ts";
import { rowsOf, type Samples } from "./judge.ts";
import { describe, thisMachine } from "./machine.ts";
import { summarise } from "./stats.ts";
import { sizesFor, subjects } from "./subjects.ts";
import { markdownTable, score, textTable } from "./table.ts";

const timeoutMs = 300_000;
const subjectNames = Object.keys(subjects) as SubjectName[];
const caseNames = [...subjects.girona.cases];

interface Flags {
  readonly cases: readonly CaseName[];
  readonly subjects: readonly SubjectName[];
  readonly rounds: number;
  readonly quick: boolean;
  /** Everything was asked for: only such a run may replace the files of the last one. */
  readonly whole: boolean;
}

function readFlags(): Flags {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true, default: [] },
      rounds: { type: "string" },
      quick: { type: "boolean", default: false },
    },
  });
  const only = values.only.flatMap((text) => text.split(","));
  const unknown = only.find((name) => ![...caseNames, ...subjectNames].some((known) => known === name));
  if (unknown !== undefined) {
    throw new Error(`--only ${unknown}: give cases (${caseNames.join(", ")}) or subjects (${subjectNames.join(", ")})`);
  }
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds ${values.rounds}: give a whole number`);
  const chosen = <N extends string>(names: readonly N[]) => {
    const some = names.filter((name) => only.includes(name));
    return some.length === 0 ? names : some;
  };
  return {
    cases: chosen(caseNames),
    subjects: chosen(subjectNames),
    rounds,
    quick: values.quick,
    whole: only.length === 0 && !values.quick,
  };
}

const say = (text: string) => process.stderr.write(`${text}\n`);
/** Without the machine's own paths: remarks are written to files. */
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).replaceAll(root, "");

/** The subjects that are there, with their versions; the others are said to be missing. */
async function findVersions(names: readonly SubjectName[]) {
  const versions: Record<string, string> = {};
  const present: SubjectName[] = [];
  const missing: string[] = [];
  for (const name of names) {
    const { title, command } = subjects[name];
    try {
      const { figures: found } = await runChild(command("version"), 60_000);
      for (const [what, version] of Object.entries(found)) versions[what] = String(version);
      present.push(name);
    } catch (error) {
      const howTo = name === "girona" ? "build it first" : "see bench/README.md";
      missing.push(`${title} is missing, ${howTo}: ${messageOf(error)}`);
      say(missing.at(-1)!);
    }
  }
  return { versions, present, missing };
}

async function measure(flags: Flags, present: readonly SubjectName[]) {
  const lists: Record<string, Partial<Record<SubjectName, number[]>>> = {};
  const problems: string[] = [];
  for (let round = 1; round <= flags.rounds; round++) {
    for (const caseName of flags.cases) {
      for (const name of present) {
        const subject = subjects[name];
        if (!subject.cases.includes(caseName)) continue;
        if (round > 1 && subject.once?.includes(caseName)) continue;
        const label = `round ${round}/${flags.rounds}  ${caseName}  ${subject.title}`;
        const start = performance.now();
        try {
          const sizes = JSON.stringify(sizesFor(name, caseName, flags.quick));
          const { figures: measured, leftBehind } = await runChild([...subject.command(caseName), sizes], timeoutMs);
          for (const [id, value] of Object.entries(measured)) {
            if (!(id in figures) && !Object.values(figures).some((figure) => figure.standIn === id)) continue;
            lists[id] ??= {};
            lists[id][name] ??= [];
            lists[id][name].push(Number(value));
          }
          if (leftBehind > 0) problems.push(`${label}: left ${leftBehind} processes behind`);
          say(`${label}  ${((performance.now() - start) / 1000).toFixed(1)} s  ${JSON.stringify(measured)}`);
        } catch (error) {
          problems.push(`${label}: ${messageOf(error)}`);
          say(problems.at(-1)!);
        }
      }
    }
  }
  const samples: Samples = Object.fromEntries(
    Object.entries(lists).map(([id, bySubject]) => [
      id,
      Object.fromEntries(Object.entries(bySubject).map(([name, list]) => [name, summarise(list)])),
    ]),
  );
  return { samples, problems };
}

const flags = readFlags();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    abandonChild();
    process.exit(130);
  });
}

const start = performance.now();
const machine = thisMachine();
const { versions, present, missing } = await findVersions(flags.subjects);
const { samples, problems } = await measure(flags, present);

const titles = Object.fromEntries(subjectNames.map((name) => [name, subjects[name].title])) as Record<
  SubjectName,
  string
>;
const peers = present.filter((name): name is PeerName => name !== "girona");
const columns = peers.map((name) => ({ name, title: titles[name] }));
const rows = rowsOf(samples, peers, titles);
const minutes = ((performance.now() - start) / 60_000).toFixed(1);
const how = `2 workers each; ${flags.quick ? "quick, with smaller counts than the rows say; " : ""}${flags.rounds === 1 ? "1 round" : `${flags.rounds} rounds`} in ${minutes} min`;
const where = describe(machine, versions);
const remarks = [...missing, ...problems];

if (rows.length === 0) console.log("Nothing was measured.");
else console.log([textTable(rows, columns), score(rows), where, how, ...remarks].join("\n"));

if (flags.whole && present.includes("girona")) {
  const results = { machine, versions, rounds: flags.rounds, minutes: Number(minutes), rows, samples, remarks };
  writeFileSync(join(root, "bench/results.json"), `${JSON.stringify(results, null, 2)}\n`);
  // The file is kept in the repository, so it must be formatted as `make check` wants it.
  execFileSync(join(root, "node_modules/.bin/biome"), ["format", "--write", "bench/results.json"], {
    cwd: root,
    stdio: "pipe",
  });
  const markdown = [
    "# Results",
    "Written by `make bench`; what each figure means is in [README.md](README.md).",
    markdownTable(rows, columns),
    `${score(rows)}.`,
    `${where}. ${how}.`,
    ...remarks.map((remark) => `- ${remark}`),
  ];
  writeFileSync(join(root, "bench/RESULTS.md"), `${markdown.join("\n\n")}\n`);
  console.log("Written: bench/results.json, bench/RESULTS.md");
} else {
  console.log("Not written to files: only a whole run with girona is.");
}
// A target that is not met is a figure, and a peer that is missing a remark; only what broke is a failure.
const gironaMissing = flags.subjects.includes("girona") && !present.includes("girona");
process.exitCode = problems.length > 0 || gironaMissing ? 1 : 0;
