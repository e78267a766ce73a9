/** Samples and targets -> the rows of the table. Pure. */
import { type Figure, figures, type PeerName, type SubjectName, type Unit } from "./figures.ts";
import type { Summary } from "./stats.ts";

/** Figure -> subject -> its samples, one a round. */
export type Samples = Readonly<Record<string, Readonly<Partial<Record<SubjectName, Summary>>>>>;

export interface PeerCell {
  readonly value: number;
  /** How many times better girona is; `undefined` without a figure of girona, or where it says nothing. */
  readonly ratio: number | undefined;
  /** The figure that was measured in place of this one. */
  readonly standIn: string | undefined;
}

export interface Condition {
  readonly text: string;
  /** `undefined` when something it needs was not measured. */
  readonly met: boolean | undefined;
  /** What it came to, when that is not girona's own figure. */
  readonly got?: string;
}

export interface Row {
  readonly id: string;
  readonly what: string;
  readonly unit: Unit;
  readonly girona: Summary | undefined;
  readonly conditions: readonly Condition[];
  readonly peers: Readonly<Partial<Record<PeerName, PeerCell>>>;
}

/** One row for each figure that anyone has a sample of. */
export function rowsOf(
  samples: Samples,
  peers: readonly PeerName[],
  titles: Readonly<Record<SubjectName, string>>,
): Row[] {
  return Object.entries(figures).flatMap(([id, figure]) => {
    const girona = samples[id]?.girona;
    const cells: Partial<Record<PeerName, PeerCell>> = {};
    for (const peer of peers) {
      const cell = peerCell(samples, id, figure, peer);
      if (cell !== undefined) cells[peer] = cell;
    }
    if (girona === undefined && Object.keys(cells).length === 0) return [];
    const conditions = conditionsOf(samples, figure, girona?.median, cells, titles);
    return [{ id, what: figure.what, unit: figure.unit, girona, conditions, peers: cells }];
  });
}

/** All targets of the row: `undefined` when it has none, or when one of them cannot be told. */
export function isMet(row: Row): boolean | undefined {
  if (row.conditions.some((condition) => condition.met === false)) return false;
  if (row.conditions.length === 0 || row.conditions.some((condition) => condition.met === undefined)) return undefined;
  return true;
}

function peerCell(samples: Samples, id: string, figure: Figure, peer: PeerName): PeerCell | undefined {
  const own = samples[id]?.[peer];
  const used = own ?? (figure.standIn === undefined ? undefined : samples[figure.standIn]?.[peer]);
  if (used === undefined) return undefined;
  const girona = samples[id]?.girona;
  return {
    value: used.median,
    ratio: girona && !figure.incomparable ? timesBetter(girona.median, used.median, figure.unit) : undefined,
    standIn: own === undefined ? figure.standIn : undefined,
  };
}

function timesBetter(girona: number, peer: number, unit: Unit): number {
  return unit === "perSecond" || unit === "MB/s" ? girona / peer : peer / girona;
}

function conditionsOf(
  samples: Samples,
  figure: Figure,
  girona: number | undefined,
  cells: Readonly<Partial<Record<PeerName, PeerCell>>>,
  titles: Readonly<Record<SubjectName, string>>,
): Condition[] {
  const conditions: Condition[] = [];
  const { atLeast, atMost, orTimes } = figure;
  if (atLeast !== undefined) {
    conditions.push({
      text: `≥ ${format(atLeast, figure.unit)}`,
      met: girona === undefined ? undefined : girona >= atLeast,
    });
  }
  if (atMost !== undefined) {
    const base = orTimes === undefined ? undefined : samples[orTimes.of]?.girona?.median;
    const limit = orTimes === undefined || base === undefined ? atMost : Math.max(atMost, orTimes.factor * base);
    const either = orTimes === undefined ? "" : ` or ${orTimes.factor}x a copy`;
    conditions.push({
      text: `≤ ${format(atMost, figure.unit)}${either}`,
      met: girona === undefined ? undefined : girona <= limit,
    });
  }
  for (const [peer, factor] of Object.entries(figure.timesPeer ?? {}) as [PeerName, number][]) {
    const ratio = cells[peer]?.ratio;
    conditions.push({
      text: `≥ ${factor}x ${titles[peer]}`,
      met: ratio === undefined ? undefined : ratio >= factor,
      ...(ratio === undefined ? {} : { got: `${formatRatio(ratio)} ${titles[peer]}` }),
    });
  }
  return conditions;
}

/** Three significant digits and the unit: `1,230,000/s`, `41.2 ms`, `0.93 MB`. */
export function format(value: number, unit: Unit): string {
  const digits = threeDigits(value);
  switch (unit) {
    case "perSecond":
      return `${digits}/s`;
    case "us":
      return `${digits} µs`;
    case "times":
      return `${digits}x`;
    default:
      return `${digits} ${unit}`;
  }
}

export const formatRatio = (ratio: number): string => `${threeDigits(ratio)}x`;

function threeDigits(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en-US", { maximumSignificantDigits: 3 });
}
