// @ts-nocheck
// biome-ignore-all lint: written as users may write it

import { EventEmitter } from "node:events";
import { readFileSync as rfs } from "node:fs";
import net from "node:net";
import * as os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { version as acornVersion, parse } from "acorn";
import { version as esbuildVersion } from "esbuild";
import * as other from "./other.ts";
import Def, { Animal, addBase, arrowOther, base, count, counter, Secret } from "./other.ts";

const K = 3;
let cnt = 10;
function helper(x: number) {
  return x * K;
}
class Base {
  hello() {
    return "base";
  }
  static make() {
    return new this();
  }
}
let blocks = 0;
class Counter extends Base {
  #n = 0;
  static total = 5;
  static #hidden = 1;
  static {
    blocks++;
  }
  constructor(s: number) {
    super();
    this.#n = s;
  }
  inc(by: number) {
    this.#n += by;
    return this.#n;
  }
  async get() {
    return `${super.hello()} ${this.#n} ${Counter.total} ${helper(1)}`;
  }
  get n() {
    return this.#n;
  }
  static #priv() {
    return Counter.#hidden;
  }
  static priv() {
    return Counter.#priv();
  }
  static hide(value: number) {
    Counter.#hidden = value;
  }
}
class Point {
  x: number;
  y: number;
  constructor(x: number, y: number) {
    this.x = x;
    this.y = y;
  }
  norm() {
    return Math.hypot(this.x, this.y);
  }
}
const fib = (n: number): number => (n < 2 ? n : fib(n - 1) + fib(n - 2));
const even = (n: number): boolean => (n === 0 ? true : odd(n - 1));
const odd = (n: number): boolean => (n === 0 ? false : even(n - 1));
const makeAdder = (a: number) => (x: number) => x + a;
class FromOther extends Animal {
  speak() {
    return super.speak() + K;
  }
}
const Mixin = (C: any) =>
  class extends C {
    m() {
      return `m${K}`;
    }
  };
class A0 {
  a() {
    return "a";
  }
}
class Mixed extends Mixin(A0) {}
class Failure extends Error {
  code = 5;
}
const fetch = (x: number) => x + 1;
let modlet = 0;
const bump = () => ++modlet;
const ünï = 4;
const shared = { n: 0 };
const addShared = () => ++shared.n;
const readShared = () => shared.n;
function Old(this: any, v: number) {
  this.v = v;
}
Old.prototype.twice = function () {
  return this.v * 2;
};
function Older(this: any, v: number) {
  Old.call(this, v);
}
Older.prototype = Object.create(Old.prototype, { constructor: { value: Older, writable: true, configurable: true } });
Older.prototype.thrice = function () {
  return this.v * 3;
};
class Singleton {
  static instance = new Singleton();
  v = 8;
}
class Keyed {
  static [Symbol.for("girona.test")] = 3;
  [Symbol.iterator]() {
    return [1, 2][Symbol.iterator]();
  }
}
const keyName = "dynamic";
class Named {
  [keyName]() {
    return 6;
  }
}
class Patched {
  a() {
    return 1;
  }
}
Patched.prototype.a = () => K;
(Patched.prototype as any).b = function () {
  return this.a() + 1;
};
class Accessors {
  raw = 1;
  get double() {
    return this.raw * 2;
  }
  set double(value) {
    this.raw = value / 2;
  }
  static of() {
    return new this();
  }
}
class Tree {
  kids: Tree[];
  constructor(kids: Tree[] = []) {
    this.kids = kids;
  }
  total(): number {
    return 1 + this.kids.reduce((sum, kid) => sum + kid.total(), 0);
  }
}
class List extends Array {
  sum() {
    return this.reduce((a, b) => a + b, 0);
  }
}
class Table extends Map {}
class Emitter extends EventEmitter {}
class Parent {
  static kin = 7;
  hi() {
    return "parent";
  }
}
class Adopted {}
Object.setPrototypeOf(Adopted, Parent);
Object.setPrototypeOf(Adopted.prototype, Parent.prototype);
class Outer {
  static Inner = class {
    v = 3;
  };
  make() {
    return new Outer.Inner().v;
  }
}

export async function core({ works, refused, throws }: any) {
  await works("arrow", (x: number) => x * x, [4], 16);
  await works(
    "async arrow",
    async (x: number) => {
      await null;
      return x + 1;
    },
    [4],
    5,
  );
  function decl(x: number) {
    return x + K;
  }
  await works("function declaration", decl, [4], 7);
  await works("function of the module", helper, [4], 12);
  await works(
    "generator",
    function* (n: number) {
      for (let i = 0; i < n; i++) yield i * K;
    },
    [3],
    [0, 3, 6],
  );
  await works(
    "async generator",
    async function* (n: number) {
      for (let i = 0; i < n; i++) yield i;
    },
    [2],
    [0, 1],
  );
  await works(
    "object method",
    {
      m(x: number) {
        return x + cnt;
      },
    }.m,
    [1],
    11,
  );
  const k = "dyn";
  await works(
    "computed method",
    {
      [k](x: number) {
        return x;
      },
    }[k],
    [1],
    1,
  );
  await works(
    "async method",
    {
      async m(x: number) {
        return x + K;
      },
    }.m,
    [1],
    4,
  );
  await works(
    "getter function",
    Object.getOwnPropertyDescriptor(
      {
        get a() {
          return K;
        },
      },
      "a",
    )!.get,
    [],
    3,
  );
  await works("bound method", new Point(3, 4).norm.bind(new Point(3, 4)), [], 5);
  await works("bound arguments", helper.bind(null, 5), [], 15);
  await works("native function", Math.max, [1, 5], 5);
  await works("function made by new Function", new Function("x", "return x + 1"), [1], 2);
  await works(
    "name of an arrow",
    (() => {
      const named = () => named.name;
      return named;
    })(),
    [],
    (() => {
      const named = () => named.name;
      return named();
    })(),
  );
  await works(
    "named function expression",
    async function named(n: number): Promise<number> {
      return n ? named(n - 1) : 0;
    },
    [3],
    0,
  );
  await works(
    "default parameters and patterns",
    ({ a = K, ...r }: any = {}, [q = cnt] = []) => a + q + Object.keys(r).length,
    [{ z: 1 }],
    14,
  );
  await works(
    "label, try, catch, switch",
    (x: any) => {
      o: for (const i of [1, 2]) {
        try {
          switch (i) {
            case 2: {
              break o;
            }
          }
          JSON.parse("{");
        } catch ({ name }) {
          x = name;
        }
      }
      return x;
    },
    [0],
    "SyntaxError",
  );
  await works("template, optional chain, regex", (x: any) => `${x?.y ?? K}${/[)}\]]/.test(")")}`, [{}], "3true");
  await works(
    "sort with a comparator, rest arguments",
    (a: number[], ...r: any[]) => [...a].sort((p, q) => q - p).concat(argumentCount()),
    [[1, 2]],
    [2, 1, 0],
  );
  function argumentCount() {
    return arguments.length;
  }

  await works("class with #private, static, super", Counter, [2], "base 5 5 3", { calls: [["inc", 3], ["get"]] });
  await works("static block has run already", () => [Counter.total, blocks], [], [5, 1]);
  Counter.hide(4);
  await works("changed static #private", () => Counter.priv(), [], 4);
  Counter.total = 77;
  await works("changed static", () => Counter.total, [], 77);
  const Anon = class {
    v = helper(2);
    get() {
      return this.v;
    }
  };
  await works("class expression with a field", Anon, [], 6, { calls: [["get"]] });
  await works("class extends an imported class", FromOther, ["a"], "a!3", { calls: [["speak"]] });
  await works(
    "mixin",
    () => {
      const m: any = new Mixed();
      return m.a() + m.m();
    },
    [],
    "am3",
  );
  await works("changed parents", () => [(Adopted as any).kin, (new Adopted() as any).hi()], [], [7, "parent"]);
  await works("class in a static", () => new Outer().make(), [], 3);
  await works(
    "static that holds its own instance",
    () => (Singleton.instance as any).v + Number(Singleton.instance instanceof Singleton),
    [],
    9,
  );
  await works("symbol-keyed members", () => [...new Keyed(), (Keyed as any)[Symbol.for("girona.test")]], [], [1, 2, 3]);
  await works("member named by a const", () => (new Named() as any).dynamic(), [], 6);
  await works(
    "member named by a local symbol",
    (() => {
      const id = Symbol.for("girona.local");
      return class {
        [id]() {
          return 2;
        }
        go() {
          return (this as any)[id]();
        }
      };
    })(),
    [],
    2,
    { calls: [["go"]] },
  );
  await works("changed prototype", () => (new Patched() as any).b(), [], 4);
  await works("constructor function", () => new (Old as any)(4).twice(), [], 8);
  await works(
    "constructor function that inherits",
    () => {
      const o = new (Older as any)(4);
      return [o.twice(), o.thrice(), o instanceof Old];
    },
    [],
    [8, 12, true],
  );
  await works(
    "class thrown and caught",
    () => {
      try {
        throw new Failure("q");
      } catch (e: any) {
        return [e instanceof Failure, e.code, e.message];
      }
    },
    [],
    [true, 5, "q"],
  );
  await works(
    "getter in a class",
    () => {
      const a = Accessors.of();
      a.double = 8;
      return [a.double, a.raw];
    },
    [],
    [8, 4],
  );

  await works("recursion", fib, [15], 610);
  await works("mutual recursion", even, [10], true);
  {
    const ev = (n: number): boolean => (n === 0 ? true : od(n - 1));
    const od = (n: number): boolean => (n === 0 ? false : ev(n - 1));
    await works("mutual recursion in a block", ev, [11], false);
  }
  await works("const, let and helper", (x: number) => helper(x) + cnt, [1], 13);
  await works("factory", makeAdder(3), [4], 7);
  const mk2 = (fns: any[]) => {
    const inner = { z: 5 };
    const g = (x: number) => x + inner.z;
    return (x: number) => g(x) * fns.length + fns[0](x);
  };
  await works("nested factory with an array of functions", mk2([helper]), [1], 9);
  const fs: any[] = [];
  for (let i = 0; i < 3; i++) fs.push(() => i * K);
  await works("closure of a loop", fs[2], [], 6);
  {
    const K = 50;
    await works("shadowed name", () => K, [], 50);
  }
  const outerX = () => K;
  {
    const K = 50;
    await works("two scopes, one name", () => outerX() + K, [], 53);
  }
  const Map2 = class Map {
    q = 1;
  };
  {
    const Map = 5;
    await works("a const that shadows a global", () => Map, [], 5);
  }
  await works("a module variable that shadows a global", () => fetch(1), [], 2);
  let snap = 1;
  const readSnap = () => snap;
  snap = 2;
  await works("let as it is at the call", readSnap, [], 2);
  await works(
    "module let changed by a helper",
    () => {
      bump();
      bump();
      return modlet;
    },
    [],
    2,
  );
  await works(
    "one shared object",
    () => {
      addShared();
      return readShared();
    },
    [],
    1,
  );
  await works("unicode name", () => ünï, [], 4);
  const $ = { n: 1 };
  const $girona = { n: 2 };
  await works("names that girona uses itself", () => $.n + $girona.n, [], 3);
  const F = 1,
    O = 2,
    V = 4;
  await works("names of one letter", () => F + O + V, [], 7);
  const withProps: any = Object.assign((x: number) => x + withProps.off, { off: 5 });
  await works("function with properties", withProps, [1], 6);
  await works(
    "captured native functions",
    (() => {
      const log = console.log,
        mx = Math.max,
        cl = structuredClone,
        sl = Array.prototype.slice;
      return () => [mx(1, 2), typeof log, cl({ a: 1 }).a, sl.call([1, 2], 1)];
    })(),
    [],
    [2, "function", 1, [2]],
  );
  await works("typeof of a name that does not exist", () => typeof notDefinedAnywhere, [], "undefined");
  await works("global of the process", () => typeof process.stdout.fd, [], "number");
  (globalThis as any).someGlobal = 42;
  await works("global of the user", () => (someGlobal as any) + 1, [], 43);
  await works("property of globalThis is the worker's", () => (globalThis as any).someGlobal, [], undefined);
  process.env.GIRONA_TEST_ONLY_HERE = "driver";
  const env = process.env;
  await works("process.env is the worker's", () => env === process.env && typeof env.PATH, [], "string");

  await works("named import of Node", () => rfs("/proc/self/comm", "utf8").length > 0, [], true);
  await works("default import of Node", () => path.join("a", "b"), [], "a/b");
  await works("namespace import of Node", () => typeof os.cpus().length, [], "number");
  await works("named import of a package", () => parse("1 + 1", { ecmaVersion: 2020 }).type, [], "Program");
  await works("data from packages", () => [acornVersion, esbuildVersion], [], [acornVersion, esbuildVersion]);
  await works("import of a file", (x: number) => addBase(x), [1], 101);
  await works("data of a file", () => base, [], 100);
  await works("default import of a file", () => new Def().get(), [], 101);
  await works("namespace import of a file", () => other.base + other.addBase(1), [], 201);
  await works("imported function itself", addBase, [1], 101);
  await works("imported arrow itself", arrowOther, [1], 100);
  await works(
    "import that changes",
    () => {
      const before = counter;
      count();
      count();
      return counter - before;
    },
    [],
    2,
  );
  const made = new Animal("cat");
  await works("instance of an imported class", () => made instanceof Animal && made.speak(), [], "cat!");
  const Kind = Animal;
  await works("imported class under another name", () => new Kind("a") instanceof Animal, [], true);
  await works("dynamic import of a file", async () => (await import("./other.ts")).base, [], 100);
  await works("dynamic import of Node", async () => (await import("node:os")).platform(), [], process.platform);

  const map = new Map<any, any>([["a", 1]]),
    set = new Set([1, 2]),
    date = new Date(0),
    big = 10n,
    re = /a(b)/g,
    sym = Symbol.for("x"),
    err = new TypeError("boom"),
    u8 = new Uint8Array([1, 2]),
    un = undefined,
    nn = null,
    nan = Number.NaN,
    bf = Buffer.from("hi"),
    neg = -0;
  await works(
    "values of all kinds",
    () => [
      map.get("a"),
      set.size,
      date.getTime(),
      big,
      "ab".match(re)?.length,
      String(sym),
      err.message,
      u8[1],
      un,
      nn,
      Number.isNaN(nan),
      bf.toString(),
      Object.is(neg, -0),
    ],
    [],
    [1, 2, 0, 10n, 1, "Symbol(x)", "boom", 2, undefined, null, true, "hi", true],
  );
  const pt = new Point(3, 4);
  await works("instance", () => pt.norm() + Number(pt instanceof Point), [], 6);
  const tree = new Tree([new Tree(), new Tree()]);
  await works("nested instances", () => tree.total(), [], 3);
  const counting = {
    n: 1,
    inc() {
      return ++this.n;
    },
  };
  await works("object with a method", () => counting.inc() + counting.inc(), [], 5);
  const cyc: any = { a: 1, f: helper };
  cyc.self = cyc;
  await works("cycle with a function", () => cyc.self.self.f(2), [], 6);
  const twin = { v: 1 },
    pair = [twin, { also: twin }];
  await works(
    "one object in two places",
    () => {
      (pair[0] as any).v = 9;
      return [(pair[1] as any).also.v, twin === pair[0]];
    },
    [],
    [9, true],
  );
  const frozen = Object.freeze({ a: 1 }),
    sealed = Object.seal([1]),
    closed = Object.preventExtensions({ a: Object.freeze([2]) });
  await works(
    "frozen, sealed, not extensible",
    () => [
      Object.isFrozen(frozen),
      Object.isSealed(sealed),
      Object.isFrozen(sealed),
      Object.isExtensible(closed),
      Object.isFrozen(closed.a),
    ],
    [],
    [true, true, false, false, true],
  );
  const hidden = Object.defineProperty({ a: 1 }, "b", { value: 2 });
  await works(
    "property flags",
    () => [Object.keys(hidden), (hidden as any).b, Object.getOwnPropertyDescriptor(hidden, "b")!.writable],
    [],
    [["a"], 2, false],
  );
  const holes = [1, , 3];
  await works("array with a hole", () => [1 in holes, holes.length], [], [false, 3]);
  const fnHoles = [helper, , 3];
  await works(
    "array of functions with a hole",
    () => [1 in fnHoles, fnHoles.length, (fnHoles[0] as any)(1)],
    [],
    [false, 3, 3],
  );
  const extra: any = Object.assign([1, 2], { label: "x" });
  await works("array with a property", () => [extra.label, extra.length], [], ["x", 2]);
  const manyExtra: any = Object.assign(
    Array.from({ length: 500 }, (_, i) => i),
    { f: helper },
  );
  await works("long array with a function as property", () => manyExtra.f(2) + manyExtra.length, [], 506);
  const re2 = /a/g;
  re2.lastIndex = 3;
  await works("regular expression and its lastIndex", () => [re2.lastIndex, re2.flags], [], [3, "g"]);
  const fnMap = new Map<any, any>([
      ["a", (x: number) => x * 2],
      [pt, 1],
    ]),
    fnSet = new Set([helper]);
  await works("map and set of functions", () => [fnMap.get("a")(4), fnMap.get(pt), [...fnSet][0]!(1)], [], [8, 1, 3]);
  const caused = new Error("a", { cause: { k: 1 } }),
    coded = Object.assign(new Error("b"), { code: "E" });
  await works(
    "error with cause and properties",
    () => [(caused.cause as any).k, (coded as any).code, coded.message, caused instanceof Error, typeof caused.stack],
    [],
    [1, "E", "b", true, "string"],
  );
  const own = new Failure("own");
  await works(
    "instance of an error class",
    () => [own.message, own.code, own instanceof Failure, own instanceof Error, Object.prototype.toString.call(own)],
    [],
    ["own", 5, true, true, "[object Error]"],
  );
  const keyed = { [Symbol.for("k")]: 1, a: 2 };
  await works("symbol-keyed property", () => (keyed as any)[Symbol.for("k")], [], 1);
  const nul = Object.create(null);
  nul.a = 1;
  await works("no prototype", () => [nul.a, Object.getPrototypeOf(nul)], [], [1, null]);
  const proto = {
      hi() {
        return `hi ${(this as any).n}`;
      },
    },
    child = Object.create(proto, { n: { value: 2, enumerable: true } });
  await works("prototype of its own", () => child.hi(), [], "hi 2");
  const dated = Object.assign(new Date(5), { zone: "x" }),
    frozenDate = Object.freeze(new Date(7));
  await works(
    "dates with properties, frozen dates",
    () => [dated.getTime(), dated.zone, frozenDate.getTime(), Object.isFrozen(frozenDate)],
    [],
    [5, "x", 7, true],
  );
  const invalid = new Date(Number.NaN);
  await works("invalid date", () => Number.isNaN(invalid.getTime()), [], true);
  const url = new URL("http://a/b?c=1"),
    search = new URLSearchParams("a=1&b=2"),
    enc = new TextEncoder(),
    dec = new TextDecoder("latin1", { fatal: true });
  await works(
    "URL, URLSearchParams, TextEncoder, TextDecoder",
    () => [url.pathname, url.searchParams.get("c"), search.get("b"), enc.encode("a")[0], dec.encoding, dec.fatal],
    [],
    ["/b", "1", "2", 97, "windows-1252", true],
  );
  const large = new Float64Array(20000).fill(1.5);
  await works("large typed array", () => large[19999], [], 1.5);
  const view = new Float64Array([1, 2, 3]).subarray(1);
  await works("view of a part", () => [view.length, view[0]], [], [2, 2]);
  const memory = new ArrayBuffer(16),
    floats = new Float32Array(memory),
    bytes = new Uint8Array(memory, 4, 4);
  await works(
    "two views of one buffer",
    () => {
      floats[1] = 1;
      return [bytes[3], floats.buffer === bytes.buffer];
    },
    [],
    [63, true],
  );
  const bigMemory = new ArrayBuffer(160_000),
    bigFloats = new Float64Array(bigMemory),
    bigBytes = new Uint8Array(bigMemory, 8, 8),
    dataView = new DataView(bigMemory, 8, 16);
  await works(
    "views of one large buffer",
    () => {
      bigFloats[1] = 1;
      return [bigBytes[7], dataView.getFloat64(0, true), bigMemory.byteLength];
    },
    [],
    [63, 1, 160_000],
  );
  const deep: any[] = Array.from({ length: 100_000 }, (_, i) => i);
  await works("100 000 numbers", () => deep.length, [], 100_000);
  let chain: any = null;
  for (let i = 0; i < 20_000; i++) chain = { next: chain };
  await works(
    "a list 20 000 long",
    () => {
      let n = 0;
      for (let c = chain; c; c = c.next) n++;
      return n;
    },
    [],
    20_000,
  );
  const odd1 = "a\u2028b`${\ud800",
    long = "é".repeat(1000);
  await works("odd and long texts", () => [odd1, long.length], [], [odd1, 1000]);
  const external = { isExternalForTests: true, payload: 7 };
  await works("what the host carries", () => (external as any).payload, [], 7);

  await throws(
    "error in a function",
    (x: number) => {
      if (x > 0) throw new Error(`bad ${x}`);
    },
    [1],
    /^bad 1$/,
  );

  class T {
    v = 5;
    mk() {
      return () => this.v;
    }
  }
  await refused("outer this", new T().mk(), "this", /around/, "return () => this.v");
  await refused(
    "outer arguments",
    (function () {
      return () => arguments.length;
    })(),
    "arguments",
    /around/,
  );
  await refused("eval", (x: number) => eval("x + K"), "eval", /eval/);
  const withPrivate = new Counter(1);
  await refused("instance with #private", () => withPrivate.n, "withPrivate", /#n/);
  const secret = new Secret();
  await refused("instance of an imported class with #private", () => secret.key(), "secret", /#key/);
  const acc = {
    deep: {
      get v() {
        return 5 + Number(helper(1));
      },
    },
  };
  await refused("getter on an object", () => acc.deep.v, "acc.deep.v", /getter/);
  const sock = new net.Socket();
  await refused("socket", () => sock.destroyed, "sock", /Socket/);
  const stream = Readable.from([1]);
  await refused("stream", () => stream.read(), "stream", /Readable/);
  const out = process.stdout;
  await refused("process.stdout in a const", () => out.fd, "out", /stays in its process/);
  const emitter = new Emitter();
  await refused("subclass of EventEmitter", () => emitter.emit("a"), "emitter", /Node\.js/);
  const pr = Promise.resolve(1);
  await refused("promise", () => pr, "pr", /Promise/);
  const wm = new WeakMap();
  await refused("WeakMap", () => wm, "wm", /weak/);
  const usym = Symbol("u");
  await refused("unique symbol", () => usym, "usym", /unique/);
  const inside = { list: [{ usym }] };
  await refused("unique symbol deep inside", () => inside, "inside.list[0].usym", /unique/);
  const boxed = Object(3);
  await refused("object around a primitive", () => boxed + 1, "boxed", /primitive/);
  const format = new Intl.NumberFormat("en");
  await refused("object of V8", () => format.format(1), "format", /NumberFormat/);
  const px = new Proxy({ a: 1 }, {});
  await refused("Proxy", () => px.a, "px", /Proxy/);
  const gen = (function* () {
    yield 1;
  })();
  await refused("running generator", () => gen.next(), "gen", /generator/);
  const iter = [1][Symbol.iterator]();
  await refused("running iterator", () => iter.next(), "iter", /iterator/);
  const abort = new AbortController();
  await refused("AbortController", () => abort.signal.aborted, "abort", /AbortController/);
  const sig = abort.signal;
  await refused("AbortSignal", () => sig.aborted, "sig", /AbortSignal/);
  const sab = new SharedArrayBuffer(8),
    sabView = new Uint8Array(sab);
  await refused("SharedArrayBuffer", () => sab.byteLength, "sab", /shared memory/);
  await refused("view of a SharedArrayBuffer", () => sabView.length, "sabView", /shared memory/);
  const list = List.from([1, 2]) as List;
  await refused("subclass of Array", () => list.sum(), "list", /Array/);
  const table = new Table([[1, 2]]);
  await refused("subclass of Map", () => table.get(1), "table", /Map/);
  let local = 0;
  local++;
  await refused("assigned local let", () => ++local, "local", /assigns/);
  const oo = (() => {
    let c = 0;
    return { inc: () => ++c, get: () => c };
  })();
  await refused(
    "two closures that share a let",
    () => {
      oo.inc();
      return oo.get();
    },
    "c",
    /assigns/,
    "inc: () => ++c",
  );
  await refused("used before its declaration", () => later, "later", /no value yet/);
  const later = Math.max(1, 2);
  await works("used after its declaration", () => later, [], 2);
  await refused("name that does not exist", () => notDefinedAnywhere, "notDefinedAnywhere", /not defined/);
  await refused("method with super", new Counter(1).get, "super", /super/, "return `${super.hello()}");
  await refused("method with #private", Object.getPrototypeOf(new Counter(1)).inc, "#n", /#private/, "this.#n += by");
  void [Map2, env];
}
