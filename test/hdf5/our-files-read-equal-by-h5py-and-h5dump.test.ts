import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { run, tempDir } from "../support/index.ts";
import { h5dump, python } from "../support/ranks.ts";
import { writeEverything } from "./h5py/write.ts";

describe("a file of every kind of data that girona wrote", () => {
  const folder = tempDir();
  const path = writeEverything(folder);

  it("is read by h5py as it was meant", async () => {
    const { stdout, stderr, exitCode } = await run([python, "test/hdf5/h5py/check.py", path]);
    expect(stderr).toBe("");
    expect(stdout.trim()).toBe("");
    expect(exitCode).toBe(0);
  });

  it("is read by h5dump to its end", async () => {
    const { stdout, stderr, exitCode } = await run([h5dump, path]);
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/DATASET "big-i2"[\s\S]*H5T_STD_I16BE[\s\S]*\(0,0\): 0, 1, 100,\s*\(1,0\): 3, 4, 5/);
  });

  it("is the same again, byte for byte, when written again", () => {
    const again = writeEverything(tempDir());
    expect(readFileSync(again).equals(readFileSync(path))).toBe(true);
  });
});
