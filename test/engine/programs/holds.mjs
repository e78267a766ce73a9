/**
 * Refs and actors whose last handle in the program is dropped while somebody else still has one; and actors that nobody has
 * any more. One JSON line. Run with --expose-gc.
 */
import { existsSync, writeFileSync } from "node:fs";
import { cluster, distribute, get, put } from "girona";

const [, , place] = process.argv;
const session = await cluster({ workers: 2, dashboard: false });

class Counter {
  #count = 0;
  add(by) {
    this.#count += by;
    return this.#count;
  }
  pid() {
    return process.pid;
  }
  async slow(gate) {
    const { existsSync } = process.getBuiltinModule("node:fs");
    while (!existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 5));
    return this.#count;
  }
}
const RemoteCounter = distribute(Counter);
const square = distribute((x) => x * x);
const make = distribute((n) => new Float64Array(n).fill(n));

/** Collects what can be collected, in the workers too. */
const workerGc = distribute(() => {
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  setFlagsFromString("--expose-gc");
  process.getBuiltinModule("node:vm").runInNewContext("gc")();
});
async function collect() {
  for (let i = 0; i < 10; i++) {
    globalThis.gc();
    await get([workerGc(), workerGc()]);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const outcome = {};

// A task has the only handle of an actor, and uses it later.
const useLater = distribute(async ({ counter, gate }) => {
  const { existsSync } = process.getBuiltinModule("node:fs");
  while (!existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 5));
  return get(counter.add(5));
});
const used = (() => useLater({ counter: new RemoteCounter(), gate: `${place}.1` }))();
await collect();
writeFileSync(`${place}.1`, "");
outcome.actorInTask = await get(used);

// A call that runs keeps its actor.
const running = (() => new RemoteCounter().slow(`${place}.2`))();
await collect();
writeFileSync(`${place}.2`, "");
outcome.runningCall = await get(running);

// A task hands back an actor that it made.
const hire = distribute(async () => {
  const counter = new RemoteCounter();
  await get(counter.add(1));
  return { counter };
});
const { counter } = await get(hire());
await collect();
outcome.handedBack = await get(counter.add(1));

// An actor inside a stored object.
const box = await (() => put({ counter: new RemoteCounter() }))();
await collect();
outcome.actorInBox = await get((await get(box)).counter.add(7));

// Refs inside a stored object, small and large.
const refs = await (() => put({ small: square(3), large: make(100_000) }))();
await collect();
const inside = await get(refs);
outcome.refInBox = [await get(inside.small), (await get(inside.large)).length];

// Refs that only a result has.
const launch = distribute((x) => ({ ref: square(x), large: make(x * 10_000) }));
const launched = launch(8);
await collect();
const result = await get(launched);
await collect();
outcome.refInResult = [await get(result.ref), (await get(result.large)).length];

// A ref that only a function's body names.
const named = (() => {
  const ref = make(100_000);
  return distribute(async () => (await get(ref)).length);
})();
outcome.refInBody = await get(named());
await collect();
outcome.refInBodyAgain = await get(named());

// A ref that was an argument while its task waits.
const chained = (() => square(square(square(2))))();
await collect();
outcome.chain = await get(chained);

// An actor that nobody has ends.
const pid = await get((() => new RemoteCounter().pid())());
for (let i = 0; i < 300 && existsSync(`/proc/${pid}`); i++) {
  globalThis.gc();
  await new Promise((resolve) => setTimeout(resolve, 10));
}
outcome.endsUnheld = !existsSync(`/proc/${pid}`);

console.log(JSON.stringify(outcome));
await session.close();
