/** The checks of a program. */
import { deepStrictEqual } from "node:assert/strict";
import { MPI } from "../../../src/mpi/index.ts";

const passed: string[] = [];

/** Fails the job when these differ on any rank. */
export function check(name: string, actual: unknown, expected: unknown): void {
  deepStrictEqual(actual, expected, `rank ${MPI.COMM_WORLD.rank}: ${name}`);
  if (passed.at(-1) !== name) passed.push(name);
}

/** What the call throws, in the words of a check: `MpiError MPI_ERR_RANK`, `UsageError buffer`. */
export function thrown(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return describe(error);
  }
  return "nothing";
}

export async function rejected(call: () => PromiseLike<unknown>): Promise<string> {
  try {
    await call();
  } catch (error) {
    return describe(error);
  }
  return "nothing";
}

function describe(error: unknown): string {
  const { name, class: errorClass, parameter } = error as { name: string; class?: string; parameter?: string };
  return `${name} ${errorClass ?? parameter}`;
}

/** The last line of a program: every rank has passed as many checks. */
export function finish(): void {
  const all = MPI.COMM_WORLD.allgather(passed.length);
  deepStrictEqual(new Set(all).size, 1, `ranks made ${all} checks`);
  if (MPI.COMM_WORLD.rank === 0) console.log(passed.join("\n"));
}
