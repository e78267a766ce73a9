/** One call at a time: submit, run, get, then the next. */
import { cluster, distribute, get } from "girona";
import { expectEqual, report, sizesFromArguments, timed, twoWorkers } from "../case.ts";
import { quantile } from "../stats.ts";

const { calls } = sizesFromArguments<{ calls: number }>();
const square = distribute((x: number) => x * x);
const call = async (x: number) => expectEqual(await get(square(x)), x * x);

await using _cluster = await cluster(twoWorkers);
for (let i = 0; i < 500; i++) await call(i);

const micros: number[] = [];
for (let i = 0; i < calls; i++) micros.push((await timed(() => call(i))) * 1000);
report({ "roundtrip.p50": quantile(micros, 0.5), "roundtrip.p99": quantile(micros, 0.99) });
