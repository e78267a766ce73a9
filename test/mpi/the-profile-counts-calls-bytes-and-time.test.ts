import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findBuild } from "../../src/native/index.ts";
import { run, tempDir } from "../support/index.ts";
import { builtFor, environmentOf, mpiNames, mpirun, needsMpi, python } from "../support/ranks.ts";

interface Profile {
  readonly format: string;
  readonly version: number;
  readonly rank: number;
  readonly size: number;
  readonly seconds: number;
  readonly mpiSeconds: number;
  readonly operations: Readonly<
    Record<string, { calls: number; bytes: number; seconds: number; longest: number; sizes: Record<string, number> }>
  >;
}
const read = (folder: string, rank: number): Profile =>
  JSON.parse(readFileSync(join(folder, `run.${rank}.json`), "utf8"));
const counts = ({ operations }: Profile, name: string) => {
  const { calls, bytes, sizes } = operations[name]!;
  return { calls, bytes, sizes };
};

test.each(mpiNames)("a file per rank has calls, bytes, sizes and seconds of each operation: %s", async (mpi) => {
  needsMpi(mpi);
  const folder = tempDir();
  const env = { GIRONA_MPI_PROFILE: join(folder, "run.json") };
  const { exitCode, stderr } = await mpirun(2, "test/mpi/programs/counted.ts", {
    mpi,
    env,
    addons: ["mpi", "mpi-profile"],
  });
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  const [first, second] = [read(folder, 0), read(folder, 1)];
  expect(first).toMatchObject({ format: "girona-mpi-profile", version: 1, rank: 0, size: 2 });
  expect(counts(first, "Send")).toEqual({ calls: 10, bytes: 8000, sizes: { 1024: 10 } });
  expect(counts(second, "Recv")).toEqual({ calls: 10, bytes: 8000, sizes: { 1024: 10 } });
  expect(counts(first, "Allreduce")).toEqual({ calls: 1, bytes: 800, sizes: { 1024: 1 } });
  expect(counts(first, "Isend")).toEqual({ calls: 1, bytes: 0, sizes: { 0: 1 } });
  const { seconds, longest } = second.operations["Recv"]!;
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThanOrEqual(seconds);
  expect(seconds).toBeLessThanOrEqual(second.mpiSeconds);
  expect(second.mpiSeconds).toBeLessThanOrEqual(second.seconds);
});

test("a rank that fails writes what it has", async () => {
  needsMpi();
  const folder = tempDir();
  const env = { GIRONA_MPI_PROFILE: join(folder, "run.json") };
  await mpirun(2, "test/mpi/programs/counted.ts", { args: ["fail"], env, addons: ["mpi", "mpi-profile"] });
  expect(counts(read(folder, 1), "Recv").calls).toBe(10);
});

test("programs in other languages are counted with LD_PRELOAD", async () => {
  needsMpi();
  await builtFor("Open MPI", ["mpi", "mpi-profile"]);
  const folder = tempDir();
  const env = environmentOf("Open MPI");
  const { file } = findBuild("mpi-profile", { ...process.env, ...env })!;
  const command = [
    "mpirun",
    "-n",
    "2",
    "-x",
    "LD_PRELOAD",
    "-x",
    "GIRONA_MPI_PROFILE",
    python,
    "test/mpi/programs/counted.py",
  ];
  const { exitCode } = await run(["env", `LD_PRELOAD=${file}`, ...command], {
    env: { ...env, GIRONA_MPI_PROFILE: join(folder, "run.json") },
  });
  expect(exitCode).toBe(0);
  expect(counts(read(folder, 0), "Send")).toEqual({ calls: 10, bytes: 8000, sizes: { 1024: 10 } });
});
