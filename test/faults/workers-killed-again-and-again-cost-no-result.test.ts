import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { cluster, distribute, get } from "girona";
import { expect, test } from "vitest";
import { blockUntil, sign } from "../engine/contract/gate.ts";
import { alive, directoryOf } from "../engine/contract/open.ts";
import { tempDir, waitFor } from "../support/index.ts";
import { engineOf, full, listen } from "./support/index.ts";

/** Half of them hit a task that waits for nothing else, the other half whatever runs. */
const kills = full ? 100 : 20;
const tasks = full ? 6000 : 1000;

function spin(rounds: number, seed: number): number {
  let x = seed;
  for (let i = 0; i < rounds; i++) x = (x * 1664525 + 1013904223) % 4294967296;
  return x;
}

/** Small and large results, quick and slow tasks: nothing to several milliseconds. */
function work(i: number): number | { readonly list: number[] } | Float64Array {
  if (i % 50 === 3) return new Float64Array(20_000).fill(spin(100, i));
  if (i % 7 === 2) return { list: [i, spin(200_000, i)] };
  return spin(i % 5 === 0 ? 20_000 : 10, i);
}

/** `toEqual` looks at each number of an array by itself, and there are millions. */
function same(got: readonly unknown[], expected: readonly unknown[]): void {
  expect(got.length).toBe(expected.length);
  expect(got.flatMap((value, i) => (isDeepStrictEqual(value, expected[i]) ? [] : [i]))).toEqual([]);
}

test("workers killed again and again cost no result", { timeout: full ? 600_000 : 60_000 }, async () => {
  const directory = tempDir();
  const session = await cluster({ workers: 2, dashboard: false });
  const pids: number[] = [];
  try {
    const heard = listen(session);
    const lost = (): number => heard("worker.lost").filter(({ signal }) => signal === "SIGKILL").length;
    const remote = distribute(work, { retries: 1000 });
    const nested = distribute(async (i: number) => [i, await get(remote(i))] as const, { retries: 1000 });
    /** The first run holds until it is killed. */
    const held = distribute(
      (place: string, value: number) => {
        if (existsSync(place)) return value * 2;
        sign(place);
        blockUntil(`${place}.never`);
        return -1;
      },
      { name: "held", retries: 1000 },
    );

    const refs = Array.from({ length: tasks }, (_, i) => remote(i));
    const nestedRefs = Array.from({ length: tasks / 40 }, (_, i) => nested(i));
    const mapped = remote.map(Array.from({ length: tasks }, (_, i) => i));

    const places = Array.from({ length: kills / 2 }, (_, i) => join(directory, String(i)));
    const heldRefs = places.map((place, i) => held(place, i));
    const waiting = new Set(places);
    while (waiting.size > 0) {
      // In whatever order they come to run: what was sent ahead to a worker that is killed goes back.
      const place = await waitFor("one to run", () => places.find((one) => waiting.has(one) && existsSync(one)), {
        timeoutMs: 60_000,
      });
      waiting.delete(place);
      const before = lost();
      const pid = Number(readFileSync(place, "utf8"));
      process.kill(pid, "SIGKILL");
      await waitFor(`the loss of ${pid} to be told`, () => lost() > before, { timeoutMs: 60_000 });
    }
    // More of the same, so that there is something to hit.
    const later: (typeof refs)[] = [];
    for (let i = 0; i < kills / 2; i++) {
      later.push(Array.from({ length: 100 }, (_, at) => remote(at)));
      const busy = await waitFor(
        "a busy worker",
        () =>
          engineOf(session)
            .snapshot()
            .workers.filter(({ state }) => state === "busy")
            .at(i % 2),
        { timeoutMs: 60_000 },
      );
      const before = lost();
      process.kill(busy.pid, "SIGKILL");
      await waitFor(`the loss of ${busy.pid} to be told`, () => lost() > before, { timeoutMs: 60_000 });
    }

    const expected = Array.from({ length: tasks }, (_, i) => work(i));
    same(await get(refs), expected);
    same(await get(mapped), expected);
    same(
      await get(nestedRefs),
      expected.slice(0, tasks / 40).map((value, i) => [i, value]),
    );
    expect(await get(heldRefs)).toEqual(places.map((_, i) => i * 2));
    for (const some of later) same(await get(some), expected.slice(0, 100));

    expect(lost()).toBe(kills);
    const retried = heard("task.retried");
    expect(retried.length).toBeGreaterThanOrEqual(kills / 2);
    // Once each for the first half; the second half may have hit some of them again.
    expect(retried.filter(({ task, attempts }) => task === "held" && attempts === 1).length).toBe(kills / 2);
    for (const { why, task, attempts } of retried) {
      // What a killed task had submitted is cancelled with it, which may end a worker that runs others as well: at no cost to them.
      if (/ was stopped because .* on the same worker was cancelled/.test(why)) continue;
      // A result may name memory that went with the process before it was read.
      expect(why).toMatch(
        /^worker-\d+ was lost while it ran .*(?:SIGKILL|could not be read \(ENOENT.*\/proc\/\d+\/fd)/,
      );
      expect(why).not.toMatch(/\b0th/);
      if (task === "held") expect(attempts).toBeGreaterThanOrEqual(1);
    }
    pids.push(...heard("worker.started").map(({ pid }) => pid));
    expect(pids.length).toBeGreaterThanOrEqual(kills);
  } finally {
    await session.close();
  }
  expect(pids.filter(alive)).toEqual([]);
  expect(existsSync(directoryOf(process.pid, tmpdir()))).toBe(false);
});
