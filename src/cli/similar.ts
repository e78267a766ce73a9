/** Names near to one that does not exist. */

/** Insertions, deletions, replacements and swaps of neighbours between two texts. */
function distance(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : replaced;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced, swapped));
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}

const stem = (name: string): string => name.replace(/(?<=.)\.\w+$/, "");

/** Those that a slip of the finger, another case or another ending explains, the nearest first. */
export function similar(name: string, among: readonly string[], most = 3): string[] {
  const wanted = name.toLowerCase();
  return among
    .map((other) => {
      const lower = other.toLowerCase();
      const far = Math.min(distance(wanted, lower), distance(stem(wanted), stem(lower)) + 0.5);
      const continues = wanted.length > 1 && lower.startsWith(`${stem(wanted)}.`);
      return { other, far: continues ? Math.min(far, 0.75) : far };
    })
    .filter(
      ({ other, far }) => far <= Math.max(1, Math.floor(Math.min(stem(name).length, stem(other).length) * 0.34) + 0.5),
    )
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ other }) => other);
}
