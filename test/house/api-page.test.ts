import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("docs/api.md names everything that the package exports", () => {
  const page = readFileSync("docs/api.md", "utf8").replace(/^```.*?^```$/gms, "");
  const spans = [...page.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  const named = new Set(spans.flatMap((code) => code.match(/^[A-Za-z_]\w*/)?.[0] ?? []));

  const lines = readFileSync("test/house/exports.txt", "utf8").trim().split("\n");
  const names = lines.flatMap((line) => line.match(/^\S+ {2}(?:type )?(\w+)$/)?.[1] ?? []);
  expect(names).toContain("distribute");
  expect(names.filter((name) => !named.has(name))).toEqual([]);
});
