/** Its workers are lost, and new ones cannot start. One JSON line: how those who wait, and those who call then, are told. */
import { cluster, distribute, get } from "girona";

const session = await cluster({ workers: 2, dashboard: false });
const never = distribute(() => new Promise(() => {}), { retries: 100 });
class Counter {
  add() {
    return 1;
  }
}
const RemoteCounter = distribute(Counter);
const waiting = [never(), never(), never()];
while (session.engine.snapshot().workers.filter(({ running }) => running).length < 2)
  await new Promise((resolve) => setTimeout(resolve, 5));
const told = ({ code, message }) => ({ code, message });
const all = Promise.all(waiting.map((ref) => get(ref).then(() => "a value", told)));
process.env.NODE_OPTIONS = "--no-such-option";
for (const { pid } of session.engine.snapshot().workers) process.kill(pid, "SIGKILL");
const outcomes = await all;
const later = await (async () => get(never()))().then(() => "a value", told);
const actor = await (async () => get(new RemoteCounter().add()))().then(() => "a value", told);
console.log(JSON.stringify({ outcomes, later, actor }));
await session.close();
