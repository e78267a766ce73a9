import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { mpiOf } from "../../scripts/mpi.ts";
import { waitFor } from "../support/index.ts";
import { needsMpi } from "../support/ranks.ts";
import { Rig } from "./support.ts";

beforeEach(() => needsMpi());

/** MPI's own wrapper, which compiles nothing before the file `go` is there. */
function slowWrapper(rig: Rig): { wrapper: string; go: () => void; compiling: () => boolean } {
  const wrapper = join(rig.folder, "mpicxx");
  const [go, at] = [join(rig.folder, "go"), join(rig.folder, "compiling")];
  const wait = `case "$*" in *-shared*) touch '${at}'; while [ ! -e '${go}' ]; do read -t 0.05 _ <> <(:); done;; esac`;
  writeFileSync(wrapper, `#!/bin/bash\n${wait}\nexec '${mpiOf("Open MPI")!.mpicxx}' "$@"\n`);
  chmodSync(wrapper, 0o755);
  return { wrapper, go: () => writeFileSync(go, ""), compiling: () => existsSync(at) };
}

const addons = (rig: Rig) => rig.files().filter((name) => name.startsWith("mpi-open-mpi") && name.endsWith(".node"));
const remains = (rig: Rig) => rig.files().filter((name) => name.includes("lock") || name.startsWith("."));

test("of several builds at once, one compiles and the others wait for it", async () => {
  const rig = new Rig();
  const { wrapper, go, compiling } = slowWrapper(rig);
  const options = { env: { GIRONA_MPICXX: wrapper } };
  const first = rig.start(["build", "mpi", "--json"], "Open MPI", options);
  await waitFor("the compiler to run", compiling);
  const others = [1, 2, 3].map(() => rig.start(["build", "mpi", "--json"], "Open MPI", options));
  for (const other of others)
    await other.matches(new RegExp(`girona: mpi: process ${first.pid} on \\S+ is building it`));
  go();
  const states = await Promise.all(
    [first, ...others].map(async ({ finished }) => JSON.parse((await finished).stdout).builds[0].state),
  );
  expect(states).toEqual(["built", "cached", "cached", "cached"]);
  expect(addons(rig)).toHaveLength(1);
  expect(remains(rig)).toEqual([]);
});

test("after one that was killed midway, the next one builds, and cleans up", async () => {
  const rig = new Rig();
  const { wrapper, go, compiling } = slowWrapper(rig);
  const options = { env: { GIRONA_MPICXX: wrapper } };
  const killed = rig.start(["build", "mpi"], "Open MPI", options);
  await waitFor("the compiler to run", compiling);
  // With the compiler, as the out-of-memory killer of a job does.
  process.kill(-killed.pid, "SIGKILL");
  await killed.finished;
  expect(addons(rig)).toEqual([]);
  expect(remains(rig).length).toBeGreaterThan(0);

  go();
  const { ok, row, stderr } = await rig.build("mpi", "Open MPI", options);
  expect({ ok, state: row.state, stderr }).toEqual({ ok: true, state: "built", stderr: "" });
  expect(addons(rig)).toHaveLength(1);
  expect(remains(rig)).toEqual([]);
});
