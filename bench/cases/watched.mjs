// Times tiny tasks each time it is told to; "watched": with a listener to every event. GIRONA_PROFILE is watched.ts's affair.
import { once } from "node:events";
import { cluster, distribute, get } from "girona";

const [, , how, text] = process.argv;
const count = Number(text);
const session = await cluster({ workers: 2, engine: "embedded", dashboard: false });
const square = distribute((x) => x * x);
let events = 0;
if (how === "watched") session.engine.on(() => events++);

async function squares(n) {
  const refs = [];
  for (let i = 0; i < n; i++) refs.push(square(i));
  const values = await get(refs);
  if (values[n - 1] !== (n - 1) ** 2) throw new Error("a wrong result");
}
for (let warmUp = 0; warmUp < 5; warmUp++) await squares(10_000);
process.send("ready");
for (;;) {
  const [message] = await once(process, "message");
  if (message === "end") break;
  const start = performance.now();
  await squares(count);
  process.send((count / (performance.now() - start)) * 1000);
}
if (how === "watched" && events === 0) throw new Error("nothing was watched");
await session.close();
process.disconnect();
