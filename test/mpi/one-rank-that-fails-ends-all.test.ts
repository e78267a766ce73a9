import { expect, test } from "vitest";
import { type MpiName, mpiNames, mpirun, needsMpi } from "../support/ranks.ts";

const ways: readonly [how: string, words: RegExp][] = [
  ["throws", /girona: rank 1 of 3 on \S+ failed, which ends all ranks:\nError: the matrix is singular\n\s+at /],
  ["rejects", /girona: rank 1 of 3 on \S+ failed, which ends all ranks:\nError: the file is gone/],
  ["exits", /girona: rank 1 of 3 on \S+ exits with 3, which ends all ranks/],
  ["exit code", /girona: rank 1 of 3 on \S+ exits with 4, which ends all ranks/],
];
const cases = mpiNames.flatMap((mpi) => ways.map(([how, words]): [MpiName, string, RegExp] => [mpi, how, words]));

// Without that, ranks 0 and 2 would wait until the time-out of `mpirun`, which fails the test.
test.each(cases)("%s: a rank that %s ends the others, and is named", async (mpi, how, words) => {
  needsMpi(mpi);
  const { exitCode, stderr } = await mpirun(3, "test/mpi/programs/failing.ts", { mpi, args: [how] });
  expect(exitCode).not.toBe(0);
  expect(stderr).toMatch(words);
});

test("an error that the program handles itself ends nothing", async () => {
  needsMpi();
  const { exitCode, stdout } = await mpirun(2, "test/mpi/programs/failing.ts", { args: ["handled"] });
  expect({ exitCode, lines: stdout.split("\n").sort() }).toEqual({
    exitCode: 0,
    lines: ["", "rank 0 caught of the program's own affair", "rank 1 caught of the program's own affair"],
  });
});
