import { readFileSync } from "node:fs";
import { distribute, get, isGironaError } from "girona";
import { expect, test } from "vitest";
import { failure, sharedCluster } from "./support/index.ts";

const session = sharedCluster(1);

function declared(x: number): number {
  return x;
}
const assigned = (x: number) => x;
const named = {
  inObject: (x: number) => x,
};

test.each([
  ["declared", distribute(declared)],
  ["assigned", distribute(assigned)],
  ["inObject", distribute(named.inObject)],
  ["other", distribute(declared, { name: "other" })],
])("%s: its handle, its refs, the errors and the profile say so", async (name, remote) => {
  expect(remote.name).toBe(name);
  const ref = remote(1);
  expect(String(ref)).toContain(`Ref ${name}#`);
  expect(await get(ref)).toBe(1);
  expect(
    session()
      .profile()
      .map((row) => row.name),
  ).toContain(name === "other" ? "declared" : name);
});

test("one without a name is called by its place", async () => {
  const line = readFileSync(import.meta.filename, "utf8")
    .split("\n")
    .findIndex((text) => /^ *const nameless/.test(text));
  const place = `anonymous (functions-are-called-by-name.test.ts:${line + 1})`;
  const nameless = distribute((x: number): number => {
    if (x < 0) throw new RangeError("negative");
    return x;
  });
  const ref = nameless(1);
  expect(String(ref)).toContain(`Ref ${place}#`);
  expect(await get(ref)).toBe(1);
  const error = await failure(() => get(nameless(-1)));
  expect(isGironaError(error, "Task") && error.task).toBe(place);
  expect(String(nameless.map([1])[0])).toContain(place);
});

test("two of the same name are two rows of the profile", async () => {
  const make = (by: number) => {
    const twin = (x: number) => x * by;
    return distribute(twin);
  };
  const [two, three] = [make(2), make(3)];
  expect(await get([two(1), three(1), three(2)])).toEqual([2, 3, 6]);
  expect(
    session()
      .profile()
      .filter(({ name }) => name === "twin")
      .map(({ calls }) => calls),
  ).toEqual([1, 2]);
});
