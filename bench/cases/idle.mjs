// The program whose workers memory.ts looks at: one task on each, then nothing until stdin ends.
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { cluster, distribute, get } from "girona";

const square = distribute((x) => x * x);
const opened = await cluster({ workers: 2, engine: "embedded", dashboard: false });
await get([square(1), square(2)]);
await setTimeout(1000); // what a worker does after its first task (lazy compilation, garbage) is over
console.log("idle");
process.stdin.resume();
await once(process.stdin, "end");
await opened.close();
