import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { File } from "../../src/hdf5/index.ts";
import { tempDir, waitFor } from "../support/index.ts";
import { mpirun, needsMpi, runAlone, startRanks } from "../support/ranks.ts";

const addons = ["mpi", "hdf5", "hdf5-mpi"] as const;
const program = "test/hdf5/programs/unclosed.ts";
const firstColumn = (path: string) => {
  using file = new File(path);
  return file.dataset("data").read([null, 0]).data;
};

describe("a file that is open when the program ends", () => {
  beforeEach(() => needsMpi());

  it("is closed for one process, after an uncaught error too", async () => {
    const path = join(tempDir(), "left.h5");
    expect((await runAlone(program, { args: ["serial", path], addons })).exitCode).toBe(0);
    expect(firstColumn(path)).toEqual(Float64Array.of(1, 0, 0, 0));
    const thrown = await runAlone(program, { args: ["throw", path], addons });
    expect(thrown.exitCode).not.toBe(0);
    expect(thrown.stderr).toMatch(/a mistake of the program/);
    expect(firstColumn(path)).toEqual(Float64Array.of(1, 0, 0, 0));
  });

  it.each(["end", "exit"])("is closed for all ranks before MPI ends, by %s", async (how) => {
    const path = join(tempDir(), "left.h5");
    const { exitCode } = await mpirun(2, program, { args: [how, path], addons });
    expect(exitCode).toBe(how === "exit" ? 3 : 0);
    expect(firstColumn(path)).toEqual(Float64Array.of(1, 2, 0, 0));
  });

  it("keeps what was flushed when a rank is killed, or says that it is damaged", async () => {
    const path = join(tempDir(), "killed.h5");
    const ranks = await startRanks(2, "test/hdf5/programs/killed.ts", { args: [path], addons });
    const [, pid] = await ranks.matches(/pid (\d+)/);
    process.kill(Number(pid), "SIGKILL");
    const { exitCode } = await ranks.finished;
    expect(exitCode).not.toBe(0);
    await waitFor("the ranks to be gone", () => !isAlive(Number(pid)));
    // The metadata of the file may be of any moment: either it opens and has what was flushed, or the error says what it is.
    let outcome: string;
    try {
      using file = new File(path);
      outcome = String(file.dataset("before").read().data);
    } catch (error) {
      outcome = (error as Error).message;
    }
    expect(outcome).toMatch(/^1,2$|^cannot (open|read) .*killed\.h5/);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
