import { join } from "node:path";
import { transformSync } from "esbuild";
import { type Advice, cluster, distribute, get, put } from "girona";
import { describe, expect, test } from "vitest";
import { run } from "../support/index.ts";
import { programFile, tsx } from "./support/index.ts";

/**
 * Each mistake once; the lines that the advice must name are marked. Types shift the lines of what is compiled, and compilers
 * rename a function that is called as the variable around it.
 */
const mistakes = `import { cluster, distribute, get, put } from "girona";

interface Row {
  readonly x: number;
}
type Numbers = Float64Array;

const session = await cluster({ workers: 1, dashboard: false });

const remoteLooped = distribute(function looped(row: Row): number {
  return row.x;
});
let sum: number = 0;
for (let i = 0; i < 30; i++) {
  const ref = remoteLooped({ x: i });
  sum += await get(ref); // get-in-loop
}

type Table = { readonly table: Numbers; readonly i: number };
const remoteSummed = distribute(function summed(table: Numbers, i: number): number {
  return table[i]!;
});
const table: Numbers = new Float64Array(200_000);
const refs = [];
for (let i = 0; i < 12; i++) {
  refs.push(remoteSummed(table, i)); // large-argument
}
await get(refs);

const remoteTiny = distribute(function tiny(x: number): number {
  return x + 1;
});
const call = (x: number) => {
  return remoteTiny(x); // small-tasks
};
await get(Array.from({ length: 1500 }, (_, i: number) => call(i)));

const big: Numbers = new Float64Array(2_000_000);
const remoteCaptured = distribute(function captured(i: number): number {
  return big[i]!;
});
const two = [
  remoteCaptured(1), // large-capture
  remoteCaptured(2),
];
await get(two);

for (let i = 0; i < 30; i++) sum += await get(remoteTiny(i)); // get-in-loop
console.log(JSON.stringify(session.advice()));
await session.close();
`;

const lineOf = (source: string, rule: string): number[] =>
  source.split("\n").flatMap((line, i) => (line.endsWith(`// ${rule}`) ? [i + 1] : []));

const compiled = (file: string, source: string) =>
  transformSync(source, { loader: "ts", format: "esm", target: "es2022", sourcemap: "inline", sourcefile: file }).code;

const runtimes: readonly (readonly [string, string, readonly string[], (source: string) => string])[] = [
  ["tsx", "program.ts", ["node", tsx], (source) => source],
  [
    "JavaScript",
    "program.mjs",
    ["node"],
    // The same lines, without the types.
    (source) =>
      source
        .replace(/^(?:interface|type) [^;{]*(?:\{[^}]*\})?;?$/gms, (text) => text.replace(/[^\n]+/g, "//"))
        .replace(/: (?:number|Row|Numbers)\b|(?<=\])!/g, ""),
  ],
  [
    "JavaScript with a source map, --enable-source-maps",
    "program.mjs",
    ["node", "--enable-source-maps"],
    (source) => compiled("source.ts", source),
  ],
];

async function adviceOf(
  runtime: (typeof runtimes)[number],
  source: string,
): Promise<{ file: string; found: Advice[] }> {
  const [, name, command, make] = runtime;
  const file = programFile(name, make(source));
  const { stdout, stderr, exitCode } = await run([...command, file]);
  expect([stderr, exitCode]).toEqual(["", 0]);
  return {
    file: name === "program.mjs" && make(source).includes("sourceMappingURL") ? join(file, "../source.ts") : file,
    found: JSON.parse(stdout) as Advice[],
  };
}

describe.each(runtimes)("%s:", (...runtime) => {
  test("each mistake is told once, with its file and line, what it cost and what to do", async () => {
    const { file, found } = await adviceOf(runtime, mistakes);
    const at = (rule: string, which = 0) => `${file}:${lineOf(mistakes, rule)[which]}`;
    expect(found.map(({ rule, where }) => [rule, where]).toSorted()).toEqual(
      [
        ["get-in-loop", at("get-in-loop", 0)],
        ["get-in-loop", at("get-in-loop", 1)],
        ["large-argument", at("large-argument")],
        ["large-capture", at("large-capture")],
        ["small-tasks", at("small-tasks")],
      ].toSorted(),
    );
    const by = Object.fromEntries(found.map((one) => [one.rule, one]));
    expect(found[0]!.what).toMatch(/^get inside the loop that calls looped: never more than one task is under way/);
    expect(found[0]!.cost).toMatch(/^(?:29|30) calls one after the other in [\d.]+ m?s$/);
    expect(found[0]!.fix).toContain("items.map((item) => looped(item))");
    expect(by["large-argument"]).toMatchObject({
      what: "the same argument of 1.6 MB was sent with 12 tasks",
      cost: "19.2 MB moved",
    });
    expect(by["large-argument"]!.fix).toContain("await put(value)");
    expect(by["small-tasks"]!.what).toMatch(/^15[03]0 calls of tiny, each shorter/);
    expect(by["small-tasks"]!.fix).toContain("tiny.map(items)");
    expect(by["large-capture"]).toMatchObject({ what: "captured takes 16 MB along, which every worker receives" });
  });
});

const square = distribute(function square(x: number) {
  return x * x;
});
const first = distribute(function first(table: Float64Array | number[], i: number) {
  return table.at(i)!;
});
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

describe("a program that is written well gets none:", () => {
  test.each<[string, () => Promise<unknown>]>([
    ["calls first, then one get", () => get(numbers(30).map((i) => square(i)))],
    [
      "calls first, then a get for each",
      async () => {
        for (const ref of numbers(30).map((i) => square(i))) await get(ref);
      },
    ],
    ["map", () => get(square.map(numbers(5000)))],
    ["concurrent loops", () => Promise.all(numbers(30).map(async (i) => get(square(i))))],
    [
      "a window of tasks under way",
      async () => {
        const waiting = [square(0), square(1), square(2)];
        for (let i = 3; i < 40; i++) {
          waiting.push(square(i));
          await get(waiting.shift()!);
        }
      },
    ],
    [
      "few calls, each with its get",
      async () => {
        for (let i = 0; i < 10; i++) await get(square(i));
      },
    ],
    [
      "several calls for each get",
      async () => {
        for (let i = 0; i < 30; i++) await get([square(i), square(i + 1)]);
      },
    ],
    [
      "a large argument as a ref",
      async () => {
        const table = await put(new Float64Array(200_000));
        await get(numbers(30).map((i) => first(table, i)));
      },
    ],
    ["a large argument each time another", () => get(numbers(12).map((i) => first(new Float64Array(200_000), i)))],
    [
      "a large argument a few times",
      () => {
        const table = new Float64Array(200_000);
        return get([first(table, 1), first(table, 2)]);
      },
    ],
    [
      "a small argument often",
      () => {
        const table = [1, 2, 3];
        return get(numbers(500).map(() => first(table, 1)));
      },
    ],
  ])("%s", async (_, work) => {
    await using session = await cluster({ workers: 2, dashboard: false });
    await work();
    expect(session.profile().length).toBeGreaterThan(0);
    // A cluster for each of these programs, all in one process, is a mistake of its own; and on a machine with much else to do
    // the main thread may be busy for a second.
    const others = ["cluster-per-call", "busy-main-thread"];
    expect(session.advice().filter(({ rule }) => !others.includes(rule))).toEqual([]);
  });
});

const plain = runtimes[1]!;
const head = `import { cluster, distribute, get, put } from "girona";
const session = await cluster({ workers: 2, dashboard: false });
const first = distribute(function first(table, i) { return (table.at ? table : table.table).at(i); });
`;
const tail = "\nconsole.log(JSON.stringify(session.advice())); await session.close();";

describe("also noticed:", () => {
  test.each([
    [
      "a large argument that is no typed array",
      "large-argument",
      "const table = Array.from({ length: 200_000 }, (_, i) => i + 0.5); await get(Array.from({ length: 12 }, (_, i) => first(table, i)));",
    ],
    [
      "a large argument inside of an object",
      "large-argument",
      "const table = new Float64Array(200_000); await get(Array.from({ length: 12 }, (_, i) => first({ table }, i)));",
    ],
    [
      "short tasks beside long ones of the same name",
      "small-tasks",
      `const twin = (work) => distribute(work);
      const short = twin(function twin(x) { return x; });
      const long = twin(function twin(x) { for (let i = 0; i < 1e6; i++) x += i; return x; });
      await get([long(1), ...Array.from({ length: 1500 }, (_, i) => short(i))]); await get(long(2));`,
    ],
  ])("%s", async (_, rule, body) => {
    const { file, found } = await adviceOf(plain, head + body + tail);
    expect(found.map((one) => one.rule)).toEqual([rule]);
    expect(found[0]!.where).toMatch(new RegExp(`^${file.replaceAll(".", "\\.")}:\\d+$`));
  });
});
