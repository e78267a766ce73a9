/**
 * Stores and computes large arrays, drops them, and counts what is still open: one JSON line. Run with --expose-gc.
 */
import { readdirSync, readlinkSync } from "node:fs";
import { cluster, distribute, get, put } from "girona";

const session = await cluster({ workers: 2, dashboard: false });
const make = distribute((n) => new Float64Array(n).fill(n));
const sum = distribute((data) => data.reduce((a, b) => a + b, 0));
const whoAmI = distribute(() => process.pid);
const workers = [...new Set(await get(Array.from({ length: 50 }, () => whoAmI())))];

/** Open files that are no sockets and no libraries: memory files and deleted files. */
function open(pid) {
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return /memfd:|object-|\(deleted\)/.test(readlinkSync(`/proc/${pid}/fd/${fd}`));
    } catch {
      return false;
    }
  }).length;
}
const count = () => [open("self"), ...workers.map(open)];

async function work() {
  const stored = await Promise.all(Array.from({ length: 20 }, () => put(new Float64Array(131_072))));
  const made = Array.from({ length: 20 }, () => make(131_072));
  await get(made.map((ref) => sum(ref)));
  await get(stored.map((ref) => sum(ref)));
  await get(made[0]);
  // Arguments that are sent directly.
  await get(Array.from({ length: 20 }, () => sum(new Float64Array(131_072))));
  return count();
}

const before = count();
const during = await work();
let after = count();
for (let i = 0; i < 500 && after.some((files, at) => files > before[at] + 1); i++) {
  globalThis.gc();
  await get(whoAmI());
  await new Promise((resolve) => setTimeout(resolve, 10));
  after = count();
}
console.log(JSON.stringify({ before, during, after }));
await session.close();
