// @ts-nocheck
// biome-ignore-all lint: written as users may write it

import { Color as ColorByStem } from "./enums";
import { Color as ColorByJs } from "./enums.js";
import { Color } from "./enums.ts";

enum Dir {
  Up = 1,
  Down,
}
const enum Constant {
  A = 7,
}
namespace Space {
  export const q = 9;
  export function f(x: number) {
    return x + q;
  }
}
class Size {
  constructor(
    public width: number,
    readonly height = 2,
  ) {}
  area() {
    return this.width * this.height;
  }
}
abstract class Shape {
  abstract area(): number;
  twice() {
    return this.area() * 2;
  }
}
class Square extends Shape {
  declare readonly note: string;
  override area() {
    return 4;
  }
}
export async function typescript({ works, refused, throws }: any) {
  await works("imported enum", () => Color.Blue, [], 6);
  await works("enum by .js and without extension", () => [ColorByJs.Green, ColorByStem[0]], [], [5, "Red"]);
  await works("enum", () => Dir.Down + Dir[1], [], "2Up");
  await works("const enum", () => Constant.A, [], 7);
  await works("namespace", () => Space.f(1), [], 10);
  const size = new Size(3);
  await works("parameter properties", () => size.area() + new Size(1).area(), [], 8);
  await works("abstract class", () => new Square().twice(), [], 8);
  await works("generic function, satisfies, as", <T>(x: T) => x as any satisfies unknown, [4], 4);
  await throws(
    "error on its own line",
    () => {
      interface Unused {
        a: number;
      }
      const value: Unused = { a: 1 };
      throw new TypeError(`typed ${value.a}`);
    },
    [],
    /^typed 1$/,
  );
  const socket = Promise.resolve(size);
  await refused("promise with a type", () => socket satisfies Promise<Size>, "socket", /Promise/);
}
