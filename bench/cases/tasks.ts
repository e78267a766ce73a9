/** Tiny tasks submitted one by one, then fetched together. */
import { cluster, distribute, get, type Ref } from "girona";
import { expectEqual, report, sizesFromArguments, timed, twoWorkers, warmUps } from "../case.ts";

const { counts } = sizesFromArguments<{ counts: Record<string, number> }>();
const square = distribute((x: number) => x * x);

async function squares(count: number): Promise<void> {
  const refs: Ref<number>[] = [];
  for (let i = 0; i < count; i++) refs.push(square(i));
  const values = await get(refs);
  expectEqual(values[count - 1], (count - 1) ** 2);
}

await using _cluster = await cluster(twoWorkers);
for (let warmUp = 0; warmUp < warmUps; warmUp++) await squares(10_000);

const figures: Record<string, number> = {};
for (const [figure, count] of Object.entries(counts)) {
  figures[figure] = (count / (await timed(() => squares(count)))) * 1000;
}
report(figures);
