/** Very many tasks queued in one synchronous loop: memory of the driver, and time per task against their number. */
import { cluster, distribute, get, type Ref } from "girona";
import { expectEqual, report, sizesFromArguments, timed, twoWorkers } from "../case.ts";
import { queueFigures } from "../queue-figures.ts";

const { counts } = sizesFromArguments<{ counts: Record<string, number> }>();
const square = distribute((x: number) => x * x);

await using _cluster = await cluster(twoWorkers);
report(
  await queueFigures(counts, async (count, allQueued) => {
    const refs: Ref<number>[] = [];
    return timed(async () => {
      for (let i = 0; i < count; i++) refs.push(square(i));
      allQueued();
      const values = await get(refs);
      expectEqual(values[count - 1], (count - 1) ** 2);
    });
  }),
);
