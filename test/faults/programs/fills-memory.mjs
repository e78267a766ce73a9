/**
 * Keeps more results than memory holds, reads all of them, and says what came of it: one JSON line.
 * Arguments: bytes in all, and bytes of each array.
 */
import { cluster, distribute, get, put } from "girona";

const [, , total, each, objectMemory] = process.argv;
const length = Number(each) / 8;
const count = Math.ceil(Number(total) / Number(each));
const session = await cluster({ workers: 2, dashboard: false, ...(objectMemory ? { objectMemory } : {}) });
function made(n, seed) {
  const data = new Float64Array(n);
  for (let i = 0; i < n; i++) data[i] = (seed + i) % 1000;
  return data;
}
const make = distribute(made);
const sum = distribute((data) => {
  let all = 0;
  for (let i = 0; i < data.length; i++) all += data[i];
  return all;
});

/** The same sum from the formula of `made`. */
function expected(seed) {
  let all = Math.floor(length / 1000) * 499_500;
  for (let i = length - (length % 1000); i < length; i++) all += (seed + i) % 1000;
  return all;
}

// Half as results of tasks, half stored by the program.
const refs = [];
for (let seed = 0; seed < count; seed++) {
  if (seed % 2 === 0) {
    refs.push(make(length, seed));
    // No more under way than the workers can do: what is measured is what is kept.
    await get(sum(refs[seed]));
  } else refs.push(await put(made(length, seed)));
}
const sums = [];
for (const ref of refs) sums.push(await get(sum(ref)));
const { objectBytes, spilledBytes } = session.engine.snapshot();
// Reading here maps, it does not copy.
let first = 0;
for (let seed = 0; seed < count; seed += 7) if ((await get(refs[seed]))[0] === seed % 1000) first++;
await session.close();
console.log(
  JSON.stringify({
    count,
    wrong: sums.filter((value, seed) => value !== expected(seed)).length,
    firstWrong: Math.ceil(count / 7) - first,
    objectBytes,
    spilledBytes,
  }),
);
