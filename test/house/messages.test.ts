import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../support/index.ts";

const refused = "test/types/refused.ts";

test("the compiler says in girona's words what is wrong with a call", async () => {
  const lines = readFileSync(refused, "utf8").split("\n");
  const sentences = lines.flatMap((line, index) => {
    const sentence = line.match(/@ts-expect-error (girona: .*)/)?.[1];
    return sentence ? [{ sentence, after: index + 1 }] : [];
  });
  expect(sentences.length).toBeGreaterThan(10);

  // A copy without the comments, which hide the messages; inside of the project, where "girona" is found.
  const folder = mkdtempSync(".cache/messages-");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "refused.ts"), lines.map((line) => line.replace("@ts-expect-error", "")).join("\n"));
  const project = { extends: "../../tsconfig.types.json", files: ["refused.ts"], include: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
  const { stdout } = await run(["node", "node_modules/typescript/bin/tsc", "-p", folder, "--pretty", "false"]);

  const messages = stdout.split(/^(?=\S)/m).map((text) => ({ text, line: Number(text.match(/\((\d+),/)?.[1]) }));
  for (const { sentence, after } of sentences) {
    // Up to the next blank or comment line: the formatter may spread a call over several.
    const end = lines.findIndex((line, index) => index > after && (line === "" || line.startsWith("//")));
    const said = messages.filter(({ line }) => line > after && (end < 0 || line <= end)).map(({ text }) => text);
    expect(said.join(""), `${refused}:${after}`).toContain(sentence);
  }
});
