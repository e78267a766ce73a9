/**
 * What the ranks of one mpirun do: the table of parallel behaviours, and those of one process with all ranks at it, on 1, 2
 * and 4 of the ranks. Rank 0 prints one line of JSON for each: `{ key, error? }`.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Comm, MPI } from "../../../src/mpi/index.ts";
import { Bench, perform } from "./behaviour.ts";
import { parallelTables } from "./tables/parallel-tables.ts";

const [folder = ""] = process.argv.slice(2);
const world = MPI.COMM_WORLD;

for (const ranks of [1, 2, 4]) {
  const comm = world.split(world.rank < ranks ? 0 : undefined, world.rank);
  if (comm) {
    for (const { group, behaviours } of parallelTables) {
      for (const [i, behaviour] of behaviours.entries()) {
        const own = join(folder, `${ranks}-${group}-${i}`);
        if (comm.rank === 0) mkdirSync(own);
        comm.barrier();
        const errors = comm.gather(outcome(behaviour, new Bench(own, comm as Comm)));
        const wrong = errors?.flatMap((error, rank) => (error === undefined ? [] : [`rank ${rank}: ${error}`])) ?? [];
        const line = {
          key: `${group}: ${behaviour.name}: ${ranks}`,
          ...(wrong.length > 0 && { error: wrong.join("\n") }),
        };
        if (comm.rank === 0) process.stdout.write(`${JSON.stringify(line)}\n`);
      }
    }
    comm.free();
  }
  world.barrier();
}

function outcome(behaviour: Parameters<typeof perform>[0], bench: Bench): string | undefined {
  try {
    perform(behaviour, bench);
    return undefined;
  } catch (error) {
    return String((error as Error).stack ?? error);
  }
}
