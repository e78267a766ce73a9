/** One large object at a time, dropped before the next one is made, in the way of the first argument. Prints how many were right. */
import { cluster, distribute, get, put } from "girona";

const [, , how] = process.argv;
const length = 1_000_000;
const filled = (i) => new Float64Array(length).fill(i);
const session = await cluster({ workers: 2, dashboard: false, objectMemory: "24MB" });
const make = distribute(filled);
const first = distribute((data) => data[0]);
const nested = distribute(async (i) => (await get(make(i)))[0]);
const stores = distribute(async (i, length) => (await get(await put(new Float64Array(length).fill(i))))[0]);
class Keeper {
  first(data) {
    return data[0];
  }
  make(i, length) {
    return new Float64Array(length).fill(i);
  }
}
const keeper = new (distribute(Keeper))();
const ways = {
  result: async (i) => (await get(make(i)))[0],
  put: async (i) => (await get(await put(filled(i))))[0],
  "put and pass": async (i) => await get(first(await put(filled(i)))),
  chain: async (i) => await get(first(make(i))),
  argument: async (i) => await get(first(filled(i))),
  nested: async (i) => await get(nested(i)),
  "put in a task": async (i) => await get(stores(i, length)),
  "argument of an actor": async (i) => await get(keeper.first(filled(i))),
  "result of an actor": async (i) => (await get(keeper.make(i, length)))[0],
};
let right = 0;
for (let i = 0; i < 40; i++) if ((await ways[how](i)) === i) right++;
console.log(right);
await session.close();
