import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run, tempDir } from "../support/index.ts";
import { h5dump, python, runAlone } from "../support/ranks.ts";

const program = "test/hdf5/programs/wasm.ts";

describe("without a build for HDF5", () => {
  it("h5wasm reads and writes through the same classes, and refuses what it cannot", async () => {
    const folder = tempDir();
    const made = join(folder, "h5py.h5");
    expect((await run([python, "test/hdf5/h5py/make.py", made])).stderr).toBe("");
    // An empty cache: no build is found, which is said once.
    const { stdout, stderr, exitCode } = await runAlone(program, {
      args: [folder, made],
      addons: [],
      env: { GIRONA_CACHE: join(folder, "cache") },
    });
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toMatch(
      /^girona\/hdf5: there is no build for the HDF5 .* h5wasm serves: .*npx girona build hdf5\n$/,
    );
    const { backend, library, read, refusals, data } = JSON.parse(stdout);
    expect([backend, library]).toEqual(["wasm", "h5wasm 0.10.3"]);
    expect(read).toEqual({
      keys: ["a", "grows", "soft", "texts"],
      x: { dtype: "f8", shape: [2, 3], data: [0, 2, -2, 15, 17, -4] },
      attributes: [
        ["counts", [1, 2]],
        ["names", ["a", "bb"]],
        ["unit", "m/s"],
      ],
      texts: ["ab", "abc"],
      grows: [[5], [null]],
    });
    const native = /^UsageError: .*h5wasm.*(npx girona build hdf5|does not convert)/;
    for (const what of ["core", "big-endian", "shuffle", "fill value", "bool", "delete", "too large", "conversion"])
      expect([what, refusals[what]]).toEqual([what, expect.stringMatching(native)]);
    expect(refusals["big-endian record"]).toMatch(/^UsageError: .*big-endian/);
    expect(refusals["wrong length"]).toMatch(/^UsageError: values: 3 were given/);
    expect(refusals["no such file"]).toMatch(/^Hdf5Error: cannot open .*nothing\.h5: .*No such file/);
    expect(refusals["no HDF5"]).toMatch(/^Hdf5Error: cannot open .*: file signature not found/);

    const expected = JSON.parse(readFileSync(`${made}.json`, "utf8"));
    for (const [name, values] of Object.entries(data)) {
      const wanted = (expected[name].data as unknown[]).map((one) => (one === "Infinity" ? null : one));
      expect([name, values]).toEqual([name, wanted]);
    }
    expect(Object.keys(data)).toHaveLength(29);
    expect((await run([h5dump, join(folder, "wasm.h5")])).exitCode).toBe(0);
  });
});
