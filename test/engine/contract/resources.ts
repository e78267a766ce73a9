/** What tasks and actors ask for: never more in use than there is, nobody starves, and the impossible is told at the call. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { distribute, get, kill, wait } from "girona";
import { beforeEach, describe, expect, test } from "vitest";
import { tempDir, waitFor } from "../../support/index.ts";
import { blockUntil, sign } from "./gate.ts";
import { type Open, pidIn, shared, thrown } from "./open.ts";

/** Counts how many run at the same time, by files: the highest count it saw. */
const crowd = distribute((directory: string, name: string) => {
  const { mkdirSync, readdirSync, rmdirSync } = process.getBuiltinModule("node:fs");
  mkdirSync(`${directory}/${name}`);
  let most = 0;
  for (let i = 0; i < 20; i++) most = Math.max(most, readdirSync(directory).length);
  rmdirSync(`${directory}/${name}`);
  return most;
});

class Holder {
  pid(): number {
    return process.pid;
  }
}

export function resources(open: Open): void {
  describe("resources", () => {
    shared(open, { gpus: 1, resources: { licence: 2 } });
    let directory = "";
    beforeEach(() => {
      directory = tempDir();
    });
    const file = (name: string): string => join(directory, name);
    const hold = distribute((place: string, gate: string) => {
      sign(place);
      blockUntil(gate);
    });

    test("a task of two cores on two workers runs alone", async () => {
      const wide = crowd.options({ cpus: 2 });
      const refs = Array.from({ length: 24 }, (_, i) => (i % 4 === 0 ? wide : crowd)(directory, `t${i}`));
      const most = await get(refs);
      for (let i = 0; i < 24; i += 4) expect(most[i]).toBe(1);
      expect(Math.max(...most)).toBeLessThanOrEqual(2);
    });

    test("one gpu lets one task at a time use it", async () => {
      const onGpu = crowd.options({ gpus: 1 });
      const most = await get(Array.from({ length: 10 }, (_, i) => onGpu(directory, `t${i}`)));
      expect(Math.max(...most)).toBe(1);
    });

    test("named resources limit what runs, and a core alone does not", async () => {
      const licensed = crowd.options({ cpus: 0.1, resources: { licence: 1 } });
      const most = await get(Array.from({ length: 12 }, (_, i) => licensed(directory, `t${i}`)));
      expect(Math.max(...most)).toBeLessThanOrEqual(2);
      const greedy = crowd.options({ resources: { licence: 2 } });
      expect(Math.max(...(await get(Array.from({ length: 6 }, (_, i) => greedy(directory, `u${i}`)))))).toBe(1);
    });

    test("tasks of half a core run four at a time on two workers", async () => {
      const half = hold.options({ cpus: 0.5 });
      const names = ["a", "b", "c", "d"];
      const refs = names.map((name) => half(file(name), file("go")));
      const pids = await Promise.all(names.map((name) => pidIn(file(name))));
      expect(new Set(pids).size).toBe(4);
      const fifth = half(file("e"), file("go"));
      const { pending } = await wait([fifth], { timeout: "50ms" });
      expect(pending.length).toBe(1);
      writeFileSync(file("go"), "");
      await get([...refs, fifth]);
    });

    test("a task of two cores is not starved by a stream of small ones", async () => {
      const small = distribute((x: number) => {
        for (const end = performance.now() + 1; performance.now() < end; );
        return x;
      });
      let going = true;
      const stream = (async () => {
        let sent = 0;
        while (going) {
          await get([small(sent++), small(sent++), small(sent++)]);
        }
        return sent;
      })();
      const second = (async () => {
        while (going) await get([small(0), small(1)]);
      })();
      await get(small(0));
      const wide = distribute(() => "wide", { cpus: 2 });
      expect(await get(wide(), { timeout: "20s" })).toBe("wide");
      going = false;
      expect(await stream).toBeGreaterThan(0);
      await second;
    });

    test("a task that waits for a gpu holds up none that wants none", async () => {
      const gpu = hold.options({ gpus: 1 });
      const holding = gpu(file("a"), file("go"));
      await pidIn(file("a"));
      const waiting = gpu(file("b"), file("go"));
      const square = distribute((x: number) => x * x);
      const quick = get(square(3), { timeout: "5s" });
      const outcome = await quick.catch((error: Error) => error.message);
      writeFileSync(file("go"), "");
      await get([holding, waiting]);
      expect(outcome).toBe(9);
    });

    test("what can never run is told at the call", () => {
      expect(thrown(() => crowd.options({ cpus: 3 })("", ""), "Usage").message).toMatch(/asks for 3 cpus/);
      expect(thrown(() => crowd.options({ gpus: 2 })("", ""), "Usage").message).toMatch(/asks for 2 gpus/);
      expect(thrown(() => crowd.options({ memory: "1000000TB" })("", ""), "Usage").message).toMatch(/memory/);
      expect(thrown(() => crowd.options({ resources: { licence: 3 } })("", ""), "Usage").message).toMatch(/licence/);
      expect(thrown(() => crowd.options({ resources: { licens: 1 } })("", ""), "Usage").message).toMatch(/licens/);
      expect(thrown(() => crowd.options({ cpus: -1 }), "Usage").parameter).toBe("cpus");
      expect(thrown(() => crowd.options({ gpus: Number.NaN }), "Usage").parameter).toBe("gpus");
      const Wide = distribute(Holder, { gpus: 2 });
      expect(thrown(() => new Wide(), "Usage").message).toMatch(/gpus/);
    });

    test("an actor keeps what it asked for until it ends, and those who wait for it come one by one", async () => {
      const OnGpu = distribute(Holder, { gpus: 1 });
      const holders = [new OnGpu(), new OnGpu(), new OnGpu(), new OnGpu()];
      const refs = holders.map((holder) => holder.pid());
      for (const [i, holder] of holders.entries()) {
        await get(refs[i]!);
        const { ready } = await wait(refs, { count: 4, timeout: "20ms" });
        expect(ready.length).toBe(i + 1);
        await kill(holder);
      }
      expect(await get(distribute(() => 1, { gpus: 1 })())).toBe(1);
    });

    test("a task and an actor share a gpu in turn", async () => {
      const OnGpu = distribute(Holder, { gpus: 1 });
      const gpu = hold.options({ gpus: 1 });
      const holding = gpu(file("a"), file("go"));
      await pidIn(file("a"));
      const holder = new OnGpu();
      const pid = holder.pid();
      const { pending } = await wait([pid], { timeout: "50ms" });
      expect(pending.length).toBe(1);
      writeFileSync(file("go"), "");
      await get(holding);
      expect(await get(pid, { timeout: "10s" })).toBeGreaterThan(0);
      await kill(holder);
    });

    test("a killed worker gives back what its task had taken", async () => {
      const gpu = hold.options({ gpus: 1, retries: 0 });
      const ref = gpu(file("a"), file("never"));
      process.kill(await pidIn(file("a")), "SIGKILL");
      await expect(get(ref)).rejects.toThrow(/SIGKILL/);
      await waitFor("another task on the gpu", () => get(distribute(() => true, { gpus: 1 })()));
    });
  });
}
