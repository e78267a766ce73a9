import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { usableCores, usableMemory } from "../../src/common/machine.ts";
import { needs, run } from "../support/index.ts";

const machine = join(import.meta.dirname, "../../dist/common/machine.js");
const program = `
import { usableCores, usableMemory } from ${JSON.stringify(machine)};
console.log(JSON.stringify({ cores: usableCores(), memory: usableMemory() }));`;

interface Usable {
  readonly cores: { value: number; by: string };
  readonly memory: { value: number; by: string };
}

async function ask(before: readonly string[], env: Record<string, string> = {}): Promise<Usable> {
  const { stdout, stderr } = await run([...before, process.execPath, "--input-type=module", "-e", program], {
    env: { SLURM_CPUS_PER_TASK: undefined, ...env },
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Usable;
}

/** A new cgroup with these limits; a shell moves itself into it before it becomes the program. `undefined`: not allowed. */
function cgroup(controller: string, limits: Readonly<Record<string, string>>): string[] | undefined {
  for (const root of [`/sys/fs/cgroup/${controller}`, "/sys/fs/cgroup"]) {
    const folder = `${root}/girona-${process.pid}-${Math.random().toString(36).slice(2)}`;
    try {
      mkdirSync(folder);
      onTestFinished(() => rmdirSync(folder));
      for (const [file, text] of Object.entries(limits)) writeFileSync(`${folder}/${file}`, text);
      return ["sh", "-c", `echo $$ > ${folder}/cgroup.procs && exec "$@"`, "sh"];
    } catch {
      // Read-only, or the other version of cgroups.
    }
  }
  return undefined;
}

describe("cores", () => {
  test("are no more than the machine has", () => {
    const { value, by } = usableCores({});
    expect(value).toBeGreaterThanOrEqual(1);
    expect(value).toBeLessThanOrEqual(availableParallelism());
    expect(by).not.toBe("");
  });

  test("are what SLURM gave the task", () => {
    expect(usableCores({ SLURM_CPUS_PER_TASK: "1" })).toEqual(
      usableCores({}).value === 1 ? usableCores({}) : { value: 1, by: "SLURM_CPUS_PER_TASK" },
    );
  });

  test.each(["0", "-1", "", "many", "1.5", "1000000"])("are not what SLURM_CPUS_PER_TASK=%j says", (text) => {
    expect(usableCores({ SLURM_CPUS_PER_TASK: text })).toEqual(usableCores({}));
  });

  test("are those that the affinity leaves", async () => {
    needs("needs two cores", availableParallelism() > 1);
    needs("needs taskset: apt-get install util-linux", (await run(["which", "taskset"])).exitCode === 0);
    const { cores } = await ask(["taskset", "-c", "0"]);
    expect(cores).toEqual({ value: 1, by: "affinity" });
  });

  test.each([
    ["half a core", 50_000, 1],
    ["a core", 100_000, 1],
  ])("are %s, rounded up, when the cgroup allows no more", async (_, quota, expected) => {
    needs("needs two cores", availableParallelism() > 1);
    const enter =
      cgroup("cpu", { "cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": String(quota) }) ??
      cgroup("cpu", { "cpu.max": `${quota} 100000` });
    needs("needs a cgroup that can be created: root, and /sys/fs/cgroup writable", enter !== undefined);
    const { cores } = await ask(enter!);
    expect(cores.value).toBe(expected);
    expect(cores.by).toMatch(/^cgroup \/sys\/fs\/cgroup.*\/girona-/);
  });

  test("are what the cluster has as workers when it is not told", async () => {
    const { stdout } = await run(
      [
        "node",
        "--input-type=module",
        "-e",
        'import { cluster } from "girona"; const one = await cluster({ dashboard: false }); console.log(one.workers); await one.close()',
      ],
      { env: { SLURM_CPUS_PER_TASK: "1" } },
    );
    expect(stdout).toBe("1\n");
  });
});

describe("memory", () => {
  test("is no more than the machine has", () => {
    const { value } = usableMemory();
    expect(value).toBeGreaterThan(2 ** 20);
    expect(value).toBeLessThanOrEqual(totalmem());
  });

  test("is what the cgroup allows", async () => {
    const limit = String(2 ** 30);
    const enter = cgroup("memory", { "memory.limit_in_bytes": limit }) ?? cgroup("memory", { "memory.max": limit });
    needs("needs a cgroup that can be created: root, and /sys/fs/cgroup writable", enter !== undefined);
    const { memory } = await ask(enter!);
    expect(memory.value).toBe(2 ** 30);
    expect(memory.by).toMatch(/^cgroup \/sys\/fs\/cgroup.*\/girona-/);
  });
});
