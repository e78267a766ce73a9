/** Every kind of value arrives as it was sent, or is refused in words before anything is sent. */
import { createServer } from "node:net";
import { inspect, isDeepStrictEqual } from "node:util";
import { distribute, get, put } from "girona";
import { describe, expect, test } from "vitest";
import { type Open, rejection, shared, thrown } from "./open.ts";
import { NamedVector, ShapeError, Vector } from "./shapes.ts";

class Tree {
  readonly name: string;
  readonly children: Tree[] = [];
  parent: Tree | undefined;

  constructor(name: string) {
    this.name = name;
  }

  add(child: Tree): this {
    child.parent = this;
    this.children.push(child);
    return this;
  }

  path(): string {
    return this.parent ? `${this.parent.path()}/${this.name}` : this.name;
  }
}

const plain: { readonly [what: string]: unknown } = {
  undefined: undefined,
  null: null,
  true: true,
  false: false,
  zero: 0,
  "minus zero": -0,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "minus Infinity": Number.NEGATIVE_INFINITY,
  "an integer of 32 bits": -2_147_483_648,
  "an integer beyond 32 bits": 4_294_967_296,
  "the largest number": Number.MAX_VALUE,
  "the smallest number": Number.MIN_VALUE,
  "a small BigInt": -1n,
  "a BigInt beyond 64 bits": 2n ** 200n + 12_345n,
  "a negative BigInt beyond 64 bits": -(2n ** 130n),
  "an empty text": "",
  "a text beyond Latin-1": "Girona, 日本, 🚀",
  "a text with a zero": "a\u0000b",
  "lone surrogates": "\ud800 and \udfff",
  "a long text": "abcdefghij".repeat(200_000),
  "a long text beyond Latin-1": "día 日".repeat(100_000),
  "an empty object": {},
  "an object": { a: 1, "b c": "two", 3: [null, undefined], "": true, deep: { deeper: { deepest: -0 } } },
  "an object with undefined": { a: undefined },
  "an own property __proto__": JSON.parse('{"__proto__": {"x": 1}, "y": 2}'),
  "an object without a prototype": Object.assign(Object.create(null), { a: { b: 1 } }),
  "an empty array": [],
  "an array of numbers": [1, -0, 0.5, Number.NaN, 1e300],
  "an array of mixed values": [1, "two", null, undefined, { three: 3 }, [4]],
  // biome-ignore lint/suspicious/noSparseArray: holes are what is tested
  "an array with holes": [, 1, , , "x", ,],
  "a long array with holes": Object.assign(new Array(1000), { 500: 1 }),
  "an array with a named property": Object.assign([1, 2], { unit: "m" }),
  "nested Maps": new Map<unknown, unknown>([
    ["a", new Map([[1, new Set([1, "1", Number.NaN])]])],
    [{ key: true }, new Map()],
    [Number.NaN, -0],
  ]),
  "nested Sets": new Set<unknown>([new Set([new Set()]), [1], undefined]),
  "a date": new Date("2024-02-29T12:34:56.789Z"),
  "a date before 1970": new Date(-1),
  "a regular expression": /a(?<name>b+)\/\n/giu,
  "a boxed number": Object(7),
  "an ArrayBuffer": new Uint8Array([1, 2, 3]).buffer,
  "an empty ArrayBuffer": new ArrayBuffer(0),
  "a Buffer": Buffer.from("bytes"),
  "an empty Buffer": Buffer.alloc(0),
  "a DataView": new DataView(new Uint8Array([9, 8, 7]).buffer),
};

const Views = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  // Node 24 and newer.
  ...("Float16Array" in globalThis
    ? { Float16Array: (globalThis as unknown as { Float16Array: typeof Float32Array }).Float16Array }
    : {}),
} as const;

/** Bytes that differ, and of which no element type makes an invalid one. */
function bytes(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) & 0x3f);
}

function numeric(): { readonly [what: string]: unknown } {
  const values: { [what: string]: unknown } = {};
  for (const [size, length] of [
    ["small", 48],
    ["just below 64 KiB", 65_528],
    ["of 64 KiB", 65_536],
    ["large", 1_000_000],
  ] as const) {
    for (const [name, View] of Object.entries(Views)) values[`${size} ${name}`] = new View(bytes(length).buffer);
    values[`${size} BigInt64Array`] = new BigInt64Array(bytes(length).buffer);
    values[`${size} BigUint64Array`] = new BigUint64Array(bytes(length).buffer);
    values[`${size} ArrayBuffer`] = bytes(length).buffer;
    values[`${size} Buffer`] = Buffer.from(bytes(length).buffer);
    values[`${size} DataView`] = new DataView(bytes(length).buffer);
    values[`${size} view with an offset`] = new Float64Array(bytes(length + 80).buffer, 40, length / 8);
    values[`${size} Buffer with an odd offset`] = Buffer.from(bytes(length + 9).buffer, 3, length);
    const sharedBytes = new SharedArrayBuffer(length);
    new Uint8Array(sharedBytes).set(bytes(length));
    values[`${size} view of shared memory`] = new Int32Array(sharedBytes);
  }
  values["a NaN with a payload"] = new Uint8Array(new BigUint64Array([0x7ff8_dead_beef_0001n]).buffer);
  values["a large array inside an object"] = { a: [{ b: new Map([["c", new Float64Array(20_000).fill(0.1)]]) }] };
  values["an array beside small ones"] = [new Uint8Array(5), new Uint8Array(100_000), new Float32Array(3)];
  return values;
}

const shown = (value: unknown): string => inspect(value, { depth: null, maxArrayLength: 20, maxStringLength: 50 });

function same(back: unknown, sent: unknown): void {
  expect(shown(back)).toBe(shown(sent));
  expect(isDeepStrictEqual(back, sent)).toBe(true);
}

const echo = distribute((value: unknown) => value as never);

/** As an argument and result, through `put`, inside another value, and as an item of `map`. */
async function travel(value: unknown): Promise<unknown[]> {
  const stored = await put(value);
  const [inside] = (await get(echo([value]))) as [unknown];
  const [item] = await get(echo.map([value]));
  return [await get(echo(value)), await get(stored), await get(echo(stored)), inside, item];
}

const noop = (): void => {};
class Secret {
  readonly #inside = 1;
  peek(): number {
    return this.#inside;
  }
}
class Odd extends Array<number> {}

const refused: readonly (readonly [what: string, make: () => unknown, words: RegExp])[] = [
  ["a function", () => noop, /is a function \(noop\)/],
  ["a class", () => Vector, /is a function \(Vector\)/],
  ["a symbol", () => Symbol("s"), /is a symbol/],
  ["a Proxy", () => new Proxy({}, {}), /is a Proxy/],
  ["a promise", () => Promise.resolve(1), /is a promise; await it first/],
  ["a WeakMap", () => new WeakMap(), /weak collection/],
  ["a WeakSet", () => new WeakSet(), /weak collection/],
  ["a WeakRef", () => new WeakRef({}), /weak collection/],
  ["a generator", () => (function* () {})(), /is a running (?:generator|iterator)/],
  ["an iterator", () => [1][Symbol.iterator](), /iterator/i],
  ["a server", () => createServer(), /Server/],
  ["a SharedArrayBuffer", () => new SharedArrayBuffer(8), /SharedArrayBuffer/],
  ["an AbortSignal", () => new AbortController().signal, /give the signal as an option/],
  ["a URL", () => new URL("https://example.org"), /URL/],
  ["a TextDecoder", () => new TextDecoder(), /TextDecoder|named by a symbol/],
  ["an instance of a class with #private fields", () => new Secret(), /Secret/],
  ["an instance of a subclass of Array", () => Odd.from([1]), /Odd/],
  ["an object with a property named by a symbol", () => ({ [Symbol("hidden")]: 1 }), /named by a symbol/],
];

export function values(open: Open): void {
  describe("values", () => {
    shared(open);

    test.each(Object.entries(plain))("%s arrives as it was sent", async (_, value) => {
      for (const back of await travel(value)) same(back, value);
    });

    test.each(Object.entries(numeric()))("%s arrives as it was sent", async (_, value) => {
      for (const back of await travel(value)) same(back, value);
    });

    test("a date that is none arrives as one that is none", async () => {
      for (const back of (await travel(new Date(Number.NaN))) as Date[]) {
        expect(back).toBeInstanceOf(Date);
        expect(back.getTime()).toBeNaN();
      }
    });

    test("a DataView arrives as the part that it shows", async () => {
      const sent = new DataView(new Uint8Array([9, 8, 7]).buffer, 1);
      for (const back of (await travel(sent)) as DataView[])
        expect([back.byteLength, back.getUint8(0), back.getUint8(1)]).toEqual([2, 8, 7]);
    });

    test("a cycle arrives as a cycle", async () => {
      const one: { self?: unknown; list: unknown[]; map: Map<string, unknown> } = { list: [], map: new Map() };
      one.self = one;
      one.list.push(one.list, one);
      one.map.set("all", one.map);
      for (const back of (await travel(one)) as (typeof one)[]) {
        expect(back.self).toBe(back);
        expect(back.list[0]).toBe(back.list);
        expect(back.list[1]).toBe(back);
        expect(back.map.get("all")).toBe(back.map);
      }
    });

    test("what is the same object inside one value stays the same object", async () => {
      const point = { x: 1 };
      const small = new Float64Array(4);
      const large = new Float64Array(20_000);
      const date = new Date(0);
      const sent = { a: point, b: [point], small, small2: small, large, large2: [large], date, dates: new Set([date]) };
      for (const back of (await travel(sent)) as (typeof sent)[]) {
        expect(back.b[0]).toBe(back.a);
        expect(back.small2).toBe(back.small);
        expect(back.large2[0]).toBe(back.large);
        expect(back.dates.has(back.date)).toBe(true);
      }
    });

    test("an array with a named property keeps it beside a large array too", async () => {
      const sent = Object.assign([new Float64Array(20_000)] as unknown[], { unit: "m" });
      for (const back of (await travel(sent)) as (typeof sent)[]) expect(back.unit).toBe("m");
    });

    test("a task sees the same bytes as the program that sent them", async () => {
      const sum = distribute((data: Float64Array) => [data.length, data.reduce((a, b) => a + b, 0)]);
      for (const length of [10, 8191, 8192, 300_000]) {
        const data = Float64Array.from({ length }, (_, i) => i);
        expect(await get(sum(data))).toEqual([length, (length * (length - 1)) / 2]);
      }
    });

    describe("errors", () => {
      test("arrive with class, message, cause, own properties and stack", async () => {
        const cause = Object.assign(new RangeError("too far"), { distance: 7n });
        const error = Object.assign(new TypeError("wrong", { cause }), { code: "E_WRONG", data: { at: [1, 2] } });
        for (const back of (await travel(error)) as (typeof error)[]) {
          expect(back).toBeInstanceOf(TypeError);
          expect(back.message).toBe("wrong");
          expect(back.stack).toBe(error.stack);
          expect({ code: back.code, data: back.data }).toEqual({ code: "E_WRONG", data: { at: [1, 2] } });
          expect(Object.keys(back)).toEqual(["code", "data"]);
          const inner = back.cause as typeof cause;
          expect(inner).toBeInstanceOf(RangeError);
          expect([inner.message, inner.distance]).toEqual(["too far", 7n]);
        }
      });

      test("an AggregateError keeps its errors", async () => {
        const error = new AggregateError([new Error("one"), new SyntaxError("two"), "three"], "many");
        for (const back of (await travel(error)) as AggregateError[]) {
          expect(back).toBeInstanceOf(AggregateError);
          expect(back.errors.map((one: unknown) => String(one))).toEqual(["Error: one", "SyntaxError: two", "three"]);
          expect(back.errors[1]).toBeInstanceOf(SyntaxError);
        }
      });

      test("an error that is its own cause stays so", async () => {
        const error = new Error("round");
        error.cause = error;
        for (const back of (await travel(error)) as Error[]) expect(back.cause).toBe(back);
      });

      test("an error of the user's own class stays one", async () => {
        const error = new ShapeError("not closed", "triangle", [1, 2, 9]);
        for (const back of (await travel(error)) as ShapeError[]) {
          expect(back).toBeInstanceOf(ShapeError);
          expect([back.name, back.message, back.shape, back.sides]).toEqual([
            "ShapeError",
            "not closed",
            "triangle",
            [1, 2, 9],
          ]);
        }
      });
    });

    describe("instances of the user's classes", () => {
      test("arrive with their class and their fields, in both directions", async () => {
        const length = distribute((vector: Vector) => [vector instanceof Vector, vector.length()]);
        expect(await get(length(new Vector(3, 4)))).toEqual([true, 5]);
        for (const back of (await travel(new Vector(3, 4))) as Vector[]) {
          expect(back).toBeInstanceOf(Vector);
          expect(back.length()).toBe(5);
        }
      });

      test("of a subclass keep the methods of both", async () => {
        const greet = distribute((vector: NamedVector) => vector.greeting());
        expect(await get(greet(new NamedVector("v", 3, 4)))).toBe("v of length 5");
        for (const back of (await travel(new NamedVector("v", 6, 8))) as NamedVector[]) {
          expect(back).toBeInstanceOf(Vector);
          expect(back.greeting()).toBe("v of length 10");
        }
      });

      test("nested and in cycles arrive as they were", async () => {
        const root = new Tree("root").add(new Tree("a").add(new Tree("b")));
        const path = distribute((tree: Tree) => tree.children[0]!.children[0]!.path());
        expect(await get(path(root))).toBe("root/a/b");
        for (const back of (await travel(root)) as Tree[]) {
          expect(back).toBeInstanceOf(Tree);
          expect(back.children[0]!.parent).toBe(back);
          expect(back.children[0]!.children[0]!.path()).toBe("root/a/b");
        }
      });

      test("made inside a task arrive where the class is known", async () => {
        const make = distribute((x: number, y: number) => ({ made: [new Vector(x, y)] }));
        const { made } = await get(make(5, 12));
        expect(made[0]).toBeInstanceOf(Vector);
        expect((made[0] as Vector).length()).toBe(13);
      });

      test("of a class inside a task arrive with its methods or are refused in words", async () => {
        const make = distribute(() => {
          class Local {
            readonly x = 20;
            twice(): number {
              return this.x * 2;
            }
          }
          return new Local() as unknown;
        });
        const outcome = await get(make()).then(
          (value) => (value as { twice(): number }).twice(),
          (error: Error) => (error.cause as Error | undefined)?.message ?? error.message,
        );
        expect(String(outcome)).toMatch(/^40$|result of .* is an instance of Local/);
      });
    });

    describe("what cannot travel", () => {
      test.each(refused)("%s is refused, and the error names where it is", (_, make, words) => {
        const name = distribute((value: unknown) => value as number).options({ name: "work" });
        const value = make();
        expect(thrown(() => name(value), "Usage").message).toMatch(/^argument 1 of work /);
        const error = thrown(() => name(...([{ a: [0, { "b c": value }] }] as [unknown])), "Usage");
        expect(error.message).toMatch(words);
        expect(error.message.startsWith('argument 1 of work.a[1]["b c"] ')).toBe(true);
        expect(error.parameter).toBe('argument 1 of work.a[1]["b c"]');
        expect(thrown(() => name(new Map([["key", value]])), "Usage").message).toMatch(/\.get\("key"\) /);
        expect(thrown(() => name(new Set([value])), "Usage").message).toMatch(/\(an element\) /);
      });

      test.each(refused)("%s is refused by put", async (_, make, words) => {
        const error = await rejection(put({ deep: [make()] } as never), "Usage");
        expect(error.message).toMatch(words);
        expect(error.message).toContain(".deep[0] ");
      });

      test("the second argument is named as such", () => {
        const two = distribute((a: number, b: unknown) => [a, b] as never).options({ name: "two" });
        expect(thrown(() => two(1, { f: noop }), "Usage").message).toMatch(/^argument 2 of two\.f is a function/);
      });

      test("a result is refused the same way, as the task's error", async () => {
        const work = distribute(() => ({ list: [1, Symbol("s")] }) as unknown).options({ name: "work" });
        const error = await rejection(get(work()), "Task");
        expect(error.attempts).toBe(1);
        expect((error.cause as Error).message).toMatch(/^result of .*\.list\[1\] is a symbol/);
      });

      test("one result of a map that cannot travel costs only itself", async () => {
        const work = distribute((x: number) => (x === 2 ? { handler: () => 1 } : x) as unknown);
        const refs = work.map([1, 2, 3], { chunk: 3 });
        expect(await get([refs[0]!, refs[2]!])).toEqual([1, 3]);
        expect((await rejection(get(refs[1]!), "Task")).message).toMatch(/handler is a function/);
      });
    });
  });
}
