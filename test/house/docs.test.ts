import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { printed, snippetsOfPage, snippetsOfSource } from "../../scripts/snippets.ts";
import { run } from "../support/index.ts";

const fence = "```";

/** What the check says about one page, which is a file of the project while it is checked. */
async function check(page: string): Promise<{ name: string; exitCode: number | null; stderr: string }> {
  const folder = mkdtempSync(".cache/page-");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const name = join(folder, "page.md");
  writeFileSync(name, page);
  const { exitCode, stderr } = await run(["node", "--import", "tsx", "scripts/check-docs.ts", name]);
  return { name, exitCode, stderr };
}

describe("the check of the docs", () => {
  beforeAll(() => void mkdirSync(".cache", { recursive: true }));

  test("refuses links, anchors and commands that lead nowhere, with file and line", async () => {
    const page =
      "# A [title](#a-title)\n\n[gone](gone.md) `[code](no-link)`\n[here](#nowhere) [out](https://example.org)\n\n`make nothing`\n";
    const { name, exitCode, stderr } = await check(page);
    expect(exitCode).toBe(1);
    expect(stderr.trim().split("\n")).toEqual([
      `${name}:3: link to gone.md: there is no ${join(name, "../gone.md")}`,
      `${name}:4: link to #nowhere: ${name} has no heading with that anchor`,
      `${name}:6: there is no "make nothing"`,
    ]);
  });

  test("compiles programs and gives the line in the page", async () => {
    const page = `text\n\n${fence}ts\nconst n: number = 1;\n${fence}\n${fence}ts continued\nconst s: string = n;\n${fence}\n`;
    const { name, exitCode, stderr } = await check(page);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${name}:7: error TS2322`);
  });

  test("runs programs and compares what they print", async () => {
    const right = `${fence}ts run\nconsole.log("one", Math.random());\n${fence}\n\nprints\n\n${fence}text\none 0.…\n${fence}\n`;
    expect(await check(right)).toMatchObject({ exitCode: 0, stderr: "" });
    const wrong = await check(right.replace("text\none", "text\ntwo"));
    expect(wrong.exitCode).toBe(1);
    expect(wrong.stderr).toMatch(/page\.md:2: the program prints\none 0\.\d+\nand the page says\ntwo 0\.…/);
    const failing = await check(`${fence}ts run\nthrow new Error("broken");\n${fence}\n`);
    expect(failing.exitCode).toBe(1);
    expect(failing.stderr).toContain("Error: broken");
  });
});

describe("the programs in a text", () => {
  test("of a page: each fence is one, unless it continues the one before", () => {
    const page = [
      `${fence}ts run`,
      "a",
      fence,
      "",
      `${fence}text`,
      "1",
      fence,
      `${fence}ts continued`,
      "b",
      fence,
      `${fence}ts`,
      "c",
      fence,
    ];
    expect(snippetsOfPage("a.md", page.join("\n"))).toEqual([
      { file: "a.md", line: 2, code: "\na\n\n\n\n\n\n\nb", run: true, output: "1\n" },
      { file: "a.md", line: 12, code: `${"\n".repeat(11)}c`, run: false, output: undefined },
    ]);
  });

  test("of a source: the examples of the doc comments, up to the next tag", () => {
    const source = "const x = 1;\n/**\n * Text.\n * @example\n * a;\n *   b;\n * @throws no\n */\n";
    expect(snippetsOfSource("a.ts", source)).toEqual([
      { file: "a.ts", line: 5, code: "\n\n\n\na;\n  b;", run: false, output: undefined },
    ]);
  });

  test("may print anything in place of …", () => {
    expect(printed("a 12 ms (b)\n", "a … ms (b)")).toBe(true);
    expect(printed("a 12 ms (c)\n", "a … ms (b)")).toBe(false);
    expect(printed("first\nsecond\nlast", "first\n…\nlast")).toBe(true);
  });
});
