import { inspect } from "node:util";
import * as girona from "girona";
import { isGironaError } from "girona";
import { describe, expect, test, vi } from "vitest";

const { CaptureError, TaskError, WorkerLostError, TimeoutError, CancelledError, ActorLostError } = girona;
const { UsageError, EngineError, MpiError, Hdf5Error, SlurmError, GironaError } = girona;

const cause = new RangeError("the reason");
const ref = { id: "7", engine: "large" };

const errors: readonly (readonly [girona.ErrorCode, new (message: string, facts: never) => Error, object])[] = [
  ["Capture", CaptureError, { variable: "socket", reason: "a socket stays here", file: "/a.ts", line: 3 }],
  ["Task", TaskError, { task: "work", ref, worker: "worker-1", attempts: 2 }],
  [
    "WorkerLost",
    WorkerLostError,
    { worker: "worker-1", signal: "SIGKILL", exitCode: undefined, memoryBytes: 5e9, attempts: 4 },
  ],
  ["Timeout", TimeoutError, { task: "work", seconds: 1.5 }],
  ["Cancelled", CancelledError, { task: "work" }],
  [
    "ActorLost",
    ActorLostError,
    { actor: 'Counter "a"', worker: "worker-1", signal: undefined, exitCode: 3, restarts: 0 },
  ],
  ["Usage", UsageError, { parameter: "retries" }],
  ["Engine", EngineError, { engine: "embedded", address: undefined }],
  ["Mpi", MpiError, { class: "MPI_ERR_RANK", errorCode: 6, operation: "Send", peer: 9 }],
  ["Hdf5", Hdf5Error, { file: "a.h5", path: "/x", operation: "read" }],
  ["Slurm", SlurmError, { command: ["sbatch", "job.sh"], exitCode: 1, stderr: "no" }],
];

describe.each(errors)("%sError", (code, Class, facts) => {
  const error = new Class("what happened", { ...facts, cause } as never);

  test("has its name, code, message, facts and cause", () => {
    expect(error).toMatchObject({ code, name: `${code}Error`, message: "what happened", ...facts });
    expect(error.cause).toBe(cause);
    expect(String(error)).toBe(`${code}Error: what happened`);
    expect(Class.name).toBe(`${code}Error`);
  });

  test("is an Error, one of girona's, and of its own class alone", () => {
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(GironaError);
    expect(errors.filter(([, other]) => error instanceof other).map(([other]) => other)).toEqual([code]);
    expect(isGironaError(error)).toBe(true);
    expect(errors.filter(([other]) => isGironaError(error, other)).map(([other]) => other)).toEqual([code]);
  });

  test("prints with its name, its message, its facts, its cause and where it was made", () => {
    const printed = inspect(error);
    expect(printed).toContain(`${code}Error: what happened`);
    expect(printed).toContain("RangeError: the reason");
    expect(printed).toContain("errors-carry-facts");
    for (const [name, value] of Object.entries(facts)) {
      if (name !== "ref" && value !== undefined) expect(printed).toContain(`${name}: `);
    }
    // The ref leads to the whole engine.
    expect(printed).not.toContain("ref: ");
  });

  test("has no cause where there is none", () => {
    expect("cause" in new Class("alone", facts as never)).toBe(false);
  });
});

test("the table above has every class that is exported", () => {
  const exported = Object.keys(girona).filter((name) => name.endsWith("Error") && name !== "GironaError");
  expect(errors.map(([code]) => `${code}Error`).sort()).toEqual(exported.filter((name) => !/^is/.test(name)).sort());
});

test.each([
  undefined,
  null,
  "TaskError",
  42,
  () => {},
  {},
  new Error("Task"),
  Object.assign(new Error("gone"), { code: "ENOENT" }),
  new DOMException("late", "TimeoutError"),
  AbortSignal.abort().reason,
])("%s is none of girona's", (value) => {
  expect(isGironaError(value)).toBe(false);
  expect(isGironaError(value, "Task")).toBe(false);
});

test("a second copy of the package knows the errors of the first, and the other way round", async () => {
  vi.resetModules();
  const other = (await import("../../src/common/errors.ts")) as unknown as typeof girona;
  expect(other.UsageError).not.toBe(UsageError);
  for (const [code, Class, facts] of errors) {
    const mine = new Class("mine", facts as never);
    const theirs = new (other[`${code}Error`] as typeof Class)("theirs", facts as never);
    expect(mine instanceof other.GironaError).toBe(false);
    expect(other.isGironaError(mine, code)).toBe(true);
    expect(isGironaError(theirs, code)).toBe(true);
    expect(isGironaError(theirs, code === "Task" ? "Usage" : "Task")).toBe(false);
  }
});
