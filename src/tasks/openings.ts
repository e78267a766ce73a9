/** Notices a cluster that is opened and closed for each call, again and again at the same line. */
import { showSeconds } from "../common/index.js";
import { print, printAtOnce } from "./stderr.js";
import type { Advice } from "./types/index.js";

/** So many, within so long, each open for less than so long. */
const often = 5;
const withinMs = 60_000;
const shortMs = 10_000;

interface Place {
  readonly where: string;
  /** When the last short ones were opened. */
  readonly recent: number[];
  times: number;
  /** What opening and closing took, ms. */
  ms: number;
  noticed: boolean;
}

const places = new Map<string, Place>();
let telling = false;

/** `openedAt`: when it was ready; `ms`: what opening and closing took. Times of `performance.now()`. */
export function clusterWasOpen(where: string, openedAt: number, closedAt: number, ms: number): void {
  if (closedAt - openedAt >= shortMs) return;
  const place = places.get(where) ?? { where, recent: [], times: 0, ms: 0, noticed: false };
  places.set(where, place);
  place.times++;
  place.ms += ms;
  place.recent.push(openedAt);
  if (place.recent.length > often) place.recent.shift();
  if (place.recent.length < often || closedAt - place.recent[0]! > withinMs) return;
  place.noticed = true;
  if (telling) return;
  telling = true;
  process.once("exit", tell);
}

/** Whoever opens a cluster per call has none left to ask for advice at the end. */
function tell(): void {
  printAtOnce();
  for (const { where, what, cost, fix } of openingAdvice()) print(`girona: ${where}: ${what}; ${cost}. ${fix}`);
}

export function openingAdvice(): Advice[] {
  return [...places.values()]
    .filter(({ noticed }) => noticed)
    .map(({ where, times, ms }) => ({
      rule: "cluster-per-call",
      where,
      what: `cluster() was opened and closed ${times} times at this line, each time for less than ${showSeconds(shortMs / 1e3)}`,
      cost: `${showSeconds(ms / 1e3)} of starting and stopping workers`,
      fix: "open one cluster for the whole program, and call distributed functions while it is open",
    }));
}
