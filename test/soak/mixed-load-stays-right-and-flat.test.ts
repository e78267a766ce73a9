import { expect, test } from "vitest";
import { full, left } from "../faults/support/index.ts";
import { run, tempDir } from "../support/index.ts";

interface Process {
  readonly files: number;
  readonly residentMiB: number;
}
interface State {
  readonly driver: Process;
  readonly workers: readonly Process[];
  readonly objectBytes: number;
  readonly queued: number;
}
interface Outcome {
  readonly wrong: readonly string[];
  readonly done: Readonly<Record<string, number>>;
  readonly lost: number;
  readonly warm: State;
  readonly end: State;
}

const seconds = full ? 600 : 15;
const most = (processes: readonly Process[], of: keyof Process): number => Math.max(...processes.map((one) => one[of]));

test("mixed load stays right, and memory and files stay flat", { timeout: (seconds + 90) * 1000 }, async () => {
  // `GIRONA_SEED=…` draws the same operations again; what runs at the same time is the machine's.
  const seed = Number(process.env["GIRONA_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
  const again = `GIRONA_SEED=${seed}`;
  const directory = tempDir();
  const { stdout, stderr, exitCode, signal } = await run(
    ["node", "--expose-gc", "test/soak/programs/load.mjs", String(seed), String(seconds)],
    { env: { TMPDIR: directory }, timeoutMs: (seconds + 80) * 1000 },
  );
  expect([exitCode, signal], `${again}\n${stderr}`).toEqual([0, null]);
  const { wrong, done, lost, warm, end } = JSON.parse(stdout) as Outcome;
  console.log(again, JSON.stringify({ done, lost, warm, end }));
  expect(wrong, again).toEqual([]);
  // Every kind of operation was done, and workers were lost on the way.
  expect(Object.keys(done).length, again).toBe(15);
  expect(lost, again).toBeGreaterThan(0);
  expect(stderr, again).not.toMatch(/Error|nobody fetched|Warning/);

  expect([warm.queued, end.queued], again).toEqual([0, 0]);
  expect(end.objectBytes, again).toBeLessThanOrEqual(4 * 2 ** 20);
  // A descriptor or two are those of a worker that has just been replaced.
  const perWorker = 6;
  const workers = end.workers.length - warm.workers.length;
  expect(end.driver.files, again).toBeLessThanOrEqual(warm.driver.files + Math.max(0, workers) * perWorker + 8);
  expect(most(end.workers, "files"), again).toBeLessThanOrEqual(most(warm.workers, "files") + 8);
  // V8 grows its heap in steps; a leak of what the load moves would be hundreds of megabytes.
  expect(end.driver.residentMiB, again).toBeLessThanOrEqual(warm.driver.residentMiB * 1.25 + 64);
  expect(most(end.workers, "residentMiB"), again).toBeLessThanOrEqual(most(warm.workers, "residentMiB") * 1.25 + 96);
  expect(left(directory), again).toEqual([]);
});
