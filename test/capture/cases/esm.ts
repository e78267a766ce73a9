// @ts-nocheck
// biome-ignore-all lint: written as users may write it
import data from "./data.json" with { type: "json" };
import { late } from "./late.ts";

const harness = await import(process.env.CAPTURE_HARNESS as string);
const { works, refused } = harness;

const rounds = 4;
function expensive(seed: number): number {
  let x = seed;
  for (let i = 0; i < rounds; i++) x = (x * 1664525 + 1013904223) % 4294967296;
  return x;
}
await using session = { closed: false, async [Symbol.asyncDispose]() {} };
class Held {
  static made = 2;
  value = rounds;
}
const os = await import("node:os");
const { base } = await import("./other.ts");

await works("function of a module with top-level await using", expensive, [1], expensive(1));
await works("class of a module with top-level await using", () => new Held().value + Held.made, [], 6);
await works("const from import()", () => [os.platform(), base], [], [process.platform, 100]);
await works("import of a module with top-level await", () => late, [], 42);
await works("JSON module", () => data.answer, [], 42);
await works(
  "import.meta",
  () => [import.meta.url.length, typeof import.meta.resolve("./other.ts")],
  [],
  [import.meta.url.length, "string"],
);
await works(
  "import.meta.dirname",
  () => import.meta.dirname,
  [],
  import.meta.dirname ?? new URL(".", import.meta.url).pathname.slice(0, -1),
);
await works("function that uses itself before the end of the module", () => after(), [], 5);
await refused("top-level const used before its declaration", () => tdz, "tdz", /no value yet/);
await refused("top-level class used before its declaration", () => new Later(), "Later", /no value yet/);
await refused("helper that uses a const too early", () => usesTdz(), "tdz", /no value yet/, "return tdz;");
const tdz = Number("1");
class Later {}
await works("top-level const used after its declaration", () => tdz + Object.keys(new Later()).length, [], 1);
const nothing = [].at(0);
await works("top-level const that is undefined", () => nothing, [], undefined);
function after() {
  return rounds + 1;
}
function usesTdz() {
  return tdz;
}
harness.finish();
