/** Options of tasks and actors: checked once, when a function is distributed, not at every call. */
import { bytes, nearest, seconds, UsageError } from "../common/index.js";
import type { ActorSpec, TaskSpec } from "../engine/index.js";
import type { ActorOptions, TaskOptions } from "./types/index.js";

function refuse(parameter: string, given: unknown, accepted: string): never {
  const shown = typeof given === "string" ? JSON.stringify(given) : String(given);
  throw new UsageError(`${parameter}: ${shown} was given; it takes ${accepted}.`, { parameter });
}

/** A number from `least` to `most`; whole when asked. */
export function count(
  parameter: string,
  given: unknown,
  fallback: number,
  { least = 0, most = Number.POSITIVE_INFINITY, whole = true } = {},
): number {
  if (given === undefined) return fallback;
  const fits =
    typeof given === "number" &&
    Number.isFinite(given) &&
    given >= least &&
    given <= most &&
    (!whole || Number.isInteger(given));
  const upTo = most === Number.POSITIVE_INFINITY ? "" : ` and at most ${most}`;
  if (!fits) refuse(parameter, given, `${whole ? "a whole number" : "a number"} of at least ${least}${upTo}`);
  return given;
}

function flag(parameter: string, given: unknown): boolean {
  if (given !== undefined && typeof given !== "boolean") refuse(parameter, given, "true or false");
  return given ?? false;
}

export function resources(given: unknown): Readonly<Record<string, number>> {
  if (given === undefined) return none;
  if (typeof given !== "object" || given === null)
    refuse("resources", given, "amounts by name, such as { licence: 1 }");
  const amounts: Record<string, number> = {};
  for (const [name, amount] of Object.entries(given)) {
    const value = count(`resources.${name}`, amount, 0, { whole: false });
    if (value > 0) amounts[name] = value;
  }
  return amounts;
}

const none: Readonly<Record<string, number>> = Object.freeze({});

/** Refuses what is no object, and names that are no options. */
export function checkNames(given: unknown, names: readonly string[], what: string): void {
  if (typeof given !== "object" || given === null) refuse("options", given, `an object with the options of ${what}`);
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    throw new UsageError(
      `${name} is no option of ${what}. ${near ? `Did you mean ${near}? ` : ""}Options: ${names.join(", ")}.`,
      { parameter: name },
    );
  }
}

function label(given: unknown): string | undefined {
  if (given !== undefined && (typeof given !== "string" || given === "")) {
    refuse("name", given, "a text that is not empty");
  }
  return given;
}

function signal(given: unknown): AbortSignal | undefined {
  if (given !== undefined && !(given instanceof AbortSignal)) refuse("signal", given, "an AbortSignal");
  return given;
}

const shared = ["on", "signal", "cpus", "gpus", "memory", "resources", "name"];
const taskNames = [...shared, "retries", "retryErrors", "timeout"];
const actorNames = [...shared, "maxRestarts", "concurrency"];

/** Checks the names of options before anything is made of them; a module's export may turn out to be either. */
export function checkOptions(options: unknown, of: "function" | "class" | "either"): void {
  if (of === "function") checkNames(options, taskNames, "a distributed function");
  else if (of === "class") checkNames(options, actorNames, "a distributed class");
  else checkNames(options, [...new Set([...taskNames, ...actorNames])], "a distributed function or class");
}

/** `name` is the function's own, used where the options have none. */
export function taskSpec(options: TaskOptions, name: string): TaskSpec {
  checkOptions(options, "function");
  return Object.freeze({
    name: label(options.name) ?? name,
    retries: count("retries", options.retries, 3),
    retryErrors: flag("retryErrors", options.retryErrors),
    timeoutMs:
      options.timeout === undefined
        ? 0
        : positive("timeout", seconds(options.timeout, "timeout") * 1e3, options.timeout),
    signal: signal(options.signal),
    cpus: count("cpus", options.cpus, 1, { whole: false }),
    gpus: count("gpus", options.gpus, 0, { whole: false }),
    memory: options.memory === undefined ? 0 : bytes(options.memory, "memory"),
    resources: resources(options.resources),
  });
}

function positive(parameter: string, value: number, given: string): number {
  if (value <= 0) refuse(parameter, given, "a duration longer than nothing");
  return value;
}

export function actorSpec(options: ActorOptions, className: string): ActorSpec {
  checkOptions(options, "class");
  return Object.freeze({
    label: className,
    name: label(options.name),
    maxRestarts: count("maxRestarts", options.maxRestarts, 0),
    concurrency: count("concurrency", options.concurrency, 1, { least: 1 }),
    signal: signal(options.signal),
    // An actor that says nothing waits most of the time, and takes no core from the tasks.
    cpus: count("cpus", options.cpus, 0, { whole: false }),
    gpus: count("gpus", options.gpus, 0, { whole: false }),
    memory: options.memory === undefined ? 0 : bytes(options.memory, "memory"),
    resources: resources(options.resources),
  });
}
