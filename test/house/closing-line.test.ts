import { describe, expect, test } from "vitest";
import { closingLine } from "../../scripts/common.ts";

describe("the closing line of .ci/run", () => {
  test("adds skips only when there are any", () => {
    expect(closingLine({ passed: 3, failed: 0, skipped: 0 }, [0, 0])).toEqual({ line: "3 passed, 0 failed", ok: true });
    expect(closingLine({ passed: 3, failed: 1, skipped: 2 }, [0, 2])).toEqual({
      line: "3 passed, 1 failed, 2 skipped",
      ok: false,
    });
  });

  test("counts a command that broke off before it counted anything", () => {
    expect(closingLine({ passed: 9, failed: 0, skipped: 0 }, [2, 2])).toEqual({
      line: "9 passed, 2 failed",
      ok: false,
    });
  });

  test("is a failure when nothing ran", () => {
    expect(closingLine({ passed: 0, failed: 0, skipped: 0 }, [0, 0])).toEqual({
      line: "0 passed, 1 failed",
      ok: false,
    });
  });
});
