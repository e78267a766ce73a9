import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../support/index.ts";
import { mpirun, needsMpi } from "../support/ranks.ts";

const disagree = (how: string) =>
  mpirun(3, "test/hdf5/programs/disagree.ts", {
    args: [how, join(tempDir(), "guarded.h5")],
    env: { GIRONA_MPI_CHECK: "500ms" },
    node: ["--enable-source-maps"],
    addons: ["mpi", "hdf5-mpi"],
    timeoutMs: 20_000,
  });

describe("with GIRONA_MPI_CHECK, ranks that disagree end the job", () => {
  beforeEach(() => needsMpi());

  it("names the rank that never comes, and where the others are", async () => {
    const { exitCode, stderr } = await disagree("missing");
    expect(exitCode).not.toBe(0);
    expect(stderr).toMatch(/create dataset of \/data takes all ranks, and rank 2 is not there:/);
    expect(stderr).toMatch(/rank 0: create dataset\(\/data, f8, \[3, 10\]\) on .*guarded\.h5 at .*disagree\.\w+:\d+/);
    expect(stderr).toMatch(/rank 2: not there within 0\.5 s/);
  });

  it("names it also when it does not come to open the file", async () => {
    const { exitCode, stderr } = await disagree("absent");
    expect(exitCode).not.toBe(0);
    expect(stderr).toMatch(/open of .*guarded\.h5 takes all ranks, and rank 2 is not there/);
  });

  const ways: [how: string, pattern: RegExp][] = [
    ["shape", /rank 1: create dataset\(\/data, f8, \[3, 10\]\)[\s\S]*rank 2: create dataset\(\/data, f8, \[3, 20\]\)/],
    ["name", /rank 1: create dataset\(\/data, [\s\S]*rank 2: create dataset\(\/other, /],
    ["skip", /rank 1: write\(\/data\)[\s\S]*rank 2: close\(\)/],
  ];
  // Each is a job of its own; the long run has them all.
  it.each(process.env["GIRONA_FULL"] === "1" ? ways : ways.slice(0, 1))(
    "tells each rank's call apart: another %s",
    async (how, pattern) => {
      const { exitCode, stderr } = await disagree(how);
      expect(exitCode).not.toBe(0);
      expect(stderr).toMatch(/the ranks do not make the same call/);
      expect(stderr).toMatch(pattern);
    },
  );

  it("lets an empty selection of one rank pass, and a program that catches the error end", async () => {
    const [empty, caught] = [await disagree("empty"), await disagree("caught")];
    expect(empty.stdout.match(/goes on/g)).toHaveLength(3);
    expect(empty.exitCode).toBe(0);
    expect(caught.stdout.match(/caught/g)).toHaveLength(3);
    expect(caught.exitCode).toBe(0);
  });
});
