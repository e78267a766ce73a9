import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { childrenOf } from "../engine/contract/open.ts";
import { type Running, run, start, tempDir, waitFor } from "../support/index.ts";
import { left, processesOf, program } from "./support/index.ts";

let directory = "";
let memoryFiles: readonly string[] = [];
beforeEach(() => {
  directory = tempDir();
  memoryFiles = readdirSync("/dev/shm");
});

async function holding(): Promise<Running> {
  const running = start(["node", program("holds-everything"), join(directory, "place")], {
    env: { TMPDIR: directory },
    timeoutMs: 60_000,
  });
  await running.matches(/holding/);
  // The program, its reaper, three workers, and the sleeps with their shells.
  await waitFor("all that it starts", () => commands().filter((line) => line.startsWith("sleep ")).length === 5);
  expect(commands().filter((line) => line.includes("girona-reaper")).length).toBe(1);
  return running;
}

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
};
const commands = (): string[] => processesOf(directory).map(commandOf);

async function nothingLeft(): Promise<void> {
  await waitFor("all of it to be gone", () => left(directory).length === 0).catch((error: Error) => {
    throw new Error(`${error.message}; there is still:\n${left(directory).join("\n")}`);
  });
  expect(left(directory)).toEqual([]);
  expect(readdirSync("/dev/shm")).toEqual(memoryFiles);
}

test("nothing is left of a program that is killed", async () => {
  const running = await holding();
  running.kill("SIGKILL");
  expect((await running.finished).signal).toBe("SIGKILL");
  await nothingLeft();
});

test("nothing is left of a program whose memory the kernel dumps", async () => {
  const running = await holding();
  running.kill("SIGSEGV");
  expect((await running.finished).signal).toBe("SIGSEGV");
  await nothingLeft();
});

test("nothing is left of a program that is killed while its workers start", async () => {
  const running = start(["node", program("holds-everything"), join(directory, "place")], {
    env: { TMPDIR: directory },
  });
  // Neither has said that it is there.
  await waitFor(
    "two workers",
    () => childrenOf(running.pid).filter((pid) => /worker/.test(commandOf(pid))).length >= 2,
  );
  running.kill("SIGKILL");
  expect((await running.finished).signal).toBe("SIGKILL");
  await nothingLeft();
});

test("nothing is left of a program that is killed while its workers are stopped", async () => {
  const running = await holding();
  for (const pid of childrenOf(running.pid)) process.kill(pid, "SIGSTOP");
  running.kill("SIGKILL");
  await running.finished;
  for (const pid of processesOf(directory)) if (commandOf(pid).includes("girona-reaper")) process.kill(pid, "SIGCONT");
  await nothingLeft();
});

test("what is left when everything is killed at once is swept by the next program", async () => {
  const running = await holding();
  // The reaper first: it acts as soon as the driver is gone.
  const isReaper = (pid: number) => commandOf(pid).includes("girona-reaper");
  for (const pid of processesOf(directory).sort((a, b) => Number(isReaper(b)) - Number(isReaper(a)))) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The death of another has ended it.
    }
  }
  await running.finished;
  await waitFor("all processes to be gone", () => processesOf(directory).length === 0);
  const own = join(directory, `girona-${process.getuid!()}`);
  expect(readdirSync(own)).toEqual([String(running.pid)]);
  const next = await run(["node", "test/engine/programs/ends.mjs", "closed", join(directory, "next")], {
    env: { TMPDIR: directory },
  });
  expect(next.exitCode).toBe(0);
  expect(existsSync(join(own, String(running.pid)))).toBe(false);
  await nothingLeft();
});
