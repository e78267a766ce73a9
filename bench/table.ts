/** Rows -> the table, as text for a terminal or as Markdown. Pure. */
import type { PeerName } from "./figures.ts";
import { format, formatRatio, isMet, type PeerCell, type Row } from "./judge.ts";

export interface PeerColumn {
  readonly name: PeerName;
  readonly title: string;
}

/** Aligned columns between rules, one line for each figure. */
export function textTable(rows: readonly Row[], peers: readonly PeerColumn[]): string {
  const cells = cellsOf(rows, peers);
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  const lines = cells.map((line) =>
    line
      .map((cell, column) => (isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  ")
      .trimEnd(),
  );
  const rule = "─".repeat(widths.reduce((sum, width) => sum + width + 2, -2));
  return [lines[0]!, rule, ...lines.slice(1), rule, ...notes(rows)].join("\n");
}

export function markdownTable(rows: readonly Row[], peers: readonly PeerColumn[]): string {
  const [header, ...body] = cellsOf(rows, peers).map((line) => `| ${line.join(" | ")} |`);
  const alignment = `|${Array.from({ length: 4 + peers.length }, (_, column) => (isText(column) ? "---" : "---:")).join(
    "|",
  )}|`;
  const footnotes = notes(rows).map((note) => `\n${note.replace(/^\*/, "\\*")}`);
  return [header!, alignment, ...body, ...footnotes].join("\n");
}

/** What, target and met? read from the left; figures line up at the right. */
const isText = (column: number) => column === 0 || column === 2 || column === 3;

function cellsOf(rows: readonly Row[], peers: readonly PeerColumn[]): string[][] {
  const header = ["what", "girona (spread)", "target", "met?", ...peers.map((peer) => peer.title)];
  return [
    header,
    ...rows.map((row) => [
      row.what,
      gironaCell(row),
      row.conditions.map((condition) => condition.text).join(", ") || "–",
      metCell(row),
      ...peers.map((peer) => peerText(row.peers[peer.name], row)),
    ]),
  ];
}

function gironaCell({ girona, unit }: Row): string {
  if (girona === undefined) return "–";
  const middle = format(girona.median, unit);
  if (girona.samples.length === 1) return middle;
  // The unit is said once, after the median.
  const bare = (value: number) => format(value, unit).replace(/(\/s| \S+|x)$/, "");
  return `${middle} (${bare(girona.min)}–${bare(girona.max)})`;
}

function metCell(row: Row): string {
  if (row.conditions.length === 0) return "–";
  switch (isMet(row)) {
    case true:
      return "yes";
    case undefined:
      return "?";
    case false: {
      const got = row.conditions.flatMap((condition) =>
        condition.met === false && condition.got !== undefined ? [condition.got] : [],
      );
      return got.length === 0 ? "no" : `no: ${got.join(", ")}`;
    }
  }
}

/** `1,330/s (253x)`: the peer's figure, and how many times better girona is. */
function peerText(cell: PeerCell | undefined, row: Row): string {
  if (cell === undefined) return "–";
  const mark = cell.standIn === undefined ? "" : "*";
  const ratio = cell.ratio === undefined ? "" : ` (${formatRatio(cell.ratio)})`;
  return `${format(cell.value, row.unit)}${mark}${ratio}`;
}

function notes(rows: readonly Row[]): string[] {
  const marked = rows.some((row) => Object.values(row.peers).some((cell) => cell?.standIn !== undefined));
  return [
    "Medians; (spread) from the lowest to the highest round; (…x) how many times better girona is than that peer.",
    ...(marked ? ["* with 10,000 instead of 100,000: the larger count takes this peer minutes."] : []),
    ...(rows.some((row) => row.conditions.length > 0 && isMet(row) === undefined)
      ? ["? not told: girona, or a peer it is compared with, was not measured."]
      : []),
  ];
}

/** How many of the targets that could be told are met. */
export function score(rows: readonly Row[]): string {
  const told = rows.map(isMet).filter((met) => met !== undefined);
  return `${told.filter(Boolean).length} of ${told.length} targets met`;
}
