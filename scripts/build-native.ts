/** `girona build all` for each MPI that the tests run on. The cache has what has not changed since. */

import { execute } from "./common.ts";
import { environmentOf, mpiNames, mpiOf } from "./mpi.ts";

for (const name of mpiNames) {
  if (!mpiOf(name)) continue;
  const env = { ...process.env, ...environmentOf(name) };
  const { exitCode, output, seconds } = await execute(["node", "dist/cli/main.js", "build", "all"], {
    env,
    timeoutMs: 300_000,
  });
  if (seconds > 5) console.log(`The addons for ${name}, and HDF5: ${seconds.toFixed(0)} s`);
  if (exitCode !== 0) console.log(output);
  process.exitCode ||= exitCode;
}
