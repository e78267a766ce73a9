import { expect, it } from "vitest";
import { capture, revive } from "../../dist/capture/index.js";
import { Animal } from "./cases/other.ts";

const host = { isExternal: () => false };

class Base {}
class Derived extends Base {
  make(): Animal {
    return new Animal("a");
  }
}
const held = new (class Held {})();

it("lists the class itself, its superclass, classes of captured instances and imported classes", async () => {
  const { portable, classes } = capture(Derived, host);
  expect(portable.isClass).toBe(true);
  expect(classes).toEqual(expect.arrayContaining([Base, Derived, Animal]));
  const revived = await revive(portable, { large: [], external: [] });
  expect(revived.classes.map((one) => one?.name)).toEqual(classes.map(({ name }) => name));
  expect(revived.classes[classes.indexOf(Derived)]).toBe(revived.value);
});

it("lists the class of an instance", () => {
  expect(capture(() => held, host).classes).toEqual([held.constructor]);
});
