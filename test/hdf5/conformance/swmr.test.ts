/** One process writes, others read (SWMR): with h5py as the other process, both ways. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { needs, tempDir } from "../../support/index.ts";
import { needsMpi, python } from "../../support/ranks.ts";
import { loadEnvironment } from "./support.ts";

await loadEnvironment("native");
const { File } = await import("../../../src/hdf5/index.ts");

const folder = tempDir();
const path = join(folder, "swmr.h5");
let child: ChildProcessWithoutNullStreams;
let answers: AsyncIterator<string>;

/** What h5py answers, in its process. */
async function h5py(...call: unknown[]): Promise<unknown> {
  child.stdin.write(`${JSON.stringify(call)}\n`);
  const { value } = await answers.next();
  const { answer, error } = JSON.parse(value as string) as { answer?: unknown; error?: string };
  return error === undefined ? answer : `refused: ${error}`;
}

beforeAll(() => {
  child = spawn(python, ["test/hdf5/conformance/fixtures/swmr.py", path]);
  answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
});
afterAll(() => void child.kill());
beforeEach(() => {
  needsMpi();
  needs("needs python with h5py: make test, or bash scripts/setup-mpi.sh", child.exitCode === null);
});

describe("a file that h5py writes", () => {
  it("is read meanwhile, and refresh sees what has come", async () => {
    expect(await h5py("create")).toBe(true);
    await h5py("append", 1, 2, 3);
    using file = new File(path, "r", { swmr: true });
    const data = file.dataset("x", "i4");
    expect([file.swmr, data.shape, [...data.read().data]]).toEqual([true, [3], [1, 2, 3]]);
    await h5py("append", 4, 5, 6, 7, 8);
    data.refresh();
    expect([data.shape, [...data.read().data]]).toEqual([[8], [1, 2, 3, 4, 5, 6, 7, 8]]);
    expect([...data.read([{ start: 3, end: 5 }]).data]).toEqual([4, 5]);
    await h5py("close");
  });

  it("is not opened for writing meanwhile", async () => {
    await h5py("create");
    expect(() => new File(path, "r+")).toThrow(expect.objectContaining({ code: "Hdf5" }));
    expect(await h5py("close")).toBe(true);
  });
});

describe("a file that girona writes", () => {
  it("is read by h5py meanwhile, with what was flushed", async () => {
    using file = new File(path, "w", { format: "latest" });
    const data = file.createDataset("x", { shape: [0], dtype: "i4", maxShape: [null], chunks: [4] });
    expect(file.swmr).toBe(false);
    file.startSwmr();
    expect([file.swmr, data.file.swmr]).toEqual([true, true]);
    expect(await h5py("read")).toEqual([]);
    for (const until of [3, 8]) {
      data.resize([until]);
      data.write(Int32Array.from({ length: until }, (_, i) => i));
      data.flush();
      expect(await h5py("read")).toEqual(Array.from({ length: until }, (_, i) => i));
    }
    await h5py("close");
    expect(data.size).toBe(8);
  });

  it("keeps its mode, and takes no new names while others may read", () => {
    using file = new File(path, "w", { format: "latest" });
    file.createGroup("g");
    file.startSwmr();
    expect(file.mode).toBe("r+");
    expect(() => file.startSwmr()).toThrow(expect.objectContaining({ code: "Hdf5" }));
  });

  it("needs the latest format to let others read", () => {
    using file = new File(path, "w");
    expect(() => file.startSwmr()).toThrow(/latest|superblock|version/i);
    expect(file.swmr).toBe(false);
  });

  it("is opened with swmr for reading alone", () => {
    expect(() => new File(path, "w", { swmr: true })).toThrow(/swmr/);
    expect(() => new File(path, "r+", { swmr: true })).toThrow(/swmr/);
  });
});
