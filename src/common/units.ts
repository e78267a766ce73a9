/**
 * Texts with a unit: lengths of time, amounts of memory, SLURM wall-times. The types refuse what reads two ways; the
 * functions here check texts that are only known at run time, and turn them into numbers.
 */
import { UsageError } from "./errors.js";

/** A length of time with its unit: `"5ms"`, `"2s"`, `"30min"`, `"1.5h"`. A bare number is refused: ms or s? */
export type Duration = `${number}${"ms" | "s" | "min" | "h" | "d"}`;

/** An amount of memory with its unit. `"64GB"` is 64e9 bytes, `"64GiB"` is 2**36; SLURM's `"64G"` is the latter. */
export type MemorySize = `${number}${"B" | "KB" | "MB" | "GB" | "TB" | "KiB" | "MiB" | "GiB" | "TiB"}`;

/**
 * A wall-time that reads one way only: `"hh:mm:ss"`, `"d-hh"`, `"d-hh:mm"`, `"d-hh:mm:ss"`, or a duration (`"30min"`).
 *
 * SLURM also takes `"30"` (minutes) and `"00:30"` (minutes and seconds, not hours and minutes); those are refused here.
 */
export type Walltime =
  | `${number}:${number}:${number}`
  | `${number}-${number}`
  | `${number}-${number}:${number}`
  | `${number}-${number}:${number}:${number}`
  | Duration
  | "UNLIMITED";

/** Options take `Walltime | GironaTypeError<WalltimeHelp>`, so that any other text fails in words. */
export type WalltimeHelp =
  "girona: SLURM reads 30 as minutes and 00:30 as minutes and seconds. Write hh:mm:ss, d-hh:mm:ss or 30min.";

const secondsPer = { ms: 1e-3, s: 1, min: 60, h: 3600, d: 86_400 } as const;
const bytesPer = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
} as const;

const number = String.raw`(\d+(?:\.\d*)?|\.\d+)`;
const durationText = new RegExp(`^${number}(ms|s|min|h|d)$`);
const memoryText = new RegExp(`^${number}(B|KB|MB|GB|TB|KiB|MiB|GiB|TiB)$`);
const walltimeText = /^(?:\d+:[0-5]?\d:[0-5]?\d|\d+-(?:2[0-3]|[01]?\d)(?::[0-5]?\d){0,2})$/;

const durationHelp = 'a number with its unit: "500ms", "2s", "30min", "1.5h" or "1d"';
const memoryHelp =
  'a number with its unit: "512MB" or "64GB" (powers of 1000), "512MiB" or "64GiB" (powers of 1024), "100B"';

function refuse(parameter: string, given: unknown, help: string): never {
  const shown = typeof given === "string" ? JSON.stringify(given) : String(given);
  throw new UsageError(`${parameter}: ${shown} was given; it takes ${help}.`, { parameter });
}

/** Seconds of a duration. Throws `UsageError` naming the parameter. */
export function seconds(text: string, parameter = "duration"): number {
  const match = typeof text === "string" ? durationText.exec(text) : null;
  if (!match) refuse(parameter, text, durationHelp);
  return Number(match[1]) * secondsPer[match[2] as keyof typeof secondsPer];
}

/** Bytes of an amount of memory, rounded to whole bytes. Throws `UsageError` naming the parameter. */
export function bytes(text: string, parameter = "memory"): number {
  const match = typeof text === "string" ? memoryText.exec(text) : null;
  if (!match) refuse(parameter, text, memoryHelp);
  return Math.round(Number(match[1]) * bytesPer[match[2] as keyof typeof bytesPer]);
}

/**
 * Checks a text that is only known at run time, such as a command-line argument, and gives it the type.
 *
 * @example
 * const limit = duration(process.env["LIMIT"] ?? "30s"); // Duration
 * @throws UsageError when it has no unit or another one.
 */
export function duration(text: string): Duration {
  seconds(text);
  return text as Duration;
}

/**
 * Checks a text that is only known at run time and gives it the type.
 *
 * @throws UsageError when it has no unit or another one.
 */
export function memorySize(text: string): MemorySize {
  bytes(text);
  return text as MemorySize;
}

/**
 * Checks a text that is only known at run time and gives it the type. Refuses `"30"` and `"00:30"`, as the type does.
 *
 * @throws UsageError when it is none of the forms of `Walltime`.
 */
export function walltime(text: string): Walltime {
  if (typeof text !== "string") refuse("walltime", text, 'a text such as "01:00:00"');
  if (text !== "UNLIMITED" && !walltimeText.test(text) && !durationText.test(text)) {
    refuse("walltime", text, 'hh:mm:ss, d-hh, d-hh:mm, d-hh:mm:ss, a duration ("30min"), or UNLIMITED');
  }
  return text as Walltime;
}

/** Bytes for people: `"80 MB"`, `"1.5 GB"`; powers of 1000, three digits. */
export function showBytes(count: number): string {
  const units = ["B", "KB", "MB", "GB", "TB", "PB"];
  let value = count;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? Math.round(value) : Number(value.toPrecision(3))} ${units[unit]}`;
}

/** Seconds for people: `"60 ns"`, `"850 µs"`, `"12 ms"`, `"3.2 s"`, `"4 min 10 s"`, `"2 h 5 min"`. */
export function showSeconds(value: number): string {
  if (value < 1e-6) return `${Math.round(value * 1e9)} ns`;
  if (value < 1e-3) return `${Math.round(value * 1e6)} µs`;
  if (value < 0.9995) return `${Number((value * 1e3).toPrecision(3))} ms`;
  if (value < 59.95) return `${Number(value.toPrecision(3))} s`;
  if (value < 3570) return `${Math.floor(Math.round(value) / 60)} min ${Math.round(value) % 60} s`;
  const minutes = Math.round(value / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
