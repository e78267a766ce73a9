/**
 * Mixed load for some time, each outcome compared with what plain JavaScript gives. Arguments: seed and seconds. One JSON line:
 * what was wrong, how much was done, and what the processes held after the warm-up and at the end. Run with --expose-gc.
 */
import { readdirSync, readFileSync } from "node:fs";
import { ActorLostError, CancelledError, cancel, cluster, distribute, get, put, TimeoutError } from "girona";

const [, , seed, seconds] = process.argv;
/** Mulberry32: small, and the same everywhere. */
let state = Number(seed) >>> 0;
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const below = (n) => Math.floor(random() * n);

const session = await cluster({ workers: 2, dashboard: false, objectMemory: "16MiB", memoryPerWorker: "512MiB" });
const { engine } = session;
let lost = 0;
engine.on((event) => {
  if (event.type === "worker.lost") lost++;
});

// --- what runs there, and here as the model

function mix(x, rounds) {
  let value = x;
  for (let i = 0; i < rounds; i++) value = (value * 1664525 + 1013904223) % 4294967296;
  return value;
}
function maybe(x) {
  if (x % 3 === 0) throw new RangeError(`no ${x}`);
  return { x, list: [x, [x + 1]], text: String(x) };
}
const filled = (n, value) => Float64Array.from({ length: n }, (_, i) => value + (i % 7));
const total = (data) => data.reduce((a, b) => a + b, 0);

const options = { retries: 1000 };
const remoteMix = distribute(mix, options);
const remoteMaybe = distribute(maybe, options);
const remoteFilled = distribute(filled, options);
const remoteTotal = distribute(total, options);
const remoteFill = distribute(([n, value]) => filled(n, value), options);
const remoteEach = distribute((x) => mix(x, x % 500), options);
const nested = distribute(async (xs) => {
  const parts = await get(xs.map((x) => remoteMix(x, 50)));
  return parts.reduce((a, b) => a + b, 0);
}, options);
const spin = distribute(() => {
  for (;;);
}, options);
const never = distribute(() => new Promise(() => {}), options);
class Counter {
  count = 0;
  /** Tells lives apart. */
  life = `${process.pid}-${Math.random()}`;
  add(by) {
    this.count += by;
    return [this.life, this.count];
  }
  die() {
    process.kill(process.pid, "SIGKILL");
  }
}
const RemoteCounter = distribute(Counter, { maxRestarts: 1000 });

// --- what is done

const wrong = [];
const done = {};
function same(what, got, expected) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a?.slice(0, 200)} in place of ${b?.slice(0, 200)}`);
}
async function fails(promise, Kind) {
  const error = await promise.then(
    (value) => new Error(`the value ${value}`),
    (reason) => reason,
  );
  if (!(error instanceof Kind)) throw new Error(`${Kind.name} was expected, and came ${error.stack}`);
  return error;
}
/** Stored arrays with what is in them; the older half of the time in files. */
let kept = [];
const size = () => 10_000 + below(120_000);

const operations = {
  async tasks() {
    const xs = Array.from({ length: 1 + below(200) }, () => below(1e6));
    const rounds = below(300);
    same(
      "tasks",
      await get(xs.map((x) => remoteMix(x, rounds))),
      xs.map((x) => mix(x, rounds)),
    );
  },
  async slow() {
    const x = below(1e6);
    same("slow", await get(remoteMix(x, 1_000_000)), mix(x, 1_000_000));
  },
  async failures() {
    const x = below(1e6);
    if (x % 3 !== 0) same("maybe", await get(remoteMaybe(x)), maybe(x));
    else same("error", (await get(remoteMaybe(x)).catch((error) => error)).cause?.message, `no ${x}`);
  },
  async map() {
    const xs = Array.from({ length: below(400) }, () => below(1e4));
    const chunk = [undefined, "auto", 1, 7, 1000][below(5)];
    same(
      "map",
      await get(remoteEach.map(xs, { chunk })),
      xs.map((x) => mix(x, x % 500)),
    );
  },
  async items() {
    const sizes = Array.from({ length: 1 + below(12) }, () => (below(3) ? 1 + below(20) : size()));
    const value = below(100);
    const refs = remoteFill.map(
      sizes.map((n) => [n, value]),
      { chunk: 1 + below(5) },
    );
    // One by one, in any order, here and as arguments.
    for (let round = below(6); round > 0; round--) {
      const i = below(sizes.length);
      const expected = total(filled(sizes[i], value));
      same("item, here", total(await get(refs[i])), expected);
      same("item, there", await get(remoteTotal(refs[i])), expected);
    }
  },
  async nested() {
    const lists = Array.from({ length: 1 + below(5) }, () => Array.from({ length: below(8) }, () => below(1e6)));
    const expected = lists.map((xs) => xs.map((x) => mix(x, 50)).reduce((a, b) => a + b, 0));
    same("nested", await get(lists.map((xs) => nested(xs))), expected);
  },
  async chain() {
    const x = below(1000);
    let ref = remoteMix(x, 1);
    let value = mix(x, 1);
    for (let i = below(30); i > 0; i--) {
      ref = remoteMix(ref, 1);
      value = mix(value, 1);
    }
    same("chain", await get(ref), value);
  },
  async large() {
    const [n, value] = [size(), below(100)];
    const ref = below(2) ? await put(filled(n, value)) : remoteFilled(n, value);
    kept.push({ ref, n, value });
    same("large", await get(remoteTotal(ref)), total(filled(n, value)));
    if (kept.length > 40) kept.splice(below(kept.length), 1);
  },
  async again() {
    const one = kept[below(kept.length)];
    if (!one) return;
    same("again, there", await get(remoteTotal(one.ref)), total(filled(one.n, one.value)));
    same("again, here", total(await get(one.ref)), total(filled(one.n, one.value)));
  },
  async argument() {
    const [n, value] = [size(), below(100)];
    same("argument", await get(remoteTotal(filled(n, value))), total(filled(n, value)));
  },
  async actor() {
    const counter = new RemoteCounter();
    const lives = new Map();
    for (let round = 1 + below(3); round > 0; round--) {
      const calls = Array.from({ length: 1 + below(20) }, () => 1 + below(9));
      const results = await Promise.allSettled(calls.map((by) => get(counter.add(by))));
      for (const [i, { status, value, reason }] of results.entries()) {
        if (status === "rejected") {
          // Whatever call was in the process when it was killed.
          if (!(reason instanceof ActorLostError)) throw reason;
          lives.clear();
          continue;
        }
        const [life, count] = value;
        const before = lives.get(life);
        if (before !== undefined) same("actor", count, before + calls[i]);
        lives.set(life, count);
      }
      if (below(3) === 0) await fails(get(counter.die()), ActorLostError);
    }
  },
  async cancelled() {
    const ref = [spin, never][below(2)]();
    const settled = fails(get(ref), CancelledError);
    // Before it is sent, before it runs, or while it runs. Not after another task: two of these may hold both workers.
    for (let turns = below(60); turns > 0; turns--) await new Promise((resolve) => setTimeout(resolve, 1));
    await cancel(ref);
    await settled;
  },
  async timedOut() {
    await fails(get(spin.options({ timeout: "30ms" })()), TimeoutError);
  },
  async aborted() {
    const stopping = new AbortController();
    const refs = Array.from({ length: 3 }, () => never.options({ signal: stopping.signal })());
    const settled = Promise.all(refs.map((ref) => fails(get(ref), CancelledError)));
    stopping.abort();
    await settled;
  },
  async killed() {
    const { workers } = engine.snapshot();
    const worker = workers[below(workers.length)];
    // Not an actor's: its calls are not repeated, and are checked in `actor`.
    if (worker?.state === "busy" || worker?.state === "idle") process.kill(worker.pid, "SIGKILL");
  },
};
/** How often each is drawn. */
const weights = {
  tasks: 12,
  slow: 4,
  failures: 10,
  map: 8,
  items: 4,
  nested: 6,
  chain: 6,
  large: 8,
  again: 8,
  argument: 4,
  actor: 2,
  cancelled: 2,
  timedOut: 1,
  aborted: 2,
  killed: 1,
};
const drawn = Object.entries(weights).flatMap(([name, weight]) => Array(weight).fill(name));

/** An operation that has not ended after so long never will, however busy the machine is; ms. */
const longestMs = 40_000;

function ends(name, operation, limitMs = longestMs) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => {
      const { workers, queued, running } = engine.snapshot();
      reject(new Error(`still waits; ${JSON.stringify({ name, queued, running, workers })}`));
    }, limitMs);
  });
  return Promise.race([operation(), late]).finally(() => clearTimeout(timer));
}

/** Runs until then, some at a time. */
async function load(until) {
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      while (performance.now() < until && wrong.length === 0) {
        const name = drawn[below(drawn.length)];
        try {
          await ends(name, operations[name]);
          done[name] = (done[name] ?? 0) + 1;
        } catch (error) {
          wrong.push(`${name}: ${error.stack}`);
        }
      }
    }),
  );
}

// --- what is held when nothing is under way

const workerGc = distribute(() => {
  process.getBuiltinModule("node:v8").setFlagsFromString("--expose-gc");
  process.getBuiltinModule("node:vm").runInNewContext("gc")();
}, options);
const files = (pid) => readdirSync(`/proc/${pid}/fd`).length;
const residentMiB = (pid) => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

async function rest() {
  kept = [];
  let before = Number.POSITIVE_INFINITY;
  // What is dropped is closed by and by: until nothing more goes, a hundred rounds at most.
  for (let round = 0, still = 0; round < 100 && still < 10; round++) {
    globalThis.gc();
    await get(Array.from({ length: 4 }, () => workerGc()));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const now = files("self");
    still = now >= before ? still + 1 : 0;
    before = Math.min(before, now);
  }
  const workers = engine.snapshot().workers.map(({ pid }) => pid);
  return {
    driver: { files: files("self"), residentMiB: residentMiB("self") },
    workers: workers.map((pid) => ({ files: files(pid), residentMiB: residentMiB(pid) })),
    objectBytes: engine.snapshot().objectBytes,
    queued: engine.snapshot().queued + engine.snapshot().running,
  };
}

const ms = Number(seconds) * 1e3;
await ends("the first load", () => load(performance.now() + ms / 3), ms + 2 * longestMs);
const warm = await ends("the first rest", rest);
await ends("the second load", () => load(performance.now() + (ms * 2) / 3), ms + 2 * longestMs);
const end = await ends("the second rest", rest);
await ends("close", () => session.close());
console.log(JSON.stringify({ wrong: wrong.slice(0, 5), done, lost, warm, end }));
