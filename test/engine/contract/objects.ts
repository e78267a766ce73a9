/** Stored objects: written once, read by many, gone when nobody holds them, and on disk when they are too many. */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { distribute, get, put } from "girona";
import { beforeAll, describe, expect, test } from "vitest";
import { run, tempDir } from "../../support/index.ts";
import { type Open, shared } from "./open.ts";

const program = (name: string): string => `test/engine/programs/${name}.mjs`;
type Counts = readonly number[];

export function objects(open: Open): void {
  describe("stored objects", () => {
    describe("in one session", () => {
      shared(open);

      test("are stored once and read by many tasks", async () => {
        const data = await put(Float64Array.from({ length: 500_000 }, (_, i) => i));
        const part = distribute((all: Float64Array, from: number, to: number) => {
          let sum = 0;
          for (let i = from; i < to; i++) sum += all[i]!;
          return sum;
        });
        const sums = await get(Array.from({ length: 50 }, (_, i) => part(data, i * 10_000, (i + 1) * 10_000)));
        expect(sums.reduce((a, b) => a + b, 0)).toBe((500_000 * 499_999) / 2);
      });

      test("are told apart from refs", async () => {
        await expect(put((await put(1)) as never)).rejects.toThrow(/Ref was given/);
      });

      test("of every size around the limit come back whole", async () => {
        for (const length of [0, 1, 65_535, 65_536, 65_537, 3_000_001]) {
          const bytes = new Uint8Array(length).fill(7);
          const back = await get(await put(bytes));
          expect(Buffer.compare(bytes, back)).toBe(0);
        }
      });
    });

    test("are closed when their refs are dropped, in the driver and in the workers", async () => {
      const { stdout, exitCode, stderr } = await run(["node", "--expose-gc", program("drops")]);
      expect(stderr).toBe("");
      expect(exitCode).toBe(0);
      const { before, during, after } = JSON.parse(stdout) as { before: Counts; during: Counts; after: Counts };
      expect(during[0]).toBeGreaterThanOrEqual(before[0]! + 20);
      for (const [i, files] of after.entries()) expect(files).toBeLessThanOrEqual(before[i]! + 1);
    });

    test("and actors live as long as somebody has a handle, whoever that is", async () => {
      const { stdout, stderr, exitCode } = await run([
        "node",
        "--expose-gc",
        program("holds"),
        join(tempDir(), "place"),
      ]);
      expect([stderr, exitCode]).toEqual(["", 0]);
      expect(JSON.parse(stdout)).toEqual({
        actorInTask: 5,
        runningCall: 0,
        handedBack: 2,
        actorInBox: 7,
        refInBox: [9, 100_000],
        refInResult: [64, 80_000],
        refInBody: 100_000,
        refInBodyAgain: 100_000,
        chain: 256,
        endsUnheld: true,
      });
    });

    test("beyond objectMemory go to files and come back, and nothing is left of them", async () => {
      const directory = tempDir();
      const { stdout, stderr, exitCode } = await run(["node", program("spills")], { env: { TMPDIR: directory } });
      expect(stderr).toBe("");
      expect(exitCode).toBe(0);
      const outcome = JSON.parse(stdout) as { memory: number; sums: number[]; same: boolean; left: boolean };
      expect(outcome.sums).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]);
      expect(outcome.same).toBe(true);
      expect(outcome.left).toBe(false);
      // One array more than allowed may be on its way.
      expect(outcome.memory).toBeLessThanOrEqual(13 * 2 ** 20);
      expect(leftIn(directory)).toEqual([]);
    });

    describe("under a TMPDIR of two hundred characters", () => {
      let directory = "";
      beforeAll(() => {
        directory = join(tempDir(), "x".repeat(150));
        directory = join(directory, "y".repeat(Math.max(1, 200 - directory.length - 1)));
        mkdirSync(directory, { recursive: true });
      });

      test("all works", async () => {
        expect(directory.length).toBeGreaterThanOrEqual(200);
        const { stdout, exitCode } = await run(["node", program("spills")], { env: { TMPDIR: directory } });
        expect(exitCode).toBe(0);
        expect(JSON.parse(stdout).same).toBe(true);
        expect(leftIn(directory)).toEqual([]);
      });
    });
  });
}

/** What sessions left in a temporary directory. */
function leftIn(directory: string): string[] {
  const own = join(directory, `girona-${process.getuid!()}`);
  return existsSync(own) ? readdirSync(own) : [];
}
