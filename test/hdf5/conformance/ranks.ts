/**
 * What the ranks of one mpirun do: the behaviours of tables/parallel-tables.ts, each on the first 1, 2 or 4 of them. Rank 0
 * prints one line of JSON for each: `{ key, error? }`.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { MPI } from "../../../src/mpi/index.ts";
import { type Behaviour, Bench, perform } from "./behaviour.ts";
import { runs } from "./tables/parallel-tables.ts";

const [folder = ""] = process.argv.slice(2);
const world = MPI.COMM_WORLD;

for (const ranks of [1, 2, 4]) {
  const comm = world.split(world.rank < ranks ? 0 : (undefined as never), world.rank);
  if (comm) {
    for (const [i, { key, behaviour }] of runs.entries()) {
      if (runs[i]!.ranks !== ranks) continue;
      const own = join(folder, String(i));
      if (comm.rank === 0) mkdirSync(own);
      comm.barrier();
      const errors = comm.gather(outcome(behaviour, new Bench(own, comm))) ?? [];
      const wrong = errors.flatMap((error, rank) => (error === undefined ? [] : [`rank ${rank}: ${error}`]));
      const line = { key, ...(wrong.length > 0 && { error: wrong.join("\n") }) };
      if (comm.rank === 0) process.stdout.write(`${JSON.stringify(line)}\n`);
    }
    comm.free();
  }
  world.barrier();
}

function outcome(behaviour: Behaviour, bench: Bench): string | undefined {
  try {
    perform(behaviour, bench);
    return undefined;
  } catch (error) {
    return String((error as Error).stack ?? error);
  }
}
