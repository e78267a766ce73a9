/** What the contract's groups share: opening a cluster of the engine under test, and what is left of one. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster, ClusterOptions, ErrorCode, GironaErrors } from "girona";
import { isGironaError } from "girona";
import { afterAll, beforeAll, expect } from "vitest";
import { waitFor } from "../../support/index.ts";

/** Opens a cluster on the engine under test: two workers and no status page, unless the options say otherwise. */
export type Open = (options?: ClusterOptions) => Promise<Cluster>;

/** One cluster for all tests of a `describe`. */
export function shared(open: Open, options?: ClusterOptions): void {
  let session: Cluster | undefined;
  beforeAll(async () => {
    session = await open(options);
  });
  afterAll(() => session?.close());
}

/** The error that a promise rejects with, which must be girona's and of that code. */
export async function rejection<const C extends ErrorCode>(
  promise: Promise<unknown>,
  code: C,
): Promise<GironaErrors[C]> {
  const error = await promise.then(
    (value) => new Error(`no rejection, but the value ${String(value)}`),
    (reason: unknown) => reason,
  );
  return ofCode(error, code);
}

/** The same for what a call throws at once. */
export function thrown<const C extends ErrorCode>(call: () => unknown, code: C): GironaErrors[C] {
  let error: unknown = new Error("nothing was thrown");
  try {
    call();
  } catch (caught) {
    error = caught;
  }
  return ofCode(error, code);
}

function ofCode<const C extends ErrorCode>(error: unknown, code: C): GironaErrors[C] {
  if (!isGironaError(error, code)) throw new Error(`a ${code}Error was expected`, { cause: error });
  expect(error.code).toBe(code);
  return error;
}

/** The number in a file that a task signs, as soon as it is there. */
export async function pidIn(file: string): Promise<number> {
  await waitFor(`${file} to be written`, () => existsSync(file), { timeoutMs: 30_000 });
  return Number(readFileSync(file, "utf8"));
}

/** Processes of this machine whose parent is `parent`; those that have ended and are not collected yet do not count. */
export function childrenOf(parent: number): number[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    return Number.isInteger(pid) && statOf(pid)?.parent === parent ? [pid] : [];
  });
}

/** Does the process run? */
export function alive(pid: number): boolean {
  return statOf(pid) !== undefined;
}

function statOf(pid: number): { readonly parent: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The name in brackets may hold anything.
  const [state, parent] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return state === "Z" || state === "X" ? undefined : { parent: Number(parent) };
}

export async function gone(pids: readonly number[], timeoutMs = 15_000): Promise<void> {
  await waitFor(`the processes ${pids.join(", ")} to be gone`, () => !pids.some(alive), { timeoutMs });
}

/** The directory that a driver's sessions have in a temporary directory. */
export function directoryOf(driver: number, temporary: string): string {
  return join(temporary, `girona-${process.getuid?.() ?? 0}`, String(driver));
}
