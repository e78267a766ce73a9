import type { Advice } from "girona";
import { expect, test } from "vitest";
import { run } from "../support/index.ts";
import { programFile } from "./support/index.ts";

const head = `import { cluster, distribute, get } from "girona";
const square = distribute(function square(x) { return x * x; });
const options = { workers: 1, dashboard: false };
async function once(x) {
  const session = await cluster(options);
  const value = await get(square(x));
  const advice = session.advice();
  await session.close();
  return advice;
}
`;
const line = 5;

test("the later sessions have the advice, and stderr at the end, once", async () => {
  const file = programFile(
    "program.mjs",
    `${head}
    const each = [];
    for (let i = 0; i < 7; i++) each.push(await once(i));
    console.log(JSON.stringify(each));`,
  );
  const { stdout, stderr, exitCode } = await run(["node", file]);
  expect(exitCode, stderr).toBe(0);
  const each = JSON.parse(stdout) as Advice[][];
  expect(each.map((advice) => advice.length)).toEqual([0, 0, 0, 0, 0, 1, 1]);
  expect(each[6]![0]).toMatchObject({
    rule: "cluster-per-call",
    where: `${file}:${line}`,
    what: "cluster() was opened and closed 6 times at this line, each time for less than 10 s",
  });
  expect(each[6]![0]!.cost).toMatch(/^[\d.]+ m?s of starting and stopping workers$/);
  expect(each[6]![0]!.fix).toContain("one cluster for the whole program");
  const lines = stderr.trimEnd().split("\n");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^girona: .*program\.mjs:5: cluster\(\) was opened and closed 7 times at this line, .*; [\d.]+ m?s of starting .*\. open one/,
  );
});

test("also when the program ends by process.exit()", async () => {
  const file = programFile("program.mjs", `${head} for (let i = 0; i < 5; i++) await once(i); process.exit(3);`);
  const { stderr, exitCode } = await run(["node", file]);
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/^girona: .*program\.mjs:5: cluster\(\) was opened and closed 5 times/);
});

test("nothing is told of a few clusters, or of clusters of different lines", async () => {
  const other = "{ const other = await cluster(options); await get(square(1)); await other.close(); }\n";
  const file = programFile(
    "program.mjs",
    `${head} for (let i = 0; i < 4; i++) await once(i);\n${other}${other}
    const last = await cluster(options); console.log(last.advice().length); await last.close();`,
  );
  const { stdout, stderr } = await run(["node", file]);
  expect([stdout, stderr]).toEqual(["0\n", ""]);
});
