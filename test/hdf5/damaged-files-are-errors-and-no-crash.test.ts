import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { File, isHdf5 } from "../../src/hdf5/index.ts";
import { tempDir } from "../support/index.ts";
import { runAlone } from "../support/ranks.ts";
import { writeEverything } from "./h5py/write.ts";

/** Without the virtual dataset and the named type: HDF5 1.10 itself crashes on some damage to those, as h5py does with it. */
function source(): string {
  const folder = tempDir();
  const path = join(folder, "source.h5");
  using all = new File(writeEverything(folder));
  using copy = new File(path, "w");
  for (const name of all.keys()) {
    if (!["virtual", "external", "soft", "type"].includes(name)) copy.copy(all.get(name), name);
  }
  return path;
}

const read = async (kind: string, from: number, to: number) => {
  const args = [source(), tempDir(), kind, String(from), String(to)];
  const { exitCode, signal, stdout, stderr } = await runAlone("test/hdf5/programs/damaged.ts", {
    args,
    addons: ["hdf5"],
  });
  expect({ exitCode, signal, stderr }).toEqual({ exitCode: 0, signal: null, stderr: "" });
  return stdout
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[1]);
};

describe("a damaged file", () => {
  it("is refused when it is cut off at any sixteenth of its length", async () => {
    const outcomes = await read("truncated", 0, 16);
    expect(outcomes).toEqual(new Array(16).fill("refused"));
  });

  it("gives data or errors when bits of it are flipped, and never ends the process", async () => {
    const many = process.env["GIRONA_FULL"] === "1" ? 118 : 60;
    const outcomes = await read("flipped", 0, many);
    expect(outcomes).toHaveLength(many);
    expect(outcomes.every((one) => ["read", "errors", "refused"].includes(one!))).toBe(true);
    expect(outcomes).toContain("errors");
  });

  it("says why, when it is no HDF5 file, empty, or a folder", () => {
    const folder = tempDir();
    const path = join(folder, "text.h5");
    writeFileSync(path, "not HDF5, but long enough to be looked at\n".repeat(100));
    expect(isHdf5(path)).toBe(false);
    expect(() => new File(path)).toThrow(/cannot open .*text\.h5: file signature not found\. It is not an HDF5 file/);
    writeFileSync(path, "");
    expect(() => new File(path)).toThrow(/cannot open .*text\.h5: /);
    expect(() => new File(folder)).toThrow(/cannot open /);
  });
});
