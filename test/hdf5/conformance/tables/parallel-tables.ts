/** What ranks run together: the behaviours of ranks, and what one process does when all ranks do it. */
import type { Behaviour } from "../behaviour.ts";
import { groups } from "./groups.ts";
import { parallel } from "./parallel.ts";
import { selections } from "./selections.ts";
import { storage } from "./storage.ts";

export interface Run {
  readonly key: string;
  readonly ranks: number;
  readonly behaviour: Behaviour;
}

/** Everything that is run, in order. Four ranks take turns on the cores of CI, so only their own table is for them. */
export const runs: readonly Run[] = [1, 2, 4].flatMap((ranks) =>
  (ranks === 2 ? [parallel, groups, storage, selections] : [parallel]).flatMap(({ group, behaviours }) =>
    behaviours
      .filter((behaviour) => behaviour.ranks === true)
      .map((behaviour) => ({ key: `${group}: ${behaviour.name}, on ${ranks}`, ranks, behaviour })),
  ),
);
