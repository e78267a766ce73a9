/** Finds the TypeScript in pages and doc comments. CONTRIBUTING.md has the rules in words. */

/** A program from the docs: one fenced block, or several that continue each other. */
export interface Snippet {
  readonly file: string;
  /** Of its first block. */
  readonly line: number;
  /** Each line where it stands in the file, the lines between left empty, so that the compiler's line numbers are the page's. */
  readonly code: string;
  readonly run: boolean;
  /** What it must print. */
  readonly output: string | undefined;
}

interface Fence {
  /** `ts run` of a fence that opens so. */
  readonly info: string;
  /** Of its first line of content, from 1. */
  readonly line: number;
  readonly lines: readonly string[];
}

export function fences(text: string): Fence[] {
  const found: Fence[] = [];
  let open: { info: string; line: number; lines: string[]; mark: string } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const mark = line.match(/^\s*(```+|~~~+)\s*(.*)$/);
    if (open) {
      if (mark?.[1]?.startsWith(open.mark) && mark[2] === "") {
        found.push(open);
        open = undefined;
      } else open.lines.push(line);
    } else if (mark) open = { info: mark[2]?.trim() ?? "", line: index + 2, lines: [], mark: mark[1] ?? "" };
  }
  return found;
}

export function snippetsOfPage(file: string, text: string, firstLine = 1): Snippet[] {
  const found: { file: string; line: number; lines: string[]; run: boolean; output: string | undefined }[] = [];
  let printsHere = false;
  for (const fence of fences(text)) {
    const [language, ...flags] = fence.info.split(/\s+/);
    const line = fence.line + firstLine - 1;
    let current = found.at(-1);
    if (language === "ts") {
      if (!current || !flags.includes("continued")) {
        current = { file, line, lines: [], run: false, output: undefined };
        found.push(current);
      }
      while (current.lines.length < line - 1) current.lines.push("");
      current.lines.push(...fence.lines);
      current.run ||= flags.includes("run");
      printsHere = flags.includes("run");
    } else {
      if (language === "text" && printsHere && current)
        current.output = `${current.output ?? ""}${fence.lines.join("\n")}\n`;
      printsHere = false;
    }
  }
  return found.map(({ lines, ...snippet }) => ({ ...snippet, code: lines.join("\n") }));
}

/** The `@example`s of the doc comments: with fences as in a page, without any the whole of it as one program that is not run. */
export function snippetsOfSource(file: string, text: string): Snippet[] {
  const found: Snippet[] = [];
  for (const comment of text.matchAll(/\/\*\*.*?\*\//gs)) {
    const before = text.slice(0, comment.index).split("\n").length - 1;
    const lines = comment[0]
      .split("\n")
      .map((line) => line.replace(/^\s*(\*\/|\* ?|\/\*\*)/, "").replace(/\s*\*\/$/, ""));
    for (const [index, line] of lines.entries()) {
      if (!/^\s*@example\b/.test(line)) continue;
      const next = lines.findIndex((other, at) => at > index && /^\s*@[a-z]+\b/.test(other));
      const body = lines.slice(index + 1, next < 0 ? undefined : next);
      const firstLine = before + index + 2;
      if (body.some((one) => one.startsWith("```"))) found.push(...snippetsOfPage(file, body.join("\n"), firstLine));
      else
        found.push({
          file,
          line: firstLine,
          code: "\n".repeat(firstLine - 1) + body.join("\n"),
          run: false,
          output: undefined,
        });
    }
  }
  return found;
}

/** Whether a program printed what the page shows, where `…` stands for anything. */
export function printed(output: string, expected: string): boolean {
  const pattern = expected
    .trim()
    .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    .replaceAll("…", "[^]*?");
  return new RegExp(`^${pattern}$`).test(output.trim());
}
