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
let put1;
while (stored.length < Number(most)) {
  try {
    stored.push(await put(new Float64Array(length).fill(stored.length)));
  } catch (error) {
    put1 = told(error);
    break;
  }
}
const full = stored.length;
// The same as a result, and as an argument.
const made = await get(make(length, 1)).then(() => "none", told);
let argument = "none";
try {
  await get(sum(new Float64Array(length)));
} catch (error) {
  argument = told(error);
}
// A map of which some results fit and others do not.
const refs = distribute((n) => new Float64Array(n).fill(n)).map([10, length, 20], { chunk: 3 });
const mapped = await Promise.all(
  refs.map((ref) =>
    get(ref).then(
      (data) => data.length,
      (error) => told(error).code,
    ),
  ),
);

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
