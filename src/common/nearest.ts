/** The name that somebody most likely meant. */

/** Levenshtein's distance (Soviet Physics Doklady 10, 1966), with neighbours exchanged counted as one (Damerau 1964). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, before[j - 2]! + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** Less is nearer. People know how a name begins: an equal start counts for it, and so does a name cut short. */
function score(given: string, name: string): number {
  const apart = distance(given, name) - 0.3 * commonStart(given, name);
  return isStart(given, name) ? Math.min(apart, 1.9) : apart;
}

const isStart = (given: string, name: string): boolean => given.length > 2 && name.startsWith(given);

/** The one of `names` nearest to `given`; `undefined` when none is near. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const wanted = given.toLowerCase();
  const near = Math.floor(given.length * 0.6) + 0.5;
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const at = score(wanted, name.toLowerCase());
    if (at < least && (at < near || isStart(wanted, name.toLowerCase()))) {
      best = name;
      least = at;
    }
  }
  return best;
}
