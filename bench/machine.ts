/** The machine and what else runs on it, in one line. */
import { availableParallelism, cpus, loadavg, release, totalmem } from "node:os";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGB: number;
  readonly kernel: string;
  readonly node: string;
  /** Processes running or waiting in the minute before the start: other work makes every figure worse. */
  readonly loadBefore: number;
}

export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown CPU",
    cores: availableParallelism(),
    memoryGB: Math.round(totalmem() / 1e9),
    kernel: release(),
    node: process.versions.node,
    loadBefore: loadavg()[0]!,
  };
}

export function describe(machine: Machine, versions: Readonly<Record<string, string>>): string {
  const software = Object.entries({ Node: machine.node, ...versions }).map(([name, version]) => `${name} ${version}`);
  return (
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGB} GB, Linux ${machine.kernel}; ` +
    `${software.join(", ")}; load before the run ${machine.loadBefore.toFixed(1)}`
  );
}
