/**
 * A program with all that can be left behind: workers in endless loops, processes that tasks have started (one of them has
 * started another), an actor, stored objects in memory and in files. It says `holding` when all of it is there.
 */
import { cluster, distribute, get, put } from "girona";

const [, , place] = process.argv;
const _session = await cluster({ workers: 2, dashboard: false, objectMemory: "8MiB" });
const stored = [];
for (let i = 0; i < 8; i++) stored.push(await put(new Float64Array(262_144).fill(i)));
const make = distribute((n) => new Float64Array(n).fill(1));
stored.push(...Array.from({ length: 8 }, () => make(262_144)));
await get(stored);

class Holder {
  data = new Float64Array(100_000);
  start(file) {
    const { spawn } = process.getBuiltinModule("node:child_process");
    spawn("sleep", ["1000"], { stdio: "ignore" }).unref();
    process.getBuiltinModule("node:fs").writeFileSync(file, "");
    for (;;);
  }
}
const RemoteHolder = distribute(Holder);
const holder = new RemoteHolder();
void get(holder.start(`${place}.actor`)).catch(() => {});

const spin = distribute((data, file) => {
  const { spawn } = process.getBuiltinModule("node:child_process");
  // A shell that starts a shell that starts a sleep: neither waits for its parent.
  spawn("sh", ["-c", "sh -c 'sleep 1000 & sleep 1001' & wait"], { stdio: "ignore" });
  process.getBuiltinModule("node:fs").writeFileSync(file, String(data.length));
  for (;;);
});
const spins = [spin(stored[0], `${place}.0`), spin(stored[9], `${place}.1`)];
const { existsSync } = await import("node:fs");
while (![`${place}.actor`, `${place}.0`, `${place}.1`].every((file) => existsSync(file)))
  await new Promise((resolve) => setTimeout(resolve, 5));
console.log("holding");
await get(spins);
