import { expect, test } from "vitest";
import { mpiNames, mpirun, needsMpi } from "../support/ranks.ts";

const partial = (ranks: number, rank: number) => {
  const start = Math.floor(1000 / ranks) * rank + Math.min(rank, 1000 % ranks);
  const end = Math.floor(1000 / ranks) * (rank + 1) + Math.min(rank + 1, 1000 % ranks);
  return ((start + end - 1) * (end - start)) / 2;
};

// More ranks than cores take long to do anything: 64 of them in the long run.
const runs = mpiNames.flatMap((mpi) =>
  (process.env["GIRONA_FULL"] === "1" ? [2, 3, 4, 64] : [2, 3]).map((ranks) => [mpi, ranks] as const),
);

test.each(runs)(
  "examples/03-mpi-basics.ts on %s with %i ranks",
  async (mpi, ranks) => {
    needsMpi(mpi);
    const { exitCode, stdout, stderr } = await mpirun(ranks, "examples/03-mpi-basics.ts", {
      mpi,
      timeoutMs: 110_000,
      env: { NO_COLOR: "1" },
    });
    expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("Rank 1: sum = 4950\n");
    const numbers = stdout.match(/Total sum: (\d+) partial sums: \[([^\]]*)\] value/)!;
    expect(numbers[1]).toBe("499500");
    expect(
      numbers[2]!
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(Number),
    ).toEqual(Array.from({ length: ranks }, (_, rank) => partial(ranks, rank)));
  },
  120_000,
);
