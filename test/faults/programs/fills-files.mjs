/**
 * Stores and computes arrays until neither memory nor files take more, then goes on with what it has: one JSON line.
 * Arguments: objectMemory, bytes of each array, and how many at most.
 */
import { cluster, distribute, get, isGironaError, put } from "girona";

const [, , objectMemory, each, most] = process.argv;
const length = Number(each) / 8;
const session = await cluster({ workers: 2, dashboard: false, objectMemory });
const sum = distribute((data) => data.reduce((a, b) => a + b, 0));
const make = distribute((n, value) => new Float64Array(n).fill(value));
const square = distribute((x) => x * x);

const told = (error) => ({
  code: error.code,
  message: error.message,
  cause: error.cause && { code: error.cause.code, message: error.cause.message },
  girona: isGironaError(error),
});

const stored = [];
/** Stores until nothing more fits, or there are enough; the error that said so. */
async function fill() {
  let last;
  // Not at the first refusal: what the program itself has dropped makes room when it is collected.
  for (let refused = 0; refused < 3 && stored.length < Number(most); ) {
    try {
      stored.push(await put(new Float64Array(length).fill(stored.length)));
    } catch (error) {
      last = told(error);
      refused++;
      globalThis.gc();
    }
  }
  return last;
}
/** What becomes of it when nothing fits; where processes gave memory back meanwhile, that is filled, and it is tried again. */
async function whenFull(attempt) {
  for (let tries = 0; ; tries++) {
    await fill();
    const outcome = await attempt();
    if (outcome !== "none" || stored.length >= Number(most) || tries === 20) return outcome;
  }
}

const put1 = await fill();
// The same as a result, and as an argument.
const made = await whenFull(() => get(make(length, 1)).then(() => "none", told));
const argument = await whenFull(() => (async () => get(sum(new Float64Array(length))))().then(() => "none", told));
// A map of which some results fit and others do not.
const filled = distribute((n) => new Float64Array(n).fill(n));
let mapped;
await whenFull(async () => {
  const refs = filled.map([10, length, 20], { chunk: 3 });
  mapped = await Promise.all(
    refs.map((ref) =>
      get(ref).then(
        (data) => data.length,
        (error) => told(error).code,
      ),
    ),
  );
  return mapped.includes(length) ? "none" : "refused";
});
const full = stored.length;

// Everything else goes on.
const squares = await get(Array.from({ length: 500 }, (_, i) => square(i)));
const sums = [];
for (const ref of stored) sums.push((await get(sum(ref))) / length);
const { workers } = session.engine.snapshot();

// And after some are dropped, there is room again.
stored.length = Math.floor(full / 4);
let again = "none";
for (let i = 0; i < 200 && again !== "stored"; i++) {
  globalThis.gc();
  await get(square(i));
  await new Promise((resolve) => setTimeout(resolve, 10));
  again = await put(new Float64Array(length)).then(() => "stored", told);
}
const rest = [];
for (const ref of stored) rest.push((await get(sum(ref))) / length);
console.log(
  JSON.stringify({
    put: put1,
    full,
    made,
    argument,
    mapped,
    squares: squares.every((value, i) => value === i * i),
    wrong: sums.filter((value, i) => value !== i).length + rest.filter((value, i) => value !== i).length,
    lost: workers.filter(({ name }) => !["worker-1", "worker-2"].includes(name)).map(({ name }) => name),
    again,
  }),
);
await session.close();
