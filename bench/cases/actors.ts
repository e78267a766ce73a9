/** Calls to one actor, then all their results. */
import { type Actor, cluster, distribute, get, type Ref } from "girona";
import { expectEqual, report, sizesFromArguments, timed, twoWorkers } from "../case.ts";

const { counts } = sizesFromArguments<{ counts: Record<string, number> }>();

class Counter {
  value = 0;
  increment(): number {
    this.value += 1;
    return this.value;
  }
}
const RemoteCounter = distribute(Counter);

async function increments(counter: Actor<Counter>, count: number, before: number): Promise<void> {
  const refs: Ref<number>[] = [];
  for (let i = 0; i < count; i++) refs.push(counter.increment());
  const values = await get(refs);
  expectEqual(values[0], before + 1);
  expectEqual(values[count - 1], before + count);
}

await using _cluster = await cluster(twoWorkers);
const counter = new RemoteCounter();
await increments(counter, 1_000, 0);
let before = 1_000;

const figures: Record<string, number> = {};
for (const [figure, count] of Object.entries(counts)) {
  figures[figure] = (count / (await timed(() => increments(counter, count, before)))) * 1000;
  before += count;
}
report(figures);
