/** `progress`: `get` with a bar on stderr. */
import type { Computation } from "../common/index.js";
import { showSeconds } from "../common/index.js";
import { watched } from "./collect.js";
import type { Gettable, Got } from "./types/index.js";

const width = 30;
const redrawMs = 80;

/** One line: label, bar, counts, time left. Pure. */
export function progressLine(
  label: string,
  done: number,
  total: number | undefined,
  elapsedMs: number,
  goesOn = true,
): string {
  const name = label ? `${label} ` : "";
  const time = showSeconds(elapsedMs / 1e3);
  if (total === undefined) return `${name}${done} done, ${time}`;
  const share = total === 0 ? 1 : done / total;
  const filled = Math.floor(share * width);
  const bar = "█".repeat(filled) + "░".repeat(width - filled);
  const left =
    goesOn && done > 0 && done < total ? `, ${showSeconds(((elapsedMs / done) * (total - done)) / 1e3)} left` : "";
  return `${name}${bar} ${done}/${total} ${time}${left}`;
}

function isComputation(work: unknown): work is Computation<unknown> {
  return work instanceof Promise && "state" in work;
}

interface Count {
  done(): number;
  readonly total: number | undefined;
}

/** Draws while it waits; without a terminal only the last line is written. */
async function drawn<T>(
  label: string,
  count: Count,
  watch: (changed: () => void) => void,
  work: Promise<T>,
): Promise<T> {
  const { stderr } = process;
  const began = performance.now();
  const live = stderr.isTTY === true;
  let drawnAt = 0;
  const draw = () => {
    const now = performance.now();
    if (!live || now - drawnAt < redrawMs) return;
    drawnAt = now;
    const line = progressLine(label, count.done(), count.total, now - began);
    stderr.write(`\r\u001b[2K${line.slice(0, (stderr.columns ?? 80) - 1)}`);
  };
  watch(draw);
  const timer = live ? setInterval(draw, 250).unref() : undefined;
  let failed = " (failed)";
  try {
    const value = await work;
    failed = "";
    return value;
  } finally {
    clearInterval(timer);
    stderr.write(
      `${live ? "\r\u001b[2K" : ""}${progressLine(label, count.done(), count.total, performance.now() - began, failed === "")}${failed}\n`,
    );
  }
}

/**
 * `get` with a progress bar; also for a running `compute()`.
 *
 * @example
 * const sum = distribute((n: number) => Array.from({ length: n }, (_, i) => i).reduce((a, b) => a + b, 0));
 * const refs = [10, 20, 30].map((n) => sum(n));
 * const sums = await progress(refs, "sum of squares");
 */
export async function progress<const W extends Gettable | Computation<unknown>>(
  work: W,
  label = "",
): Promise<W extends Computation<infer T> ? T : Got<W>> {
  if (isComputation(work)) {
    const count = {
      done: () => work.state.done,
      get total() {
        return work.state.total;
      },
    };
    return (await drawn(label, count, () => {}, work)) as never;
  }
  const count = watched(work, "progress");
  return (await drawn(label, count, (changed) => count.onProgress(changed), count.values())) as never;
}
