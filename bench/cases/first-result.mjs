// The program start.ts times: plain JavaScript, from the call of cluster() to the first result.
import { cluster, distribute, get } from "girona";

const square = distribute((x) => x * x);
const start = performance.now();
const opened = await cluster({ workers: 2, engine: "embedded", dashboard: false });
const value = await get(square(7));
const ms = performance.now() - start;
if (value !== 49) throw new Error(`expected 49, got ${value}`);
await opened.close();
console.log(ms);
