/** The command that installs something on this system. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onPath } from "./probe.js";

/** Names of the packages, by package manager. */
export interface Packages {
  readonly apt: string;
  readonly dnf: string;
  readonly brew?: string;
  /** Part of the name of an environment module, on clusters that have those. */
  readonly module?: string;
}

/** What decides about the command. */
export interface System {
  readonly manager: "apt" | "dnf" | "brew" | undefined;
  /** Names that `module load` takes here. */
  readonly modules: readonly string[];
  readonly root: boolean;
}

export function thisSystem(env: NodeJS.ProcessEnv = process.env): System {
  return {
    manager: managerOf(osRelease()),
    modules: (env["MODULEPATH"] ?? "").split(":").filter(Boolean).flatMap(modulesIn),
    root: process.getuid?.() === 0,
  };
}

/** Of a folder of modules: its entries, and those of the two groups that are usual. */
function modulesIn(folder: string): string[] {
  const names = entries(folder);
  const groups = names.filter((name) => name === "mpi" || name === "all");
  return [...names, ...groups.flatMap((group) => entries(join(folder, group)).map((name) => `${group}/${name}`))];
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function osRelease(): string {
  try {
    return readFileSync("/etc/os-release", "utf8");
  } catch {
    return "";
  }
}

/** By the system's family, then by the program that is there. */
function managerOf(release: string): System["manager"] {
  const family = release.match(/^ID(?:_LIKE)?=.*$/gm)?.join(" ") ?? "";
  if (/debian|ubuntu/.test(family)) return "apt";
  if (/rhel|fedora|centos|rocky|almalinux/.test(family)) return "dnf";
  if (onPath("apt-get")) return "apt";
  if (onPath("dnf")) return "dnf";
  return process.platform === "darwin" ? "brew" : undefined;
}

/** Pure: from what is known to the line that a user can paste. */
export function installCommand(packages: Packages, { manager, modules, root }: System): string {
  // On a cluster nobody may install, and the administrators have built what fits its network.
  const module = modules.find(
    (name) => packages.module && name.toLowerCase().split("/").at(-1)?.startsWith(packages.module),
  );
  if (module) return `module load ${module}`;
  const sudo = root ? "" : "sudo ";
  if (manager === "apt") return `${sudo}apt-get update && ${sudo}apt-get install -y ${packages.apt}`;
  if (manager === "dnf") return `${sudo}dnf install -y ${packages.dnf}`;
  if (manager === "brew" && packages.brew) return `brew install ${packages.brew}`;
  return `with the package manager of this system: ${packages.apt} (the names on Debian)`;
}
