import { describe, expect, test } from "vitest";
import { progressLine } from "../../src/tasks/progress.ts";
import { needs, run } from "../support/index.ts";
import { programFile, runProgram } from "./support/index.ts";

test.each([
  ["", 0, 4, 0, "░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0/4 0 ns"],
  ["sum", 1, 4, 1000, "sum ███████░░░░░░░░░░░░░░░░░░░░░░░ 1/4 1 s, 3 s left"],
  ["sum", 2, 4, 120_000, "sum ███████████████░░░░░░░░░░░░░░░ 2/4 2 min 0 s, 2 min 0 s left"],
  ["sum", 4, 4, 1500, "sum ██████████████████████████████ 4/4 1.5 s"],
  ["none", 0, 0, 0, "none ██████████████████████████████ 0/0 0 ns"],
  ["big", 999_999, 1_000_000, 1e6, "big █████████████████████████████░ 999999/1000000 16 min 40 s, 1 ms left"],
  ["lines", 7, undefined, 1200, "lines 7 done, 1.2 s"],
  ["", 0, undefined, 0, "0 done, 0 ns"],
])("label %j, %i of %s after %d ms: %s", (label, done, total, elapsed, line) => {
  expect(progressLine(label, done, total, elapsed)).toBe(line);
});

const head = `
import { distribute, get, progress } from "girona";
const square = distribute((x) => x * x);
async function* source() { yield* [1, 2, 3]; }
`;
/** Without the line of the session. */
const own = (stderr: string) => stderr.replace(/^girona: .*status.*\r?\n/m, "");

describe("where stderr is no terminal, it is written once, at the end:", () => {
  test.each<[string, string, RegExp]>([
    ["an array", "[square(1), square(2), square(3)]", /^sum █{30} 3\/3 \S+ \S+\n$/],
    ["what .map returns", "square.map([1, 2, 3])", /^sum █{30} 3\/3 \S+ \S+\n$/],
    ["a record", "{ a: square(1), b: square(2), c: square(3) }", /^sum █{30} 3\/3 \S+ \S+\n$/],
    ["a stream", "square.map(source())", /^sum 3 done, \S+ \S+\n$/],
    [
      "a computation",
      "Object.assign(Promise.resolve([1, 4, 9]), { state: { done: 3, total: 3 }, cancel() {} })",
      /^sum █{30} 3\/3 /,
    ],
  ])("%s", async (_, work, line) => {
    const { exitCode, stdout, stderr } = await runProgram(
      `${head} console.log(JSON.stringify(Object.values(await progress(${work}, "sum"))));`,
    );
    expect(stdout).toBe("[1,4,9]\n");
    expect(own(stderr)).toMatch(line);
    expect(exitCode).toBe(0);
  });

  test("also when the work fails, before the error", async () => {
    const { exitCode, stdout, stderr } = await runProgram(
      `${head} const fails = distribute((x) => { if (x === 2) throw new Error("two"); return x; });
      await progress(fails.map([1, 2, 3], { chunk: 1 }), "fails").catch((error) => console.log(error.code));`,
    );
    expect(stdout).toBe("Task\n");
    expect(own(stderr)).toMatch(/^fails [█░]{30} \d\/3 .*\n$/);
    expect(exitCode).toBe(0);
  });

  test("without a label, and of nothing", async () => {
    const { stdout, stderr } = await runProgram(`${head} console.log((await progress([])).length);`);
    expect(stdout).toBe("0\n");
    expect(stderr).toMatch(/^█{30} 0\/0 .*\n$/);
  });
});

describe("on a terminal", () => {
  const source = `${head}
    const slow = distribute((path) => {
      const fs = process.getBuiltinModule("node:fs");
      while (!fs.existsSync(path));
      return 1;
    });
    const { writeFileSync } = await import("node:fs");
    // Opened once the line shows that one of two is there, or was drawn a few times where that is cut off.
    let writes = 0;
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (text, ...rest) => {
      if (/ 1\\/2 /.test(text) || (++writes > 3 && process.argv[3].length > 20)) writeFileSync(process.argv[2], "");
      return write(text, ...rest);
    };
    const refs = [slow("/"), slow(process.argv[2])];
    console.log(String((await progress(refs, process.argv[3])).length));`;

  async function onTerminal(columns: number, label: string): Promise<string> {
    needs("needs script: apt-get install bsdutils", (await run(["which", "script"])).exitCode === 0);
    const file = programFile("program.mjs", source);
    const command = `stty cols ${columns}; exec ${process.execPath} ${file} ${file}.open ${JSON.stringify(label)}`;
    const { stdout } = await run(["script", "-qec", command, "/dev/null"]);
    return stdout;
  }

  test("it is drawn again in its place, and stays at the end", async () => {
    const written = own(await onTerminal(100, "two"));
    const drawn = written.split("\r\u001b[2K");
    expect(drawn.length).toBeGreaterThan(2);
    expect(drawn.some((line) => /^two █{15}░{15} 1\/2 .* left$/.test(line.trimEnd()))).toBe(true);
    expect(drawn.at(-1)).toMatch(/^two █{30} 2\/2 \S+ \S+\r\n2\r\n$/);
    // One line only: no line break before the last.
    expect(drawn.slice(0, -1).join("")).not.toContain("\n");
  });

  test("it never wraps, however narrow the terminal is", async () => {
    const label = "a label that is much longer than the terminal is wide";
    const drawn = own(await onTerminal(60, label)).split("\r\u001b[2K");
    expect(drawn.length).toBeGreaterThan(2);
    for (const line of drawn.slice(0, -1)) expect(line.replace(/\r\n.*/s, "").length).toBeLessThan(60);
    expect(drawn.at(-1)).toMatch(/^a label .*\r\n2\r\n$/);
  });
});
