import { expect, test } from "vitest";
import { mpiNames, needsMpi } from "../support/ranks.ts";
import { checksOf } from "./support.ts";

test.each(mpiNames)("windows, datatypes, and buffers that are lost or wrong: %s", async (mpi) => {
  needsMpi(mpi);
  const passed = await checksOf("memory", 3, mpi);
  expect(passed).toHaveLength(27);
  expect(passed.at(-1)).toBe("wrong arguments are errors");
});
