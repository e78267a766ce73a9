/** Memory of idle workers, after each has run a task. The driver is plain JavaScript, so that its only children are workers. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { memoryOf, nodeChildren, report } from "../case.ts";

const driver = spawn(process.execPath, [new URL("idle.mjs", import.meta.url).pathname], {
  stdio: ["pipe", "pipe", "inherit"],
});
for await (const line of createInterface(driver.stdout)) {
  if (line !== "idle") continue;
  const workers = nodeChildren(driver.pid!);
  if (workers.length === 0) throw new Error("the driver has no worker processes");
  const sizes = workers.map(memoryOf);
  report({
    "memory.rss": Math.max(...sizes.map((size) => size.rss)),
    "memory.pss": Math.max(...sizes.map((size) => size.pss)),
    workers: workers.length,
  });
  driver.stdin.end();
}
