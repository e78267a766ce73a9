import { duration, isGironaError, memorySize, walltime } from "girona";
import { describe, expect, test } from "vitest";
import { bytes, seconds, showBytes, showSeconds } from "../../src/common/units.ts";

describe("durations", () => {
  test.each([
    ["5ms", 0.005],
    ["0.5ms", 0.0005],
    ["2s", 2],
    ["2.s", 2],
    [".5s", 0.5],
    ["007s", 7],
    ["0s", 0],
    ["30min", 1800],
    ["1.5h", 5400],
    ["1d", 86_400],
    ["0.1s", 0.1],
    ["100d", 8_640_000],
  ])("%s is %d seconds", (text, expected) => {
    expect(seconds(text)).toBe(expected);
    expect(duration(text)).toBe(text);
  });

  test.each([
    "",
    "5",
    "s",
    "5 s",
    " 5s",
    "5s ",
    "5s\n",
    "-5s",
    "+5s",
    "5S",
    "5sec",
    "5m",
    "5minutes",
    "1e3s",
    "1,5s",
    ".s",
    "1.2.3s",
    "Infinitys",
    "NaNs",
    "0x10s",
    "1h30min",
    "٣s",
  ])("%j is refused", (text) => {
    expect(() => seconds(text, "timeout")).toThrow(`timeout: ${JSON.stringify(text)} was given; it takes a number`);
    expect(() => duration(text)).toThrow(/^duration: .* "30min"/);
  });
});

describe("amounts of memory", () => {
  test.each([
    ["100B", 100],
    ["1KB", 1e3],
    ["1KiB", 1024],
    ["1.5MB", 1.5e6],
    ["512MiB", 512 * 2 ** 20],
    ["64GB", 64e9],
    ["64GiB", 2 ** 36],
    ["2TB", 2e12],
    ["2TiB", 2 ** 41],
    ["0B", 0],
    ["0.4B", 0],
    ["1.0000000001KB", 1000],
  ])("%s is %d bytes", (text, expected) => {
    expect(bytes(text)).toBe(expected);
    expect(memorySize(text)).toBe(text);
  });

  test.each(["", "64", "64G", "64g", "64gb", "64 GB", "64kB", "64Kb", "-1GB", "1e3MB", "GB", "64GB ", "1PB", "64GBs"])(
    "%j is refused",
    (text) => {
      expect(() => bytes(text, "memoryPerWorker")).toThrow(
        `memoryPerWorker: ${JSON.stringify(text)} was given; it takes a number with its unit`,
      );
      expect(() => memorySize(text)).toThrow(/^memory: .*"64GB".*"64GiB"/);
    },
  );
});

describe("wall-times", () => {
  test.each([
    "02:00:00",
    "2:0:0",
    "120:59:59",
    "1-00",
    "1-12",
    "1-12:30",
    "1-12:30:59",
    "10-23:59:59",
    "30min",
    "1.5h",
    "2d",
    "UNLIMITED",
  ])("%s reads one way", (text) => {
    expect(walltime(text)).toBe(text);
  });

  test.each([
    "",
    "30",
    "00:30",
    "02:60:00",
    "02:00:60",
    "1-24",
    "1-24:00:00",
    "1-12:60",
    "-1:00:00",
    "1-",
    "-12",
    "1:2:3:4",
    "1-2:3:4:5",
    "2 h",
    "unlimited",
    "INFINITE",
    "02:00:00 ",
    "1.5:00:00",
  ])("%j is refused", (text) => {
    expect(() => walltime(text)).toThrow(
      `walltime: ${JSON.stringify(text)} was given; it takes hh:mm:ss, d-hh, d-hh:mm, d-hh:mm:ss, a duration ("30min"), or UNLIMITED.`,
    );
  });
});

test.each([5, 5n, true, null, undefined, {}, ["5s"], [["64GB"]]])("%s, which is no text, is refused", (given) => {
  for (const check of [seconds, bytes, duration, memorySize, walltime] as ((text: never) => unknown)[]) {
    let thrown: unknown;
    try {
      check(given as never);
    } catch (error) {
      thrown = error;
    }
    expect(isGironaError(thrown, "Usage"), `${check.name} of ${String(given)}`).toBe(true);
  }
});

test.each([
  [0, "0 B"],
  [1, "1 B"],
  [999, "999 B"],
  [1000, "1 KB"],
  [1234, "1.23 KB"],
  [999_499, "999 KB"],
  [999_500, "1 MB"],
  [80e6, "80 MB"],
  [1.5e9, "1.5 GB"],
  [64e12, "64 TB"],
  [2e15, "2 PB"],
  [3e18, "3000 PB"],
])("%d bytes are shown as %s", (count, text) => {
  expect(showBytes(count)).toBe(text);
});

test.each([
  [0, "0 ns"],
  [60e-9, "60 ns"],
  [850e-6, "850 µs"],
  [12e-3, "12 ms"],
  [0.9994, "999 ms"],
  [0.9996, "1 s"],
  [3.2, "3.2 s"],
  [59.94, "59.9 s"],
  [59.96, "1 min 0 s"],
  [61, "1 min 1 s"],
  [250, "4 min 10 s"],
  [3569, "59 min 29 s"],
  [3599, "1 h 0 min"],
  [7500, "2 h 5 min"],
  [360_000, "100 h 0 min"],
])("%d seconds are shown as %s", (value, text) => {
  expect(showSeconds(value)).toBe(text);
});

test("no length of time is shown as sixty of a unit, or a thousand", () => {
  for (let exponent = -9; exponent < 6; exponent += 0.001) {
    expect(showSeconds(10 ** exponent)).not.toMatch(/\b(?:60 (?:s|min)|1000 (?:ns|µs|ms))\b/);
  }
});
