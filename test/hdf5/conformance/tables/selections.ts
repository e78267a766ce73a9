/** Selections: what numpy gives, for reading and for writing; and what is refused. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Selection } from "../../../../src/hdf5/index.ts";
import { type Bench, table } from "../behaviour.ts";

interface Case {
  name: string;
  shape: number[];
  selection: Selection;
  result: { shape: number[]; data: number[] };
}

// From the project's folder, which is the current one of tests and of their ranks.
const fixture = resolve("test/hdf5/conformance/fixtures/selections.json");
const cases = JSON.parse(readFileSync(fixture, "utf8")) as Case[];

const ramp = (shape: readonly number[]) => Int32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i);

/** The dataset that cases are about, once as one block and once in small chunks. */
function both(bench: Bench, shape: readonly number[]) {
  const file = bench.create();
  const plain = file.createDataset("plain", { shape, dtype: "i4" });
  const chunks = shape.map((length) => Math.max(1, Math.min(3, length)));
  const grows = shape.map(() => null);
  const chunked = file.createDataset(
    "chunked",
    shape.length ? { shape, dtype: "i4", chunks, maxShape: grows } : { shape, dtype: "i4" },
  );
  for (const data of [plain, chunked]) data.write(ramp(shape));
  return [plain, chunked];
}

export const selections = table("selections", (behaviour) => {
  for (const { name, shape, selection, result } of cases) {
    behaviour(`${name}: reads what numpy gives, writes there and nowhere else`, (bench) => {
      for (const data of both(bench, shape)) {
        const read = data.read(selection);
        bench.same(read, { dtype: "i4", shape: result.shape, data: Int32Array.from(result.data) });
        const into = new Int32Array(result.data.length);
        data.read(selection, { into });
        bench.same(into, read.data);

        // The result holds the places that are selected, so what a write has to leave is known.
        data.write(
          Int32Array.from(result.data, (at) => -at - 1),
          selection,
        );
        const expected = ramp(shape);
        for (const at of result.data) expected[at] = -at - 1;
        bench.same(data.read().data, expected);
      }
    });
  }

  const refused: [name: string, shape: number[], selection: unknown, words: RegExp][] = [
    ["an index beyond the end", [10], [10], /10/],
    ["a negative index beyond the start", [10], [-11], /-11/],
    ["an index that is no whole number", [10], [1.5], /1\.5/],
    ["an index that is NaN", [10], [NaN], /NaN/],
    ["a range beyond the end", [10], [{ start: 5, end: 11 }], /11.*10|10.*11/],
    ["a range before the start", [10], [{ start: -1, end: 5 }], /-1/],
    ["a range that runs backwards", [10], [{ start: 5, end: 4 }], /5.*4/],
    ["a step of zero", [10], [{ start: 0, end: 10, step: 0 }], /step/],
    ["a step backwards", [10], [{ start: 0, end: 10, step: -1 }], /step/],
    ["a range without an end", [10], [{ start: 2 }], /end/],
    ["a range that is misspelt", [10], [{ from: 2, to: 4 }], /start/],
    ["more entries than axes", [10], [null, null], /2/],
    ["an entry for a scalar", [], [0], /scalar/],
    ["a list that is not increasing", [10], [[3, 1]], /increasing/],
    ["a list with an index twice", [10], [[1, 1, 2]], /increasing/],
    ["a list beyond the end", [10], [[3, 10]], /10/],
    ["a list with negative indices", [10], [[-3, -1]], /-3/],
    ["a list of fractions", [10], [[0.5]], /0\.5/],
    ["a list with something else in it", [10], [[1, "2"]], /2/],
    ["a mask that is too short", [4], [[true, false, true]], /mask.*4/],
    ["a mask that is too long", [4], [[true, false, true, true, true]], /mask.*4/],
    ["a mask with a number in it", [3], [[true, 1, false]], /mask|1/],
    ["a text", [10], ["all"], /all/],
    ["undefined for an axis", [10], [undefined], /undefined/],
    ["no list around it", [10], 3, /list|entry/],
    ["a range alone", [10], { start: 0, end: 2 }, /list|entry/],
    ["a bigint", [10], [1n], /1/],
  ];
  for (const [name, shape, selection, words] of refused) {
    behaviour(`${name} is refused, for reading and for writing`, (bench) => {
      for (const data of both(bench, shape)) {
        bench.fails(() => data.read(selection as Selection), "Usage", words);
        bench.fails(() => data.write(new Int32Array(1), selection as Selection), "Usage", words);
        bench.same(data.read().data, ramp(shape));
      }
    });
  }
  behaviour("values for a selection are as many as it selects", ({ create, fails, same }) => {
    const data = create().createDataset("x", { shape: [4, 4], dtype: "i4" });
    fails(
      () =>
        data.write(new Int32Array(5), [
          { start: 0, end: 2 },
          { start: 0, end: 2 },
        ]),
      "Usage",
      /5.*4|4.*5/,
    );
    fails(() => data.write(new Int32Array(1), [[]]), "Usage", /1.*0|0.*1/);
    data.write(new Int32Array(0), [[]]);
    same(data.read().data, new Int32Array(16));
  });
  behaviour("what share of a communicator gives is a range", ({ create, same }) => {
    const data = create().put("x", Int32Array.of(1, 2, 3, 4));
    same(data.read([{ start: 1, end: 3, count: 2 } as never]).data, Int32Array.of(2, 3));
  });
  behaviour("a list that is a typed array is taken", ({ create, same, ok }) => {
    const data = create().put("x", Int32Array.of(10, 20, 30));
    let got: unknown;
    try {
      got = data.read([Uint32Array.of(0, 2) as never]).data;
    } catch (error) {
      got = (error as { code: string }).code;
    }
    ok(got !== undefined, "");
    same(got === "Usage" || (got as Int32Array)[1] === 30, true);
  });
});
