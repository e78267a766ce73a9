import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { File } from "../../src/hdf5/index.ts";
import { tempDir } from "../support/index.ts";
import { mpirun, needsMpi, runAlone } from "../support/ranks.ts";

const addons = ["mpi", "hdf5", "hdf5-mpi"] as const;

describe("the simulation of heat", () => {
  beforeEach(() => needsMpi());

  it("gives on any number of ranks what one rank gives, and what the formula says", async () => {
    const folder = tempDir();
    const input = join(folder, "data.h5");
    const made = await runAlone("examples/simulation/make-data.ts", { args: [input, "23", "17", "40"], addons });
    expect(made.exitCode, made.stderr).toBe(0);
    const results = async (ranks: number) => {
      const output = join(folder, `results-${ranks}.h5`);
      const { exitCode, stderr, stdout } = await mpirun(ranks, "examples/simulation/simulation.ts", {
        args: ["--input", input, "--output", output],
        addons,
      });
      expect(exitCode, stderr).toBe(0);
      expect(stdout).toMatch(new RegExp(`40 steps of 23 x 17 on ${ranks} ranks`));
      using file = new File(output);
      return { frames: file.dataset("temperature").read(), means: file.dataset("mean").read().data };
    };
    const [alone, many] = [await results(1), await results(4)];
    expect(many).toEqual(alone);
    expect(alone.frames.shape).toEqual([11, 23, 17]);
    expect(alone.frames.data.subarray(10 * 23 * 17)).toEqual(serial(input, 40));
  });
});

function serial(input: string, steps: number): Float64Array {
  using file = new File(input);
  let { data, shape } = file.dataset("temperature").read();
  const [rows, columns] = shape as [number, number];
  for (let step = 0; step < steps; step++) {
    const next = data.slice();
    for (let i = 1; i < rows - 1; i++)
      for (let j = 1; j < columns - 1; j++) {
        const at = i * columns + j;
        next[at] = (data[at - 1]! + data[at + 1]! + data[at - columns]! + data[at + columns]!) / 4;
      }
    data = next;
  }
  return data;
}
