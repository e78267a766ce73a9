/** A large typed array: copied plainly, put, read in two tasks, and returned from a task. */
import { cluster, distribute, get, put } from "girona";
import { expectEqual, report, sizesFromArguments, timed, twoWorkers } from "../case.ts";
import { median } from "../stats.ts";

const { doubles, repeats } = sizesFromArguments<{ doubles: number; repeats: number }>();

const ends = distribute((values: Float64Array) => values[0]! + values[values.length - 1]!);

/** Ones, but the first element is the time in ms that making them took, so that the caller can subtract it. */
const make = distribute((length: number) => {
  const start = performance.now();
  const values = new Float64Array(length).fill(1);
  values[0] = performance.now() - start;
  return values;
});

await using _cluster = await cluster(twoWorkers);
const values = Float64Array.from({ length: doubles }, () => Math.random());
const expected = values[0]! + values[doubles - 1]!;
const times = { copy: [] as number[], put: [] as number[], read: [] as number[], result: [] as number[] };

for (let repeat = -1; repeat < repeats; repeat++) {
  const copy = await timed(() => expectEqual(new Float64Array(values).length, doubles));

  // A new object each time: the tasks below map it for the first time.
  const beforePut = performance.now();
  const ref = await put(values);
  const putTime = performance.now() - beforePut;

  const read = await timed(async () => {
    const [a, b] = await get([ends(ref), ends(ref)]);
    expectEqual(a, expected);
    expectEqual(b, expected);
  });

  const beforeResult = performance.now();
  const made = await get(make(doubles));
  const result = performance.now() - beforeResult - made[0]!;
  expectEqual(made[doubles - 1], 1);

  if (repeat < 0) continue; // the first round warms up
  times.copy.push(copy);
  times.put.push(putTime);
  times.read.push(read);
  times.result.push(result);
}
report({
  "arrays.copy": median(times.copy),
  "arrays.put": median(times.put),
  "arrays.read": median(times.read),
  "arrays.result": median(times.result),
});
