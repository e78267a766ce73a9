/** Runs all behaviours on the ranks of one launch and tells rank 0's reader what held: one line of JSON for each. */
import { closeSync, openSync, writeSync } from "node:fs";
import { type Comm, MPI } from "../../../src/mpi/index.ts";
import { behaviours } from "./behaviour.ts";

/** A line of rank 0. */
export interface Outcome {
  readonly group: string;
  readonly name: string;
  readonly comm: string;
  readonly ms: number;
  /** `rank 2: what it says`, of the ranks where it did not hold. */
  readonly failures: readonly string[];
}

/** @param folder where each rank says what it is at, for the case that it hangs. @param only part of a name. */
export async function runAll(folder: string, only = ""): Promise<void> {
  const world = MPI.COMM_WORLD;
  const control = world.dup();
  const comms: Record<string, Comm> = {
    self: MPI.COMM_SELF,
    world,
    duplicate: world.dup(),
    // Two halves that run at the same time, their ranks in the other order.
    split: world.split(world.rank % 2, -world.rank),
  };
  const place = openSync(`${folder}/rank-${world.rank}`, "w");
  const lines: string[] = [];
  const failed = new Int32Array(1);
  for (const { group, name, run } of behaviours) {
    if (!name.includes(only)) continue;
    for (const [kind, comm] of Object.entries(comms)) {
      writeSync(place, `${name}, on ${kind} (rank ${comm.rank} of ${comm.size})`.padEnd(200).slice(0, 200), 0);
      let failure = "";
      const start = performance.now();
      try {
        await run(comm);
      } catch (error) {
        failure = error instanceof Error ? `${error.stack}` : String(error);
        writeSync(place, failure, 201);
      }
      control.Barrier();
      if (!failure && comm.Iprobe()) failure = "it leaves a message that nobody has received";
      failed[0] = failure ? 1 : 0;
      control.Allreduce(MPI.IN_PLACE, failed);
      const ms = Math.round(performance.now() - start);
      if (failed[0]) drain(comm);
      const all = failed[0] ? control.gather(failure) : [];
      const failures = all?.flatMap((text, rank) => (text ? [`rank ${rank}: ${text}`] : []));
      if (failures) lines.push(JSON.stringify({ group, name, comm: kind, ms, failures } satisfies Outcome));
      // A hang further on must not take with it what is known.
      if (failures?.length) lines.push(...flush(lines));
    }
  }
  closeSync(place);
  if (world.rank === 0) flush(lines);
}

/** What a failure leaves behind must not fail the next ones. */
function drain(comm: Comm): void {
  for (let message = comm.Improbe(); message; message = comm.Improbe()) message.Recv(new Uint8Array(message.bytes));
}

function flush(lines: string[]): string[] {
  const text = lines.splice(0).join("\n");
  if (text) writeAll(`${text}\n`);
  return [];
}

/** All of it, now: a pipe may be full. */
function writeAll(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}
