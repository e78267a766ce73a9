/** Virtual datasets: parts of other datasets that read as one. */
import { basename } from "node:path";
import { type Bench, table } from "../behaviour.ts";

const ramp = (length: number, from = 0) => Int32Array.from({ length }, (_, i) => from + i);

/** Files with 4 numbers each: 0 to 3, 10 to 13, … */
function parts(bench: Bench, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const file = bench.create();
    file.put("data", ramp(4, 10 * i));
    file.close();
    return file.path;
  });
}

export const virtual = table("virtual datasets", (behaviour) => {
  behaviour("rows of several files read as one dataset", (bench) => {
    const sources = parts(bench, 3).map((file, i) => ({ file, dataset: "data", shape: [4], at: [i] }));
    const file = bench.create();
    file.createVirtualDataset("all", { shape: [3, 4], dtype: "i4", sources });
    const data = bench.reopen(file).dataset("all", "i4");
    bench.same(data.read(), {
      dtype: "i4",
      shape: [3, 4],
      data: Int32Array.of(0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23),
    });
    bench.same(data.read([{ start: 1, end: 3 }, 2]).data, Int32Array.of(12, 22));
  });
  behaviour("a relative file is looked for beside the virtual one", (bench) => {
    const [part] = parts(bench, 1);
    const file = bench.create();
    file.createVirtualDataset("all", {
      ...{ shape: [4], dtype: "i4" },
      sources: [{ file: basename(part!), dataset: "data", shape: [4] }],
    });
    bench.same(bench.reopen(file).dataset("all", "i4").read().data, ramp(4));
  });
  behaviour("sources of the same file are named by a dot", ({ create, reopen, same }) => {
    const file = create();
    file.put("x", ramp(4));
    file.createVirtualDataset("v", { shape: [4], dtype: "i4", sources: [{ file: ".", dataset: "x", shape: [4] }] });
    same(reopen(file).dataset("v", "i4").read().data, ramp(4));
  });
  behaviour("what no source has is the fill value", ({ create, same }) => {
    const file = create();
    file.put("x", ramp(2, 5));
    file.createVirtualDataset("v", {
      ...{ shape: [5], dtype: "i4", fillValue: -1 },
      sources: [{ file: ".", dataset: "x", shape: [2], at: [{ start: 1, end: 3 }] }],
    });
    same(file.dataset("v", "i4").read().data, Int32Array.of(-1, 5, 6, -1, -1));
  });
  behaviour("a source whose file is not there is the fill value", ({ create, same }) => {
    const file = create();
    file.createVirtualDataset("v", {
      ...{ shape: [2], dtype: "f8", fillValue: 7 },
      sources: [{ file: "nowhere.h5", dataset: "x", shape: [2] }],
    });
    same(file.dataset("v").read().data, Float64Array.of(7, 7));
  });
  behaviour("a part of a source appears at a part of the virtual dataset", ({ create, same }) => {
    const file = create();
    file.put("x", ramp(20), { shape: [4, 5] });
    file.createVirtualDataset("v", {
      ...{ shape: [3, 3], dtype: "i4" },
      sources: [
        {
          ...{ file: ".", dataset: "x", shape: [4, 5] },
          selection: [
            { start: 0, end: 4, step: 2 },
            { start: 1, end: 3 },
          ],
          at: [
            { start: 1, end: 3 },
            { start: 0, end: 2 },
          ],
        },
      ],
    });
    same(file.dataset("v", "i4").read().data, Int32Array.of(0, 0, 0, 1, 2, 0, 11, 12, 0));
  });
  behaviour("interleaved sources give their rows in turn", (bench) => {
    const sources = parts(bench, 2).map((file, i) => ({
      ...{ file, dataset: "data", shape: [4] },
      at: [{ start: i, end: 8, step: 2 }],
    }));
    const file = bench.create();
    file.createVirtualDataset("v", { shape: [8], dtype: "i4", sources });
    bench.same(file.dataset("v", "i4").read().data, Int32Array.of(0, 10, 1, 11, 2, 12, 3, 13));
  });
  behaviour("the virtual dataset may be of another number type than its source", ({ create, same }) => {
    const file = create();
    file.put("x", Int16Array.of(1, 2));
    file.createVirtualDataset("v", { shape: [2], dtype: "f8", sources: [{ file: ".", dataset: "x", shape: [2] }] });
    same(file.dataset("v").read().data, Float64Array.of(1, 2));
  });
  behaviour("what is written to the source is read from the virtual dataset", ({ create, same }) => {
    const file = create();
    const x = file.put("x", ramp(2));
    file.createVirtualDataset("v", { shape: [2], dtype: "i4", sources: [{ file: ".", dataset: "x", shape: [2] }] });
    x.write(Int32Array.of(8, 9));
    same(file.dataset("v", "i4").read().data, Int32Array.of(8, 9));
  });
  behaviour("what is written to the virtual dataset goes to the source", ({ create, same }) => {
    const file = create();
    const x = file.put("x", ramp(4));
    const v = file.createVirtualDataset("v", {
      shape: [4],
      dtype: "i4",
      sources: [{ file: ".", dataset: "x", shape: [4] }],
    });
    v.write(Int32Array.of(7), [{ start: 2, end: 3 }]);
    same(x.read().data, Int32Array.of(0, 1, 7, 3));
  });
  behaviour("the sources are told", (bench) => {
    const files = parts(bench, 2);
    const sources = files.map((file, i) => ({ file, dataset: "data", shape: [4], at: [i] }));
    const file = bench.create();
    file.createVirtualDataset("all", { shape: [2, 4], dtype: "i4", sources });
    bench.same(
      bench.reopen(file).dataset("all", "i4").virtualSources,
      files.map((each) => ({ file: each, dataset: "data" })),
    );
  });
  behaviour("a source and its place must be of one size", ({ create, fails, same }) => {
    const file = create();
    const source = { file: ".", dataset: "x", shape: [4] };
    fails(() => file.createVirtualDataset("v", { shape: [5], dtype: "i4", sources: [source] }), "Usage", /4.*5|5.*4/);
    fails(
      () => file.createVirtualDataset("v", { shape: [4], dtype: "i4", sources: [{ ...source, at: [[0, 1]] }] }),
      "Usage",
      /4.*2|2.*4/,
    );
    same(file.keys(), []);
  });
  behaviour("a place beyond the virtual dataset is refused", ({ create, fails, same }) => {
    const file = create();
    const source = { file: ".", dataset: "x", shape: [4], at: [{ start: 2, end: 6 }] };
    fails(() => file.createVirtualDataset("v", { shape: [4], dtype: "i4", sources: [source] }), "Usage", /6.*4|4.*6/);
    same(file.keys(), []);
  });
  behaviour("a virtual dataset without sources is all fill value, or refused", ({ create, same }) => {
    const file = create();
    let read: unknown;
    try {
      read = file.createVirtualDataset("v", { shape: [2], dtype: "i4", sources: [], fillValue: 3 }).read().data;
    } catch (error) {
      same((error as { code: string }).code, "Usage");
      return;
    }
    same(read, Int32Array.of(3, 3));
  });
});
