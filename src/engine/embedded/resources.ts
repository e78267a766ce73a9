/** What tasks and actors ask for, what there is, and what is taken. */
import { showBytes } from "../../common/index.js";
import type { TaskSpec } from "../engine.js";

export interface Capacity {
  readonly cpus: number;
  readonly gpus: number;
  readonly memory: number;
  readonly resources: { readonly [name: string]: number };
}

/** What a task or actor takes while it runs or lives. */
export type Needs = Pick<TaskSpec, "cpus" | "gpus" | "memory" | "resources">;

/** Asks for more than one core of a worker that it has for itself. */
export function isSpecial(spec: TaskSpec): boolean {
  return spec.cpus !== 1 || spec.gpus > 0 || spec.memory > 0 || Object.keys(spec.resources).length > 0;
}

/** What it asks for beside cores. */
export function wants(spec: Needs): string[] {
  const names = Object.keys(spec.resources);
  if (spec.gpus > 0) names.push("gpus");
  if (spec.memory > 0) names.push("memory");
  return names;
}

const amountOf = (amount: number, what: string): string => `${amount} ${what}${amount === 1 ? "" : "s"}`;

/** A reason why no worker of this capacity could ever run it. */
export function neverFits(spec: Needs, capacity: Capacity): string | undefined {
  if (spec.cpus > capacity.cpus) return `${amountOf(spec.cpus, "cpu")}, and the cluster has ${capacity.cpus}`;
  if (spec.gpus > capacity.gpus) {
    return `${amountOf(spec.gpus, "gpu")}, and the cluster has ${capacity.gpus} (cluster({ gpus }))`;
  }
  if (spec.memory > capacity.memory) {
    return `${showBytes(spec.memory)} of memory, and the cluster may use ${showBytes(capacity.memory)}`;
  }
  for (const [name, amount] of Object.entries(spec.resources)) {
    const has = capacity.resources[name] ?? 0;
    if (amount > has)
      return `${amount} of "${name}", and the cluster has ${has} (cluster({ resources: { ${name}: … } }))`;
  }
  return undefined;
}

/** What is taken beside cores. */
export class Ledger {
  #gpus = 0;
  #memory = 0;
  readonly #named = new Map<string, number>();

  /** What a task asks for and is not free now, by name. */
  lacking(spec: Needs, capacity: Capacity): string[] {
    const lacking: string[] = [];
    if (spec.gpus > 0 && this.#gpus + spec.gpus > capacity.gpus) lacking.push("gpus");
    if (spec.memory > 0 && this.#memory + spec.memory > capacity.memory) lacking.push("memory");
    for (const name in spec.resources) {
      const taken = this.#named.get(name) ?? 0;
      if (taken + spec.resources[name]! > (capacity.resources[name] ?? 0)) lacking.push(name);
    }
    return lacking;
  }

  /** Takes it, or gives it back. */
  add(spec: Needs, sign: 1 | -1): void {
    this.#gpus += sign * spec.gpus;
    this.#memory += sign * spec.memory;
    for (const name in spec.resources) {
      this.#named.set(name, (this.#named.get(name) ?? 0) + sign * spec.resources[name]!);
    }
  }
}
