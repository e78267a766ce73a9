import { cluster, distribute, get } from "girona";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
const d = mkdtempSync("/tmp/e/d-");
const idle = distribute(async (place) => { process.getBuiltinModule("node:fs").writeFileSync(place, ""); await new Promise((r) => setTimeout(r, 60000)); return 1; });
class Waiter { async wait(place) { return get(idle(place)); } }
const RemoteWaiter = distribute(Waiter);
for (let i = 0; i < 12; i++) {
  const session = await cluster({ workers: 2, dashboard: false });
  const waiter = new RemoteWaiter();
  const outer = distribute(async (place) => get(idle(place)));
  const refs = [waiter.wait(`${d}/a${i}`), outer(`${d}/b${i}`), waiter.wait(`${d}/c${i}`)];
  const outcomes = refs.map((ref) => get(ref).then(() => "value", (e) => e.code));
  const t = performance.now();
  while (!(existsSync(`${d}/a${i}`) && existsSync(`${d}/b${i}`)) && performance.now() - t < 4000) await new Promise((r) => setTimeout(r, 5));
  const there = [existsSync(`${d}/a${i}`), existsSync(`${d}/b${i}`)];
  const t1 = performance.now();
  await session.close();
  console.log(i, there, Math.round(t1 - t), Math.round(performance.now() - t1), await Promise.race([Promise.all(outcomes), new Promise((r) => setTimeout(r, 2000, "hang"))]));
}
