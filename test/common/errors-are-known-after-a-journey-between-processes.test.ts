import { CancelledError, distribute, type ErrorCode, get, isGironaError, put, TaskError, UsageError } from "girona";
import { describe, expect, test } from "vitest";
import { sharedCluster } from "../tasks/support/index.ts";

sharedCluster(1);

const make = (message: string) => new UsageError(message, { parameter: "size", cause: new TypeError("inner") });

function expectUsage(error: unknown, message: string): void {
  expect(isGironaError(error, "Usage")).toBe(true);
  expect(error).toBeInstanceOf(UsageError);
  expect(error).toMatchObject({ name: "UsageError", code: "Usage", message, parameter: "size" });
  expect((error as Error).cause).toBeInstanceOf(TypeError);
}

describe("an error of girona's", () => {
  test("that a task throws is the cause of the TaskError", async () => {
    const throws = distribute((message: string) => {
      throw make(message);
    });
    const error = await get(throws("thrown")).catch((reason: unknown) => reason);
    expect(isGironaError(error, "Task")).toBe(true);
    expectUsage((error as Error).cause, "thrown");
  });

  test("that a task returns is one there and here", async () => {
    const returns = distribute((given: Error) => ({ known: isGironaError(given, "Usage"), given }));
    const { known, given } = await get(returns(make("returned")));
    expect(known).toBe(true);
    expectUsage(given, "returned");
  });

  test("is one inside of arrays, maps and records, and after put", async () => {
    const value = { list: [make("listed")], map: new Map([["key", make("mapped")]]) };
    const back = await get(await put(value));
    expectUsage(back.list[0], "listed");
    expectUsage(back.map.get("key"), "mapped");
  });

  test("comes through two tasks with both of their names", async () => {
    const inner = distribute(
      (message: string): string => {
        throw make(message);
      },
      { name: "inner" },
    );
    const outer = distribute(async (message: string) => get(inner(message)), { name: "outer" });
    const error = await get(outer("deep")).catch((reason: unknown) => reason);
    expect(isGironaError(error, "Task") && error.task).toBe("outer");
    const { cause } = error as { cause: unknown };
    expect(isGironaError(cause, "Task") && cause.task).toBe("inner");
    expectUsage((cause as Error).cause, "deep");
  });

  test.each<ErrorCode>(["Cancelled", "Task"])("is still what it was: %s", async (code) => {
    const error =
      code === "Cancelled"
        ? new CancelledError("stopped", { task: "work" })
        : new TaskError("failed", { task: "work", ref: { id: "1" }, worker: "w", attempts: 1 });
    const back = await get(await put(error));
    expect(isGironaError(back, code)).toBe(true);
    expect(back).toBeInstanceOf(error.constructor);
    expect(back).toMatchObject({ message: error.message, task: "work" });
  });
});

test("an error of the program's that only looks similar is none", async () => {
  const similar = Object.assign(new Error("similar"), { code: "Usage" });
  expect(isGironaError(await get(await put(similar)))).toBe(false);
});
