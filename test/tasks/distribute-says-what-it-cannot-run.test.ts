import { distribute, UsageError } from "girona";
import { expect, test } from "vitest";
import { failure, sharedCluster } from "./support/index.ts";

// Untyped, as JavaScript sees it: the compiler refuses all of this before.
// biome-ignore lint/suspicious/noExplicitAny: see above
const untyped = distribute as any;

sharedCluster(1);

const work = (x: number) => x;
class Counter {
  add(n: number) {
    return n;
  }
}

test.each([
  ["a number", () => untyped(42), /^distribute: number was given; it takes a function, a class, or \{ module:/],
  ["null", () => untyped(null), /^distribute: null was given/],
  ["nothing", () => untyped(), /^distribute: undefined was given/],
  ["a text", () => untyped("work"), /^distribute: string was given/],
  ["a promise", () => untyped(Promise.resolve(work)), /^distribute: a promise was given/],
  ["an object", () => untyped({}), /^distribute: object was given/],
  ["a module without a name", () => untyped({ module: import.meta.url }), /name: "exported"/],
  ["a name without a module", () => untyped({ name: "work" }), /module: import\.meta\.url/],
  ["a distributed function", () => untyped(distribute(work)), /distributed already; for other options use \.options/],
  ["a distributed class", () => untyped(distribute(Counter)), /distributed already; for other options use \.options/],
  ["explain: a number", () => untyped.explain(42), /number was given; it takes a function/],
  ["new on a function", () => new (distribute(work) as never as new (x: number) => never)(1), /call it without new/],
  [
    "a class without new",
    () => (distribute(Counter) as never as () => never)(),
    /Counter is a distributed class: call it with new, which starts an actor/,
  ],
  [".map of a number", () => untyped(work).map(42), /^work\.map: number was given; it takes an array/],
  [".map of null", () => untyped(work).map(null), /^work\.map: null was given; it takes an array/],
  [".map of a text", () => untyped(work).map("abc"), /^work\.map: string was given; it takes an array/],
  [".map with chunk: 0", () => untyped(work).map([1], { chunk: 0 }), /^chunk: 0 was given; it takes a whole number/],
  [".map with chunk: big", () => untyped(work).map([1], { chunk: "big" }), /^chunk: "big" was given/],
  [".map with inFlight: 0", () => untyped(work).map([1], { inFlight: 0 }), /^inFlight: 0 was given/],
  [".map with chunks: 5", () => untyped(work).map([1], { chunks: 5 }), /^chunks is no option of .*chunk/],
  ["a method there is not", () => (new (untyped(Counter))() as { sub(): never }).sub(), /has no method sub.*add/],
  [
    "setting a field",
    () => {
      new (untyped(Counter))().value = 1;
    },
    /value cannot be set from outside/,
  ],
])("%s", async (_, call, words) => {
  const error = await failure(call);
  expect(error.message).toMatch(words);
  expect(error).toBeInstanceOf(UsageError);
  expect((error as UsageError).parameter).not.toBe("");
});
