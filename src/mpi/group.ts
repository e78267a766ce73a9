/** Groups of ranks. */
import { addon, facts } from "./addon.js";
import { integers, shown, throwUsageError } from "./errors.js";
import type { Comparison, Group } from "./types.js";

export const comparisons: readonly Comparison[] = ["identical", "congruent", "similar", "unequal"];

export class RankGroup implements Group {
  readonly number: number;
  #freed = false;

  constructor(number: number) {
    this.number = number;
  }

  get size(): number {
    return addon.groupSize(this.number);
  }

  get rank(): number | undefined {
    const rank = addon.groupRank(this.number);
    return rank < 0 ? undefined : rank;
  }

  include(ranks: readonly number[]): Group {
    return new RankGroup(addon.groupChoose(this.number, integers("include", "ranks", ranks), false));
  }

  exclude(ranks: readonly number[]): Group {
    return new RankGroup(addon.groupChoose(this.number, integers("exclude", "ranks", ranks), true));
  }

  union(other: Group): Group {
    return new RankGroup(addon.groupCombine(this.number, numberOfGroup("union", other), 0));
  }

  intersection(other: Group): Group {
    return new RankGroup(addon.groupCombine(this.number, numberOfGroup("intersection", other), 1));
  }

  difference(other: Group): Group {
    return new RankGroup(addon.groupCombine(this.number, numberOfGroup("difference", other), 2));
  }

  translate(ranks: readonly number[], other: Group): (number | undefined)[] {
    const found = addon.groupTranslate(
      this.number,
      integers("translate", "ranks", ranks),
      numberOfGroup("translate", other),
    );
    return found.map((rank, index) => (ranks[index] === facts.procNull ? facts.procNull : rank < 0 ? undefined : rank));
  }

  compare(other: Group): Exclude<Comparison, "congruent"> {
    return comparisons[addon.groupCompare(this.number, numberOfGroup("compare", other))] as "identical";
  }

  free(): void {
    addon.groupFree(this.number);
    this.#freed = true;
  }

  [Symbol.dispose](): void {
    if (!this.#freed) this.free();
  }
}

export function numberOfGroup(operation: string, group: Group): number {
  if (group instanceof RankGroup) return group.number;
  throwUsageError(operation, "group", `must be a group, such as comm.group, not ${shown(group)}`);
}
