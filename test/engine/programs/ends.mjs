/**
 * A program that ends in the way its argument says, while its workers are busy. It prints its workers' process ids first.
 */
import { writeFileSync } from "node:fs";
import { cluster, distribute, get } from "girona";

const [, , how, place] = process.argv;
const session = how === "implicit" ? undefined : await cluster({ workers: 2, dashboard: false });
const whoAmI = distribute((other) => {
  const { existsSync } = process.getBuiltinModule("node:fs");
  process.getBuiltinModule("node:fs").writeFileSync(`${other}.${process.pid}`, "");
  const cell = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(`${other}.go`)) Atomics.wait(cell, 0, 0, 5);
  return process.pid;
});
const both = [whoAmI(place), whoAmI(place)];
if (how !== "implicit") {
  const { readdirSync } = await import("node:fs");
  const { dirname, basename } = await import("node:path");
  while (readdirSync(dirname(place)).filter((name) => name.startsWith(`${basename(place)}.`)).length < 2)
    await new Promise((resolve) => setTimeout(resolve, 5));
}
writeFileSync(`${place}.go`, "");
const pids = await get(both);
console.log(`workers ${pids.join(" ")}.`);

const spin = distribute(() => {
  for (;;);
});
const fail = distribute((n) => {
  throw new RangeError(`failure ${n}`);
});

switch (how) {
  case "implicit":
  case "end":
    // A task that nobody waits for does not keep the program alive.
    spin();
    break;
  case "idle":
    break;
  case "closed":
    await session.close();
    break;
  case "exitCode":
    spin();
    process.exitCode = 3;
    break;
  case "exit":
    spin();
    process.exit(7);
    break;
  case "throw":
    spin();
    throw new RangeError("the program's own");
  case "reject":
    spin();
    void Promise.reject(new RangeError("the program's own"));
    break;
  case "unfetched": {
    const refs = [1, 2].map((n) => fail(n));
    await get(distribute(() => 1)(), { timeout: "30s" });
    const { wait } = await import("girona");
    await wait(refs, { count: 2 });
    break;
  }
  case "fetched": {
    await get(fail(1)).catch(() => {});
    break;
  }
  case "wait":
    await get(spin());
    break;
  case "handler":
    process.on("SIGTERM", () => {
      console.log("its own handler");
      process.exit(5);
    });
    console.log("ready");
    await get(spin());
    break;
}
