/** `.map` with automatic chunks over many numbers. */
import { cluster, distribute, get } from "girona";
import { expectEqual, report, sizesFromArguments, timed, twoWorkers } from "../case.ts";

const { count } = sizesFromArguments<{ count: number }>();
const square = distribute((x: number) => x * x);

async function squares(numbers: number[]): Promise<void> {
  const values = await get(square.map(numbers));
  expectEqual(values.length, numbers.length);
  expectEqual(values.at(-1), (numbers.length - 1) ** 2);
}

await using _cluster = await cluster(twoWorkers);
const numbers = Array.from({ length: count }, (_, i) => i);
await squares(numbers.slice(0, count / 10));
report({ map: (count / (await timed(() => squares(numbers)))) * 1000 });
