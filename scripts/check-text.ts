/** Habits that a pattern can check, in all files that git has or would take. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { execute, report, root } from "./common.ts";

const rules: readonly { files: RegExp; refuse: RegExp; because: string }[] = [
  {
    files: /./,
    refuse: /https?:\/\/[^\s"'`)]*(?:registry|pypi|pythonhosted|goproxy|debian|crates|maven)[^\s"'`)]*/i,
    because: "where packages come from is the machine's own setting",
  },
  {
    files: /^package-lock\.json$/,
    refuse: /"resolved": "http/,
    because: ".npmrc keeps addresses out of the lock file: run npm install",
  },
  {
    files: /^(test|src)\/.*\.ts$/,
    refuse: /\b(?:it|test|describe)\.(?:skip|only|todo|fails)\b|\b(?:xit|xdescribe)\(/,
    because: "every test runs; what a machine may lack is stated with needs()",
  },
  {
    files: /^test\/.*\.ts$/,
    refuse: /setTimeout\([^,]*, *[\d_]{3,}\)|\bsleep\([\d._]+\)/,
    because: "tests wait for an event or a condition (waitFor), not for a fixed time",
  },
  {
    files: /^(src|native)\//,
    refuse: /\b(?:TODO|FIXME|XXX|HACK)\b|not implemented/,
    because: "what is there is finished",
  },
];
const mostLines = 400;

const listed = await execute(["git", "ls-files", "--cached", "--others", "--exclude-standard"]);
if (listed.exitCode !== 0) throw new Error(`git ls-files fails: ${listed.output}`);
report(listed.output.split("\n").filter(Boolean).flatMap(check));

function check(file: string): string[] {
  let lines: string[];
  try {
    lines = readFileSync(join(root, file), "utf8").split("\n");
  } catch {
    return []; // removed, not yet committed
  }
  const concerned = rules.filter(({ files }) => files.test(file));
  const found = lines.flatMap((line, index) =>
    concerned.flatMap(({ refuse, because }) => {
      const text = line.match(refuse)?.[0];
      return text ? [`${file}:${index + 1}: ${text}: ${because}`] : [];
    }),
  );
  if (/^src\/.*\.ts$/.test(file) && lines.length > mostLines + 1)
    found.push(`${file}: ${lines.length - 1} lines, more than ${mostLines}: one concept per file`);
  return found;
}
