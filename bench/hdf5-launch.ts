/** Starts a case of HDF5 for `run.ts`: on one process or as four ranks, girona or h5py: `hdf5-launch.ts <who> <case> [sizes]`. */
import { spawnSync } from "node:child_process";
import { environmentOf, mpiOf } from "../scripts/mpi.ts";
import { buildAddon } from "../src/native/index.ts";
import { root } from "./child.ts";

const [who = "", name = "", ...sizes] = process.argv.slice(2);
const env = { ...process.env, ...environmentOf("Open MPI") };
Object.assign(process.env, env);
const mpirun = mpiOf("Open MPI")?.mpirun;
if (!mpirun) throw new Error("Open MPI is not set up: bash scripts/setup-mpi.sh");
// Never within what is measured.
if (who === "girona") for (const kind of ["mpi", "hdf5", "hdf5-mpi"] as const) await buildAddon(kind);

const ranks = name === "hdf5-mpio" ? [mpirun, "-n", "4"] : [];
const program =
  who === "girona"
    ? [process.execPath, "--import", "tsx", `bench/cases/${name}.ts`]
    : [".cache/h5py-mpio/bin/python", "bench/peers/hdf5_peer.py", name];
const [command = "", ...args] = [...ranks, ...program, ...sizes];
process.exit(spawnSync(command, args, { cwd: root, env, stdio: "inherit" }).status ?? 1);
