import { type ActorOptions, distribute, type TaskOptions, UsageError } from "girona";
import { describe, expect, test } from "vitest";
import { failure } from "./support/index.ts";

const work = (x: number) => x;
class Counter {
  add(n: number) {
    return n;
  }
}

async function refusal(call: () => unknown): Promise<UsageError> {
  const error = await failure(call);
  expect(error).toBeInstanceOf(UsageError);
  return error as UsageError;
}

const whole = "a whole number of at least 0";
const number = "a number of at least 0";

const tasks: readonly (readonly [string, unknown, string, string])[] = [
  ["retries", -1, "-1", whole],
  ["retries", 1.5, "1.5", whole],
  ["retries", "3", '"3"', whole],
  ["retries", Number.NaN, "NaN", whole],
  ["retries", null, "null", whole],
  ["retryErrors", "yes", '"yes"', "true or false"],
  ["retryErrors", 1, "1", "true or false"],
  ["signal", {}, "[object Object]", "an AbortSignal"],
  ["signal", new AbortController(), "[object AbortController]", "an AbortSignal"],
  ["timeout", 5, "5", 'a number with its unit: "500ms"'],
  ["timeout", "5", '"5"', 'a number with its unit: "500ms"'],
  ["timeout", "-5s", '"-5s"', 'a number with its unit: "500ms"'],
  ["timeout", "0s", '"0s"', "a duration longer than nothing"],
  ["cpus", -1, "-1", number],
  ["cpus", "2", '"2"', number],
  ["cpus", Number.POSITIVE_INFINITY, "Infinity", number],
  ["gpus", -0.5, "-0.5", number],
  ["memory", 64, "64", 'a number with its unit: "512MB"'],
  ["memory", "64", '"64"', 'a number with its unit: "512MB"'],
  ["memory", "64G", '"64G"', 'a number with its unit: "512MB"'],
  ["resources", 1, "1", "amounts by name"],
  ["resources", "licence", '"licence"', "amounts by name"],
  ["name", 42, "42", "a text"],
  ["name", "", '""', "a text"],
  ["on", 42, "", ""],
];

describe("of a function", () => {
  test.each(tasks)("%s: %j", async (parameter, given, shown, accepted) => {
    const error = await refusal(() => distribute(work, { [parameter]: given } as TaskOptions)(1));
    expect(error.parameter).toBe(parameter);
    if (parameter !== "on") expect(error.message).toContain(`${parameter}: ${shown} was given; it takes ${accepted}`);
    else expect(error.message).toMatch(/^on: .* it takes what cluster\(\) returned\.$/);
  });

  test("when it is made, before any call", async () => {
    for (const [parameter, given] of tasks) {
      if (parameter === "on") continue;
      await refusal(() => distribute(work, { [parameter]: given } as TaskOptions));
      await refusal(() => distribute(work).options({ [parameter]: given } as TaskOptions));
    }
  });

  test("each amount of the resources, by its name", async () => {
    const error = await refusal(() => distribute(work, { resources: { licence: -1 } }));
    expect(error.parameter).toBe("resources.licence");
    expect(error.message).toContain("resources.licence: -1 was given");
  });
});

describe("of a class", () => {
  test.each([
    ["maxRestarts", -1, whole],
    ["maxRestarts", 0.5, whole],
    ["concurrency", 0, "a whole number of at least 1"],
    ["concurrency", "2", "a whole number of at least 1"],
    ["name", 42, "a text that is not empty"],
    ["name", "", "a text that is not empty"],
    ["cpus", -1, number],
    ["memory", "64", 'a number with its unit: "512MB"'],
    ["signal", {}, "an AbortSignal"],
  ])("%s: %j", async (parameter, given, accepted) => {
    const error = await refusal(() => distribute(Counter, { [parameter]: given } as ActorOptions));
    expect(error.parameter).toBe(parameter);
    expect(error.message).toContain(`it takes ${accepted}`);
  });

  test.each(["retries", "retryErrors", "timeout"])("%s, which is for functions", async (name) => {
    const error = await refusal(() => distribute(Counter, { [name]: 1 } as ActorOptions));
    expect(error.message).toMatch(
      new RegExp(`^${name} is no option of a distributed class\\..*Options: .*concurrency`),
    );
  });
});

describe("an unknown option", () => {
  test.each([
    ["timeOut", "timeout"],
    ["time", "timeout"],
    ["timout", "timeout"],
    ["cpu", "cpus"],
    ["CPUs", "cpus"],
    ["gpu", "gpus"],
    ["retry", "retries"],
    ["retrys", "retries"],
    ["retryError", "retryErrors"],
    ["mem", "memory"],
    ["memmory", "memory"],
    ["resource", "resources"],
  ])("%s: did you mean %s?", async (name, meant) => {
    const error = await refusal(() => distribute(work, { [name]: 1 } as TaskOptions));
    expect(error.parameter).toBe(name);
    expect(error.message).toContain(`${name} is no option of a distributed function. Did you mean ${meant}?`);
  });

  test("that is like none is told which there are", async () => {
    const error = await refusal(() => distribute(work, { colour: "red" } as TaskOptions));
    expect(error.message).toBe(
      "colour is no option of a distributed function. Options: on, signal, cpus, gpus, memory, resources, name, retries, retryErrors, timeout.",
    );
  });
});

test.each([null, 5, "fast", true])("options that are no object: %j", async (given) => {
  for (const call of [
    () => distribute(work, given as never),
    () => distribute(work).options(given as never),
    () => distribute(Counter, given as never),
  ]) {
    expect((await refusal(call)).message).toMatch(/options/);
  }
});

test("undefined always means not given", () => {
  const names = ["on", "signal", "cpus", "gpus", "memory", "resources", "name", "retries", "retryErrors", "timeout"];
  const options = Object.fromEntries(names.map((name) => [name, undefined])) as TaskOptions;
  expect(distribute(work, options).name).toBe("work");
  expect(distribute(work).options({ resources: { licence: undefined } }).name).toBe("work");
});
