import { expect, test } from "vitest";
import { mpiNames, needsMpi } from "../support/ranks.ts";
import { checksOf } from "./support.ts";

// Counts above 3 take the way of those above 2^31: the large-count calls of MPI 4 in MPICH, derived datatypes in Open MPI.
test.each(mpiNames)("every call takes counts of any size: %s", async (mpi) => {
  needsMpi(mpi);
  expect(await checksOf("large", 3, mpi, { args: ["3"] })).toHaveLength(12);
});

const full = process.env["GIRONA_FULL"] === "1";
test.each(full ? mpiNames : [])(
  "a message of 2.2 GiB arrives whole: %s",
  async (mpi) => {
    needsMpi(mpi);
    expect(await checksOf("large", 2, mpi, { args: ["real"], timeoutMs: 280_000 })).toHaveLength(2);
  },
  300_000,
);
