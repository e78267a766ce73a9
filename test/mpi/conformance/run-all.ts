/** Runs all behaviours on the ranks of one launch and tells rank 0's reader what held: one line of JSON for each. */
import { closeSync, openSync, writeSync } from "node:fs";
import { type Comm, MPI } from "../../../src/mpi/index.ts";
import { type Behaviour, behaviours } from "./behaviour.ts";

/** A line of rank 0. */
export interface Outcome {
  readonly group: string;
  readonly name: string;
  readonly comm: string;
  /** `rank 2: what it says`, of the ranks where it did not hold. */
  readonly failures: readonly string[];
}

/** @param folder where each rank says what it is at, for the case that it hangs. @param only part of a name. */
export async function runAll(folder: string, only = ""): Promise<void> {
  const world = MPI.COMM_WORLD;
  const control = world.dup();
  const comms: readonly (readonly [kind: string, comm: Comm])[] = [
    ["self", MPI.COMM_SELF],
    ["world", world],
    ["duplicate", world.dup()],
    // Two halves that run at the same time, their ranks in the other order.
    ["split", world.split(world.rank % 2, -world.rank)],
  ];
  const place = openSync(`${folder}/rank-${world.rank}`, "w");
  const lines: string[] = [];
  const failed = new Int32Array(1);
  const tell = ({ group, name }: Behaviour, comm: string, texts: readonly string[]): void => {
    const failures = texts.flatMap((text, rank) => (text ? [`rank ${rank}: ${text}`] : []));
    lines.push(JSON.stringify({ group, name, comm, failures } satisfies Outcome));
  };

  for (const behaviour of behaviours.filter(({ name }) => name.includes(only))) {
    const own: string[] = [];
    for (const [kind, comm] of comms) {
      const where = `${behaviour.name}, on ${kind} (rank ${comm.rank} of ${comm.size})`;
      writeSync(place, `${where.padEnd(160)}\n`, 0);
      if (kind === "split" && clashes(behaviour)) {
        for (const half of [0, 1]) {
          if (world.rank % 2 === half) own.push(await failureOf(behaviour, comm));
          control.Barrier();
        }
      } else own.push(await failureOf(behaviour, comm));
      if (own.at(-1)) writeSync(place, `${own.at(-1)}\n`, 161);
    }
    // Between two meetings of all ranks nothing is under way: what is there was left behind.
    control.Barrier();
    for (const [i, [, comm]] of comms.entries()) if (drain(comm)) own[i] ||= "it leaves a message that nobody receives";
    failed[0] = own.some(Boolean) ? 1 : 0;
    control.Allreduce(MPI.IN_PLACE, failed);
    const all = failed[0] ? control.gather(own) : undefined;
    for (const [i, [kind]] of comms.entries()) tell(behaviour, kind, all?.map((texts) => texts[i]!) ?? []);
    // A hang further on must not take with it what is known.
    if (failed[0] && world.rank === 0) writeAll(lines.splice(0));
  }
  closeSync(place);
  if (world.rank === 0) writeAll(lines);
}

/**
 * Open MPI 4 names the files of windows after the communicator's number, which two halves of one may share: windows that both
 * make at once on one host meet there, now and then.
 */
const clashes = ({ group }: Behaviour): boolean => group === "windows" && MPI.library.startsWith("Open MPI v4");

async function failureOf({ run }: Behaviour, comm: Comm): Promise<string> {
  try {
    await run(comm);
    return "";
  } catch (error) {
    return error instanceof Error ? `${error.stack}` : String(error);
  }
}

/** Receives what is there, so that it does not fail the next behaviours; true if there was anything. */
function drain(comm: Comm): boolean {
  let found = false;
  for (let message = comm.Improbe(); message; message = comm.Improbe()) {
    message.Recv(new Uint8Array(message.bytes));
    found = true;
  }
  return found;
}

/** All of it, now: a pipe may be full. */
function writeAll(lines: readonly string[]): void {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}
