/** Starts the case of MPI for `run.ts`, as two ranks: of girona, C or mpi4py: `mpi-launch.ts <who> <case> [sizes]`. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { environmentOf, found, mpiOf } from "../scripts/mpi.ts";
import { buildAddon } from "../src/native/index.ts";
import { report } from "./case.ts";
import { root } from "./child.ts";

const [who = "", name = "", sizes = "{}"] = process.argv.slice(2);
const mpi = mpiOf("Open MPI");
if (!mpi) throw new Error("Open MPI is not set up: bash scripts/setup-mpi.sh");
const env: NodeJS.ProcessEnv = { ...process.env, ...environmentOf("Open MPI") };
// Each rank has a core, and waits there: what is measured is latency.
delete env["OMPI_MCA_mpi_yield_when_idle"];
Object.assign(process.env, env);
const python = found["PYTHON"] ?? ".venv/bin/python";

if (name === "version") {
  const library = "import mpi4py, sys; print(mpi4py.__version__)";
  if (who === "mpi4py") report({ mpi4py: execFileSync(python, ["-c", library], { encoding: "utf8" }).trim() });
  else report({ "Open MPI": execFileSync(mpi.mpirun, ["--version"], { encoding: "utf8", env }).match(/\d[\d.]*/)![0] });
} else {
  const { many, few, repeats } = JSON.parse(sizes) as { many: number; few: number; repeats: number };
  // Never within what is measured.
  if (who === "girona") await buildAddon("mpi");
  const binary = join(root, ".cache/bench/mpi");
  if (who === "c") {
    mkdirSync(dirname(binary), { recursive: true });
    const mpicc = mpi.mpicxx.replace(/mpicxx|mpic\+\+/, "mpicc");
    execFileSync(mpicc, ["-O2", "bench/peers/mpi.c", "-o", binary], { cwd: root, env });
  }
  const programs: Readonly<Record<string, readonly string[]>> = {
    girona: [process.execPath, "--import", "tsx", "bench/cases/mpi.ts", sizes],
    c: [binary, String(many), String(few), String(repeats)],
    mpi4py: [python, "bench/peers/mpi_peer.py", sizes],
  };
  const ranks = spawnSync(mpi.mpirun, ["-n", "2", ...(programs[who] ?? [])], { cwd: root, env, stdio: "inherit" });
  process.exit(ranks.status ?? 1);
}
