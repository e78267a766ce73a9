/** Sources of a virtual dataset, checked against their own shape and that of the whole. */
import { checkLengths, checkNames, checkPath, usage } from "./check.js";
import type { RawSource } from "./raw.js";
import { select } from "./selection.js";
import type { VirtualSource } from "./types.js";

export function planSource(source: VirtualSource, shape: readonly number[]): RawSource {
  checkNames("a source", source, ["file", "dataset", "shape", "selection", "at"]);
  checkPath("file", source.file);
  checkPath("dataset", source.dataset);
  checkLengths("shape", source.shape);
  const from = select(source.selection, source.shape, "selection");
  const at = select(source.at, shape, "at");
  if (from.count !== at.count)
    throw usage(
      "sources",
      `${source.file}: ${from.count} elements are selected of the source, and ${at.count} where they appear`,
    );
  return { file: source.file, dataset: source.dataset, shape: source.shape, selection: from.raw, at: at.raw };
}
