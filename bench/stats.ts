/** Order statistics of a list of samples. Pure. */

export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly samples: readonly number[];
}

/** The value below which the share `p` (0 to 1) of the samples lies, by linear interpolation as NumPy's default. */
export function quantile(samples: readonly number[], p: number): number {
  if (samples.length === 0) throw new RangeError("quantile of no samples");
  const sorted = [...samples].sort((a, b) => a - b);
  const position = p * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (position - below);
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

export function summarise(samples: readonly number[]): Summary {
  return { median: median(samples), min: Math.min(...samples), max: Math.max(...samples), samples };
}
