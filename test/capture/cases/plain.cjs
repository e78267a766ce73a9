// @ts-nocheck
// biome-ignore-all lint: written as users may write it
const path = require("node:path");
const { readFileSync } = require("fs");
const { parse } = require("acorn");
const lib = require("./lib.cjs");
const { double } = require("./lib.cjs");
const esbuildVersion = require("esbuild").version;
let n = 3;
function helper(x) {
  return x + n;
}
exports.rate = 4;
function rated(x) {
  return x * exports.rate;
}
module.exports.twice = (x) => helper(x) * 2;
function sloppy() {
  return typeof this;
}
function strict() {
  "use strict";
  return typeof this;
}
with ({ odd: 1 }) var withOdd = () => odd;

import(process.env.CAPTURE_HARNESS).then(async ({ works, refused, finish }) => {
  await works("require of Node", () => path.join("a", "b"), [], "a/b");
  await works("destructured require", () => readFileSync("/proc/self/comm").length > 0, [], true);
  await works("require of a package", () => parse("1", { ecmaVersion: 2020 }).type, [], "Program");
  await works("member of a require", () => esbuildVersion, [], esbuildVersion);
  await works("require of a file", () => lib.double(2), [], 4);
  await works("destructured require of a file", () => double(2), [], 4);
  await works("function of the module", (x) => helper(x), [1], 4);
  await works("require inside", () => require("./lib.cjs").double(1) + __filename.length - __filename.length, [], 2);
  await works("__dirname", () => path.basename(__dirname), [], path.basename(__dirname));
  await works("function of another module", lib.double, [2], 4);
  await works("function put on exports", exports.twice, [1], 8);
  await works("function that reads exports", rated, [2], 8);
  await works("this of a sloppy and of a strict function", () => [sloppy(), strict()], [], ["object", "undefined"]);
  await works("typeof require", () => typeof require, [], "function");
  await refused("module", () => module.id, "module", /CommonJS module/);
  await refused("name from a with statement", withOdd, "withOdd", /with/, "with ({ odd: 1 })");
  await refused("used before its declaration", () => tooEarly, "tooEarly", /no value yet/);
  const tooEarly = 1;
  void tooEarly;
  finish();
});
