import { join } from "node:path";
import { expect, it } from "vitest";
import { run, tempDir } from "../support/index.ts";
import { builtFor, environmentOf, needsMpi } from "../support/ranks.ts";

// The limit of a file's size stands for the disk: the same calls of the system fail, and it needs no rights.
const limit = "trap '' XFSZ; ulimit -f 200; exec \"$@\"";

it.each([
  ["chunks", 0],
  ["contiguous", 1],
  ["groups", 1],
  ["left open", 1],
])("a file that does not fit is told, and the process does not crash: %s", async (how, code) => {
  needsMpi();
  await builtFor("Open MPI", ["hdf5"]);
  const path = join(tempDir(), "full.h5");
  const program = [process.execPath, "--import", "tsx", "test/hdf5/programs/full.ts", path, how];
  const env = { ...environmentOf("Open MPI"), GIRONA_HDF5: "native" };
  const { stdout, stderr, signal, exitCode } = await run(["bash", "-c", limit, "bash", ...program], { env });
  expect(signal).toBeNull();
  expect(stdout + stderr).toMatch(/cannot .*File too large/);
  // What could not be written when the program ended is no success; what it was told of before is its own affair.
  expect(exitCode).toBe(code);
});
