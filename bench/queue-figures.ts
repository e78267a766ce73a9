/** Time per task for several numbers of queued tasks, and the driver's memory at the largest. */
import { warmUps } from "./case.ts";
import { median } from "./stats.ts";

/** Queues `count` tasks, calls `allQueued` once the last is queued, fetches all; resolves to the ms this took. */
export type RunQueued = (count: number, allQueued: () => void) => Promise<number>;

const maxRssMB = () => (process.resourceUsage().maxRSS * 1024) / 1e6;

/** `counts` ascend; the smaller ones, which are noisier, run several times. */
export async function queueFigures(
  counts: Readonly<Record<string, number>>,
  run: RunQueued,
): Promise<Record<string, number>> {
  const all = Object.values(counts);
  const [smallest, largest] = [Math.min(...all), Math.max(...all)];
  const perTaskOf = new Map<number, number>();
  for (let warmUp = 0; warmUp < warmUps; warmUp++) await run(10_000, () => {});

  const figures: Record<string, number> = {};
  let queuedRss = 0;
  for (const [figure, count] of Object.entries(counts)) {
    const repeats = Math.min(9, Math.ceil(Math.sqrt(largest / count)));
    const perTask: number[] = [];
    for (let i = 0; i < repeats; i++) {
      const ms = await run(count, () => {
        queuedRss = maxRssMB();
      });
      perTask.push((ms / count) * 1000);
    }
    perTaskOf.set(count, median(perTask));
    figures[figure] = median(perTask);
  }
  figures["queue.rss"] = queuedRss;
  figures["queue.peak"] = maxRssMB();
  figures["queue.growth"] = perTaskOf.get(largest)! / perTaskOf.get(smallest)!;
  return figures;
}
