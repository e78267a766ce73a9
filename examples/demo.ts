// npx girona run examples/demo.ts [folder]    facts about every text file of a folder: first in a plain loop, then on all cores
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { cluster, distribute, progress } from "girona";

const folder = process.argv[2] ?? "node_modules";
const textFile = /\.(?:[cm]?[jt]s|json|map|md|txt|css|html|yml)$/;

/** What one file holds. An ordinary function; it need not know where it runs. */
function facts(file: string) {
  const text = readFileSync(file, "utf8");
  const letters = new Array<number>(26).fill(0);
  const words = new Set<string>();
  let count = 0;
  for (const [word] of text.matchAll(/[a-z]+/gi)) {
    count++;
    words.add(word.toLowerCase());
  }
  for (const word of words) for (const letter of word) letters[letter.charCodeAt(0) - 97]!++;
  const lines = text.split("\n");
  const longest = lines.reduce((most, line) => Math.max(most, line.length), 0);
  return { ending: extname(file), lines: lines.length, words: count, longest, letters };
}
type Facts = ReturnType<typeof facts>;

const names = readdirSync(folder, { recursive: true, withFileTypes: true });
const files = names
  .filter((one) => one.isFile() && textFile.test(one.name))
  .map((one) => join(one.parentPath, one.name));
// Read once before the clock starts: then neither of the two ways below waits for the disk.
const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
console.log(
  `${files.length} text files in ${folder}, ${(bytes / 1e6).toFixed(0)} MB, read once before the clock starts\n`,
);

// A plain loop: one core works, the others wait.
let began = performance.now();
const one = files.map(facts);
const serial = (performance.now() - began) / 1000;
console.log(`plain loop        ${serial.toFixed(2)} s`);

// The same on every core. `distribute` makes a function that runs in worker processes, `map` calls it for each file,
// `progress` collects the results, in order, and shows how far they are.
await using session = await cluster(); // one worker per core; they end when this program does
const factsRemote = distribute(facts);
began = performance.now();
const all = await progress(factsRemote.map(files), "reading");
const distributed = (performance.now() - began) / 1000;
console.log(
  `${session.workers} workers         ${distributed.toFixed(2)} s    ${(serial / distributed).toFixed(2)} times as fast`,
);
console.log(`same results      ${isDeepStrictEqual(one, all)}\n`);

print(all);

/** A table with a row for each kind of file. */
function print(found: readonly Facts[]): void {
  const rows = new Map<string, Omit<Facts, "ending"> & { files: number }>();
  for (const { ending, ...one } of found) {
    const row = rows.get(ending) ?? { files: 0, lines: 0, words: 0, longest: 0, letters: one.letters.map(() => 0) };
    row.files++;
    row.lines += one.lines;
    row.words += one.words;
    row.longest = Math.max(row.longest, one.longest);
    row.letters = row.letters.map((count, i) => count + one.letters[i]!);
    rows.set(ending, row);
  }
  const line = (...cells: (string | number)[]) => console.log(cells.map((cell) => String(cell).padStart(13)).join(""));
  line("ending", "files", "lines", "words", "longest line", "top letters");
  for (const [ending, { letters, ...row }] of [...rows].sort(([, a], [, b]) => b.files - a.files)) {
    const order = [...letters.keys()].sort((a, b) => letters[b]! - letters[a]!);
    const top = String.fromCharCode(...order.slice(0, 5).map((i) => i + 97));
    line(ending, row.files, row.lines, row.words, row.longest, top);
  }
}
