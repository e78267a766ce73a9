import { expect, test } from "vitest";
import { mpiNames, needsMpi } from "../support/ranks.ts";
import { checksOf } from "./support.ts";

test.each(mpiNames)("requests are awaited, in any number, and keep what they need: %s", async (mpi) => {
  needsMpi(mpi);
  expect(await checksOf("awaiting", 3, mpi, { node: ["--expose-gc"] })).toEqual([
    "a ring of requests",
    "a settled request tells its status",
    "other work runs while a request is awaited",
    "nothing has settled",
    "waitAny gives the first that settles",
    "waitAny gives each once",
    "waitSome gives the others",
    "when all are given, there is nothing to wait for",
    "testAll is true at the end",
    "values are awaited",
    "a receive can be cancelled",
    "a collective call cannot",
    "what nobody awaits keeps its buffer",
    "an error comes with the await",
    "and again with test and wait",
    "collective requests give nothing",
    "and fill their buffers",
    "with an operation of one's own too",
  ]);
});
