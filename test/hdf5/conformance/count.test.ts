/** How many behaviours the tables have: a table that is no longer in the list, or is empty, is noticed. */
import { expect, it } from "vitest";
import { loadEnvironment } from "./support.ts";

await loadEnvironment("native");
const { tables } = await import("./tables/index.ts");
const { runs } = await import("./tables/parallel-tables.ts");

it("there are 200 behaviours of one process and more, each table with ten and more", () => {
  expect(tables.length).toBeGreaterThanOrEqual(11);
  for (const { group, behaviours } of tables) expect(behaviours.length, group).toBeGreaterThanOrEqual(10);
  expect(tables.reduce((all, { behaviours }) => all + behaviours.length, 0)).toBeGreaterThanOrEqual(500);
});

it("there are 30 behaviours of ranks and more, on 1, 2 and 4 ranks", () => {
  for (const ranks of [1, 2, 4]) expect(runs.filter((run) => run.ranks === ranks).length).toBeGreaterThanOrEqual(30);
});

it("few behaviours are another matter for ranks", () => {
  const all = tables.flatMap(({ behaviours }) => behaviours);
  expect(all.filter(({ ranks }) => ranks !== true).length).toBeLessThanOrEqual(3);
});
