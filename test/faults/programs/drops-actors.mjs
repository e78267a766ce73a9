/** Makes actors and drops them before their processes are ready, then asks for a task's result. Run with --expose-gc. */
import { cluster, distribute, get } from "girona";

const session = await cluster({ workers: 2, dashboard: false });
class Counter {
  add() {
    return 1;
  }
}
const RemoteCounter = distribute(Counter);
const square = distribute((x) => x * x);
let ended = 0;
session.engine.on((event) => {
  if (event.type === "actor.ended") ended++;
});
for (let round = 0; round < 3; round++) {
  for (let i = 0; i < 5; i++) new RemoteCounter();
  // What is dropped is noticed by and by.
  for (let turn = 0; turn < 500 && ended < (round + 1) * 5; turn++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  console.log(ended, await get(square(round + 1)));
}
await session.close();
