/** What these tests share: programs in processes of their own, gates that hold tasks back, errors as values. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Cluster, cluster, distribute } from "girona";
import { afterAll, afterEach, beforeEach, onTestFinished } from "vitest";
import { type Finished, type RunOptions, run, tempDir } from "../../support/index.ts";

const root = join(import.meta.dirname, "../../..");
export const tsx = join(root, "node_modules/tsx/dist/cli.mjs");

/** Writes a program to where "girona" is found, and gives its path. Removed after the test. */
export function programFile(name: string, source: string): string {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/program-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  writeFileSync(file, source);
  return file;
}

/** Runs a program in plain JavaScript. */
export function runProgram(source: string, options: RunOptions = {}): Promise<Finished> {
  return run(["node", programFile("program.mjs", source)], options);
}

/**
 * A cluster for the tests of a file. After a failed test the next one gets a new cluster: what was left running in the first
 * must not make all others fail too.
 */
export function sharedCluster(workers: number): () => Cluster {
  let session: Cluster | undefined;
  beforeEach(async () => {
    session ??= await cluster({ workers, dashboard: false });
  });
  const close = async () => {
    await session?.close();
    session = undefined;
  };
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await close();
  });
  afterAll(close);
  return () => session!;
}

/** A task that has started waits at its gate until the test opens it. */
export interface Gate {
  readonly path: string;
  open(): void;
}

export function gate(): Gate {
  const path = join(tempDir(), "open");
  return { path, open: () => writeFileSync(path, "") };
}

/**
 * Gives `value` once the gate is open, and tells when it has started: the file `<gate>.started` is there. Ends with the test
 * in any case.
 */
export const held = distribute(
  async (path: string, value: number) => {
    writeFileSync(`${path}.started`, "");
    while (!existsSync(path) && existsSync(dirname(path))) await setTimeout(5);
    return value;
  },
  { name: "held" },
);

export const hasStarted = ({ path }: Gate): boolean => existsSync(`${path}.started`);

/** What a call threw, or what its promise was rejected with. */
export async function failure(call: () => unknown): Promise<Error> {
  let value: unknown;
  try {
    value = await call();
  } catch (error) {
    return error as Error;
  }
  throw new Error(`nothing was thrown, and this was given: ${String(value)}`);
}
