/** Tiny tasks with the profile and the events on, over the same without: two programs that take turns. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { report, sizesFromArguments } from "../case.ts";
import { median } from "../stats.ts";

const { count, pairs } = sizesFromArguments<{ count: number; pairs: number }>();
const folder = mkdtempSync(join(tmpdir(), "girona-bench-"));

async function begin(how: "plain" | "watched"): Promise<ChildProcess> {
  const child = fork(new URL("watched.mjs", import.meta.url).pathname, [how, String(count)], {
    env: { ...process.env, ...(how === "watched" ? { GIRONA_PROFILE: join(folder, "profile.json") } : {}) },
    // Where the profile is said to lie.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    execArgv: [],
  });
  await once(child, "message");
  return child;
}
async function rate(child: ChildProcess): Promise<number> {
  child.send("go");
  return ((await once(child, "message")) as [number])[0];
}

const plain = await begin("plain");
const watched = await begin("watched");
const ratios: number[] = [];
for (let pair = 0; pair < pairs; pair++) {
  // Each is the first of the two as often as the other.
  const first = await rate(pair % 2 ? watched : plain);
  const second = await rate(pair % 2 ? plain : watched);
  ratios.push(pair % 2 ? second / first : first / second);
}
for (const child of [plain, watched]) {
  const ended = once(child, "exit");
  child.send("end");
  const [exitCode] = await ended;
  if (exitCode !== 0) throw new Error(`a program ended with ${exitCode}`);
}
rmSync(folder, { recursive: true });
report({ "watched.cost": median(ratios) });
