/** Behaviours that a collective call and its `I…` form share: both are run, as two behaviours. */
import type { Comm } from "../../../src/mpi/index.ts";
import { type Behaviour, groupOf } from "./behaviour.ts";

const collective =
  /^(Barrier|Bcast|Gatherv?|Scatterv?|Allgatherv?|Alltoallv?|Reduce|Allreduce|Reduce_scatter(_block)?|Scan|Exscan)$/;

const requestOf = (call: string): string => `I${call[0]!.toLowerCase()}${call.slice(1)}`;

/** The communicator, with its collective calls replaced by their `I…` forms: each returns a request. */
function requesting(comm: Comm): Comm {
  return new Proxy(comm, {
    get(target, name) {
      const form = collective.test(String(name)) ? requestOf(String(name)) : name;
      const value: unknown = Reflect.get(target, form, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/**
 * `behaviour("Bcast", "gives every rank the root's array", async (comm) => await comm.Bcast(…))` adds "Bcast gives …" to one
 * group and "Ibcast gives …" to the other. Each call is awaited, which for the blocking form does nothing.
 */
export function groupsOf(blocking: string, nonblocking: string) {
  const [first, second] = [groupOf(blocking), groupOf(nonblocking)];
  return (call: string, sentence: string, run: Behaviour["run"]): void => {
    first(`${call} ${sentence}`, run);
    second(`${requestOf(call)} ${sentence}`, (comm) => run(requesting(comm)));
  };
}
