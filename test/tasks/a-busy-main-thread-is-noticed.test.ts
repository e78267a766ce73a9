import { readFileSync } from "node:fs";
import { type Advice, cluster, distribute, get } from "girona";
import { expect, test } from "vitest";
import { run } from "../support/index.ts";
import { programFile } from "./support/index.ts";

/** Runs the body with a cluster of two workers and gives the advice, and the line marked with `// here`. */
async function adviceOf(body: string): Promise<{ found: Advice[]; here: string }> {
  const file = programFile(
    "program.mjs",
    `import { setTimeout, setImmediate } from "node:timers/promises";
import { cluster, distribute, get, wait } from "girona";
function spin(ms) { const start = performance.now(); while (performance.now() - start < ms); return ms; }
const remote = distribute(spin);
${body}
console.log(JSON.stringify(session.advice()));
await session.close();
`,
  );
  const { stdout, stderr, exitCode } = await run(["node", file]);
  expect([stderr, exitCode]).toEqual(["", 0]);
  const line =
    readFileSync(file, "utf8")
      .split("\n")
      .findIndex((text) => text.includes("// here")) + 1;
  return { found: JSON.parse(stdout) as Advice[], here: `${file}:${line}` };
}

const open = "const session = await cluster({ workers: 2, dashboard: false });";
/** How many workers were idle on the average: the loop takes longer on a busy machine. */
const idleWorkers = (advice: Advice) =>
  Number(/^[\d.]+ s of worker time idle \([\d.]+ s × ([\d.]+) workers\)$/.exec(advice.cost)?.[1]);

test.each([
  [
    "a plain loop after a call",
    `${open}
    await get(remote(1)); // here
    spin(2500);
    await setTimeout(1);`,
  ],
  [
    "one that is still in the same turn",
    `${open}
    await get(remote(1)); // here
    spin(2500);`,
  ],
  [
    "one whose tasks are only submitted after it",
    `${open}
    await get(remote(1)); // here
    spin(2500);
    const refs = Array.from({ length: 400 }, () => remote(5));
    await get(refs);`,
  ],
  [
    "one after tasks that had long ended, which nobody saw",
    `${open}
    const refs = [remote(1), remote(1), remote(1)]; // here
    await setImmediate();
    spin(2500);
    await get(refs);
    await setTimeout(201);
    await get(remote(1));`,
  ],
])("%s: with the last call before it, and the idle time of both workers", async (_, body) => {
  const { found, here } = await adviceOf(body);
  expect(found.map(({ rule, where }) => [rule, where])).toEqual([["busy-main-thread", here]]);
  const [advice] = found;
  expect(advice!.what).toMatch(/^the main thread was busy for [\d.]+ s while workers had nothing to do\./);
  expect(advice!.what).toContain(
    "Where exactly was not seen: after this line, the last call of a distributed function",
  );
  expect(advice!.what).toContain("(spin)");
  expect(idleWorkers(advice!)).toBeGreaterThan(1.5);
  expect(idleWorkers(advice!)).toBeLessThanOrEqual(2);
  expect(advice!.fix).toContain("f.map(items)");
});

test("several parts after the same line are told once, with their sum", async () => {
  const { found, here } = await adviceOf(`${open}
    for (let i = 0; i < 2; i++) {
      await get(remote(1)); // here
      spin(1600);
      await setTimeout(1);
    }`);
  expect(found.map(({ rule, where }) => [rule, where])).toEqual([["busy-main-thread", here]]);
  expect(found[0]!.what).toMatch(/busy for [\d.]+ s, in 2 parts,/);
});

test("before the first call, it is the line that opened the cluster", async () => {
  const { found, here } = await adviceOf(`${open} // here
    spin(2000);`);
  expect(found.map(({ rule, where }) => [rule, where])).toEqual([["busy-main-thread", here]]);
  expect(found[0]!.what).toContain("after this line, where the cluster was opened");
});

test("with one worker at work all the time, the other one counts", async () => {
  const { found } = await adviceOf(`${open}
    await get([remote(50), remote(50)]);
    const long = remote(4000);
    await setTimeout(50);
    spin(2600);
    await get(long);`);
  expect(found.map(({ rule }) => rule)).toEqual(["busy-main-thread"]);
  expect(idleWorkers(found[0]!)).toBeGreaterThan(0.7);
  expect(idleWorkers(found[0]!)).toBeLessThan(1.3);
});

test("nothing is told when workers are busy meanwhile", async () => {
  const { found } = await adviceOf(`${open}
    const refs = [remote(4000), remote(4000)];
    await setTimeout(50);
    spin(1500);
    await get(refs);`);
  expect(found).toEqual([]);
});

test("nothing is told of waiting, of short work in the main thread, or of girona's own work there", async () => {
  await using session = await cluster({ workers: 2, dashboard: false });
  const first = distribute(function first(list: readonly number[]) {
    return list.length;
  });
  const list = Array.from({ length: 300_000 }, (_, i) => i + 0.5);
  const refs = [];
  const pause = distribute(
    () =>
      new Promise<number>((resolve) => {
        setTimeout(resolve, 500, 1);
      }),
  );
  const began = performance.now();
  // Some hundred milliseconds of copying, and as much again of waiting.
  for (let i = 0; i < 9; i++) refs.push(first(list));
  const slow = performance.now() - began > 1000;
  await get([...refs, pause(), pause(), pause(), pause(), pause()]);
  // Unless the machine makes a second of them.
  expect(session.advice().filter(({ rule }) => !(slow && rule === "busy-main-thread"))).toEqual([]);
});

test("many calls in one turn are not the program's own loop", async () => {
  const { found } = await adviceOf(`${open}
    const nothing = distribute(function nothing() {});
    const refs = [];
    const start = performance.now();
    while (performance.now() - start < 2000) refs.push(nothing());
    await get(refs);`);
  expect(found.map(({ rule }) => rule)).toEqual(["small-tasks"]);
});
