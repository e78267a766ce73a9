import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cluster, distribute, get } from "girona";
import { describe, expect, test } from "vitest";
import { joined, type Report, reportHtml } from "../../src/tasks/report.ts";
import { tempDir } from "../support/index.ts";
import { failure } from "./support/index.ts";

const step = (median: number, total: number) => ({ median, total });
const report: Report = {
  version: 1,
  functions: [
    {
      name: "sum<script>alert(1)</script>&\"'",
      where: "/home/a&b/program.ts:7",
      calls: 4,
      failed: 1,
      bytes: 32_000_000,
      serialise: step(0.01, 1),
      queue: step(0.02, 2),
      transfer: step(0, 0),
      run: step(0.5, 5),
      fetch: step(0.001, 0.004),
    },
    {
      name: "never",
      where: "/home/program.ts:9",
      calls: 1,
      failed: 0,
      bytes: 0,
      serialise: step(0, 0),
      queue: step(0, 0),
      transfer: step(0, 0),
      run: step(0, 0),
      fetch: step(0, 0),
    },
  ],
  advice: [{ rule: "large-argument", where: "/p.ts:3", what: "8 MB <again>", cost: "800 MB moved", fix: "put(value)" }],
  cost: { workerHours: 2, price: 0.1 },
  workers: [{ name: "worker 1", pid: 77, state: "busy", memory: 5e7, tasks: 1, running: "sum" }],
  machine: { host: "node<7>", platform: "Linux x64", cpu: "Some CPU", cores: 2, memory: 8e9, node: "20.20.0" },
};
const page = reportHtml(report, "program.ts", new Date("2026-03-01T10:00:00Z"));

describe("the page", () => {
  test("loads and runs nothing: no script, no address, and a policy that allows none", () => {
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    );
    expect(page).not.toMatch(/<script|<link|<img|<iframe|https?:|\bsrc=|\bon\w+=|url\(|@import/i);
  });

  test("escapes whatever a program may be named after", () => {
    expect(page).toContain('<th scope="row">sum&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;\'</th>');
    expect(page).toContain("/home/a&amp;b/program.ts:7");
    expect(page).toContain("8 MB &lt;again&gt;");
    expect(page).toContain("node&lt;7&gt;: Some CPU, 2 cores and 8 GB for this program");
  });

  test("is well-formed: every element that is opened is closed, in order", () => {
    const open: string[] = [];
    for (const [, end, name, rest] of page.replace("<!doctype html>", "").matchAll(/<(\/?)(\w+)([^>]*)>/g)) {
      if (name === "meta" || rest!.endsWith("/")) continue;
      if (end) expect(open.pop()).toBe(name);
      else open.push(name!);
    }
    expect(open).toEqual([]);
    expect(page.match(/<table>\n<caption>/g)).toHaveLength(3);
  });

  test("has for each function the median and total of each step, the bytes, and a bar of the shares", () => {
    for (const text of ["10 ms / 1 s", "20 ms / 2 s", "500 ms / 5 s", "1 ms / 4 ms", "32 MB"])
      expect(page).toContain(`<td class="number">${text}</td>`);
    const words = "serialise 12 %, queue 25 %, transfer 0 %, run 62 %, fetch &lt; 1 %".replace("&lt;", "<");
    const widths = [...page.matchAll(/<rect class="(\w+)" x="([\d.]+)" width="([\d.]+)"/g)].map((match) =>
      match.slice(1),
    );
    expect(widths).toEqual([
      ["serialise", "0.00", "12.49"],
      ["queue", "12.49", "24.99"],
      ["transfer", "37.48", "0.00"],
      ["run", "37.48", "62.47"],
      ["fetch", "99.95", "0.05"],
    ]);
    expect(page).toContain(words.replace("<", "&lt;"));
  });

  test("has the advice, the cost, the workers and both colour schemes", () => {
    expect(page).toContain("<td>800 MB moved</td><td>put(value)</td>");
    expect(page).toContain(
      "2 worker-hours (2 h 0 min of worker time; functions ran for 5 s of it), at the given price 0.1.",
    );
    expect(page).toContain('<th scope="row">worker 1</th><td class="number">77</td><td>busy</td>');
    expect(page).toContain("prefers-color-scheme:dark");
  });

  test("says in words that there was nothing", () => {
    const empty = reportHtml({ ...report, functions: [], advice: [], workers: [] }, "x", new Date());
    expect(empty).toContain("No function was called.");
    expect(empty).toContain("No mistake was noticed.");
    expect(empty).not.toContain("<table>");
  });
});

test("several clusters of one program are one report: rows with their number, costs added, each mistake once", () => {
  const other = { ...report, cost: { workerHours: 1, price: undefined } };
  const both = joined([report, other]);
  expect(both.functions.map(({ session }) => session)).toEqual([1, 1, 2, 2]);
  expect(both.workers.map(({ session }) => session)).toEqual([1, 2]);
  expect(both.advice).toEqual(report.advice);
  expect(both.cost).toEqual({ workerHours: 3, price: 0.1 });
  expect(joined([report])).toBe(report);
  expect(reportHtml(both, "x", new Date())).toContain('<th scope="col">cluster</th>');
});

describe("session.report()", () => {
  const square = distribute(function square(x: number) {
    return x * x;
  });

  test("writes the page, or the same as JSON, also after the cluster has closed", async () => {
    const folder = tempDir();
    const session = await cluster({ workers: 1, dashboard: false, pricePerWorkerHour: 1 });
    await get([square(1), square(2)]);
    await session.report(join(folder, "page.html"));
    const written = readFileSync(join(folder, "page.html"), "utf8");
    expect(written).toMatch(/^<!doctype html>/);
    expect(written).toContain('<th scope="row">square</th>');
    await session.close();
    await session.report(join(folder, "report.json"));
    const { version, functions, workers, cost, machine, ...rest } = JSON.parse(
      readFileSync(join(folder, "report.json"), "utf8"),
    ) as Report;
    expect(rest).toEqual({ advice: [] });
    expect(version).toBe(1);
    expect(functions).toMatchObject([{ name: "square", calls: 2, failed: 0 }]);
    expect(functions[0]!.where).toContain("the-report-is-one-page-that-needs-nothing.test.ts:");
    expect(workers).toMatchObject([{ state: "idle" }]);
    expect(cost.price).toBeGreaterThan(0);
    expect(machine.cores).toBeGreaterThan(0);
  });

  test("a file that cannot be written is refused with what, why and what to do", async () => {
    const folder = tempDir();
    mkdirSync(join(folder, "there"));
    writeFileSync(join(folder, "file"), "");
    await using session = await cluster({ workers: 1, dashboard: false });
    const cases = [
      ["gone/report.html", `the folder ${join(folder, "gone")} is not there; make it first`],
      ["there", "it is a folder; name a file in it"],
      ["file/report.html", `${join(folder, "file")} is no folder; name a file in one`],
    ] as const;
    for (const [name, words] of cases) {
      const file = join(folder, name);
      const error = await failure(() => session.report(file));
      expect(error).toMatchObject({ code: "Usage", parameter: "report(file)" });
      expect(error.message).toContain(`report(file): ${file} cannot be written: ${words}`);
    }
  });
});
