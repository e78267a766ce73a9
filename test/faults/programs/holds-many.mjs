/** Holds more arrays than there may be files, made here and by tasks; each is read again. One JSON line. Arguments: how many. */
import { cluster, distribute, get, put } from "girona";

const [, , count] = process.argv;
const length = 10_000;
const session = await cluster({ workers: 2, dashboard: false });
const make = distribute((i, length) => new Float64Array(length).fill(i));
const first = distribute((data) => data[0] + data.length);
const refs = [];
for (let i = 0; i < Number(count); i++)
  refs.push(i % 2 ? make(i, length) : await put(new Float64Array(length).fill(i)));
const there = await get(refs.map((ref) => first(ref)));
let wrong = there.filter((value, i) => value !== i + length).length;
for (const [i, ref] of refs.entries()) {
  const data = await get(ref);
  if (data.length !== length || data[length - 1] !== i) wrong++;
}
console.log(JSON.stringify({ wrong }));
await session.close();
