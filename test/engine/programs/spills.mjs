/** Stores more than `objectMemory`, reads all of it here and in tasks, and says where it was: one JSON line. */
import { existsSync, fstatSync, readdirSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cluster, distribute, get, put } from "girona";

const session = await cluster({ workers: 2, dashboard: false, objectMemory: "8MiB" });
const directory = join(tmpdir(), `girona-${process.getuid()}`, String(process.pid));
const length = 524_288; // 4 MiB
const make = distribute((n, value) => new Float64Array(n).fill(value));
const sum = distribute((data) => data.reduce((a, b) => a + b, 0));

const stored = [];
for (let i = 0; i < 8; i++) stored.push(await put(new Float64Array(length).fill(i)));
const made = Array.from({ length: 8 }, (_, i) => make(length, i));
await get(made.map((ref) => sum(ref)));

/** Bytes of memory files that the driver has open. */
let memory = 0;
for (const fd of readdirSync("/proc/self/fd")) {
  try {
    if (readlinkSync(`/proc/self/fd/${fd}`).includes("memfd:")) memory += fstatSync(Number(fd)).size;
  } catch {
    // Closed meanwhile.
  }
}
const sums = await get([...stored, ...made].map((ref) => sum(ref)));
const here = [];
for (const ref of [...stored, ...made]) here.push((await get(ref)).every((value, _, data) => value === data[0]));
await session.close();
console.log(
  JSON.stringify({
    memory,
    sums: sums.map((value) => value / length),
    same: here.every(Boolean),
    left: existsSync(directory),
  }),
);
