import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync("docs/api.md", "utf8");
/** Lines `girona  name`; types and internal names carry a word more. */
const exported = readFileSync("test/house/exports.txt", "utf8")
  .split("\n")
  .flatMap((line) => /^girona(?:\/\w+)?\s+(\w+)$/.exec(line)?.[1] ?? []);

test("there are exported names to look for", () => {
  expect(exported.length).toBeGreaterThan(20);
});

test.each(exported)("docs/api.md has %s", (name) => {
  expect(page).toMatch(new RegExp(`\`[^\`]*\\b${name}\\b[^\`]*\``));
});
