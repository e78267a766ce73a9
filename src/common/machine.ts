/**
 * What this process may use of the machine: cores and memory as affinity, cgroup and SLURM allow, not as `os.cpus()` says.
 *
 * Sources: cgroup v2 `cpu.max`, `memory.max` and v1 `cpu.cfs_quota_us`, `memory.limit_in_bytes`
 * (kernel documentation, admin-guide/cgroup-v2); SLURM's `SLURM_CPUS_PER_TASK` (sbatch manual, OUTPUT ENVIRONMENT VARIABLES).
 */
import { readFileSync } from "node:fs";
import { availableParallelism, freemem, totalmem } from "node:os";

/** One limit and who sets it. */
export interface Limit {
  readonly value: number;
  readonly by: string;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}

/** The folders of this process's cgroup, from its own up to the root, so that a limit set above it counts too. */
function cgroupFolders(controller: "cpu" | "memory", text = read("/proc/self/cgroup")): string[] {
  const folders: string[] = [];
  for (const line of text?.split("\n") ?? []) {
    const [, controllers = "", path = "/"] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    const v2 = controllers === "";
    if (!v2 && !controllers.split(",").includes(controller)) continue;
    const mount = v2 ? "/sys/fs/cgroup" : `/sys/fs/cgroup/${controllers}`;
    for (let at = path; ; at = at.slice(0, at.lastIndexOf("/"))) {
      folders.push(mount + (at === "/" ? "" : at));
      if (at === "" || at === "/") break;
    }
  }
  return folders;
}

function cgroupCores(): Limit | undefined {
  let least: Limit | undefined;
  for (const folder of cgroupFolders("cpu")) {
    const [quota, period] = read(`${folder}/cpu.max`)?.split(" ") ?? [
      read(`${folder}/cpu.cfs_quota_us`),
      read(`${folder}/cpu.cfs_period_us`),
    ];
    const cores = Number(quota) / Number(period);
    if (cores > 0 && (!least || cores < least.value)) least = { value: cores, by: `cgroup ${folder}` };
  }
  return least;
}

/** Cores that this process may keep busy: the least of affinity, cgroup quota (rounded up) and `SLURM_CPUS_PER_TASK`. */
export function usableCores(env: NodeJS.ProcessEnv = process.env): Limit {
  const limits: Limit[] = [{ value: availableParallelism(), by: "affinity" }];
  const cgroup = cgroupCores();
  if (cgroup) limits.push({ value: Math.ceil(cgroup.value), by: cgroup.by });
  const slurm = Number(env["SLURM_CPUS_PER_TASK"]);
  if (Number.isInteger(slurm) && slurm > 0) limits.push({ value: slurm, by: "SLURM_CPUS_PER_TASK" });
  return limits.reduce((least, limit) => (limit.value < least.value ? limit : least));
}

/** Bytes of memory that this process may use: the least of the machine's and its cgroup's. */
export function usableMemory(): Limit {
  let least: Limit = { value: totalmem(), by: "machine" };
  for (const folder of cgroupFolders("memory")) {
    const value = Number(read(`${folder}/memory.max`) ?? read(`${folder}/memory.limit_in_bytes`));
    if (value > 0 && value < least.value) least = { value, by: `cgroup ${folder}` };
  }
  return least;
}

/** Bytes that a cgroup holds and cannot give back: processes' own memory, shared memory, the kernel's. Not the page cache. */
function heldBy(folder: string): number {
  const stat = read(`${folder}/memory.stat`) ?? "";
  const value = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(stat)?.[1] ?? 0);
  // v2 counts what is below a folder with it; v1 does under names that begin with `total_`.
  return Math.max(
    value("anon") + value("shmem") + value("kernel"),
    value("total_rss") + value("total_shmem") + Number(read(`${folder}/memory.kmem.usage_in_bytes`) ?? 0),
  );
}

/** Bytes that can still be taken before the kernel kills: what the machine has available, or less where a cgroup has less left. */
export function availableMemory(): number {
  const available = /^MemAvailable:\s+(\d+) kB/m.exec(read("/proc/meminfo") ?? "")?.[1];
  let least = available === undefined ? freemem() : Number(available) * 1024;
  for (const folder of cgroupFolders("memory")) {
    const limit = Number(read(`${folder}/memory.max`) ?? read(`${folder}/memory.limit_in_bytes`));
    if (limit > 0 && limit < 2 ** 60) least = Math.min(least, limit - heldBy(folder));
  }
  return Math.max(0, least);
}
