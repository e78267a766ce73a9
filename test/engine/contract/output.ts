/** What tasks print reaches the terminal line by line, says where it comes from, and leaves stdout to the program. */
import { beforeAll, describe, expect, test } from "vitest";
import { type Finished, run } from "../../support/index.ts";

export function output(): void {
  describe("output of tasks", () => {
    let finished: Finished;
    let lines: string[] = [];
    beforeAll(async () => {
      finished = await run(["node", "test/engine/programs/prints.mjs"]);
      lines = finished.stderr.split("\n");
    });

    test("goes to stderr, so that stdout is the program's own", () => {
      expect(finished.exitCode).toBe(0);
      expect(finished.stdout).toBe("caught WorkerLost\nthe program's own\n");
    });

    test.each(["to stdout", "to stderr", "two", "lines", "in pieces", "without an end"])(
      "has task and worker before each line: %s",
      (text) => {
        const found = lines.filter((line) => line.endsWith(`] ${text}`));
        expect(found.length).toBe(1);
        expect(found[0]).toMatch(/^\[speak worker-\d+\] /);
      },
    );

    test("printed right before the process is killed arrives, unfinished lines too", () => {
      const before = lines.filter((line) => /^\[last worker-\d+\] line \d+ before the end$/.test(line));
      expect(before.map((line) => Number(/line (\d+)/.exec(line)![1]))).toEqual(
        Array.from({ length: 200 }, (_, i) => i),
      );
      expect(lines.some((line) => /^\[last worker-\d+\] the very last words$/.test(line))).toBe(true);
    });

    test("has the name that was given as an option", () => {
      const found = lines.filter((line) => line.endsWith("] with a name"));
      expect(found.length).toBe(1);
      expect(found[0]).toMatch(/^\[christened worker-\d+\] /);
    });

    test("of an actor names its method", () => {
      expect(lines.filter((line) => /^\[Parrot\.say worker-\d+\] hello$/.test(line)).length).toBe(1);
    });

    test("of a child process, and what is written past the streams, names at least the worker", () => {
      expect(lines.some((line) => /^\[(?:child )?worker-\d+\] from a child$/.test(line))).toBe(true);
      expect(lines.some((line) => /^\[(?:child )?worker-\d+\] written past the streams$/.test(line))).toBe(true);
    });

    test("arrives in order and whole, thousands of lines at once", () => {
      const many = lines.filter((line) => line.startsWith("[many "));
      expect(many.map((line) => line.replace(/^\[many worker-\d+\] /, ""))).toEqual(
        Array.from({ length: 2000 }, (_, i) => `many ${i} ${"x".repeat(100)}`),
      );
    });
  });
}
