import { execFileSync } from "node:child_process";
import { onTestFinished } from "vitest";
import { tempDir } from "../../support/index.ts";

function mount(size: string): string {
  const directory = tempDir();
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=0700`, "girona-test", directory], { stdio: "pipe" });
  return directory;
}

// Lazy: what still has a file open there must not keep the test from cleaning up.
const unmount = (directory: string): unknown => execFileSync("umount", ["-l", directory], { stdio: "pipe" });

/** May this process mount a file system? */
export function mayMount(): boolean {
  try {
    unmount(mount("1m"));
    return true;
  } catch {
    return false;
  }
}

/** A file system of its own for the test, which is full soon: `"64m"`. */
export function smallFileSystem(size: string): string {
  const directory = mount(size);
  onTestFinished(() => void unmount(directory));
  return directory;
}
