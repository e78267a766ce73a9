/** Actors: one living instance each, whose calls run in order and whose state lasts as long as its process. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Actor, cancel, distribute, get, getActor, kill } from "girona";
import { beforeEach, describe, expect, test } from "vitest";
import { tempDir, waitFor } from "../../support/index.ts";
import { blockUntil, sign, waitUntil } from "./gate.ts";
import { alive, type Open, pidIn, rejection, shared, thrown } from "./open.ts";

class Counter {
  #count: number;
  readonly history: number[] = [];
  constructor(start = 0) {
    this.#count = start;
  }
  add(by: number): number {
    this.#count += by;
    this.history.push(by);
    return this.#count;
  }
  all(): number[] {
    return this.history;
  }
  async addLater(by: number): Promise<number> {
    const before = this.#count;
    await new Promise((resolve) => setImmediate(resolve));
    this.#count = before + by;
    return this.#count;
  }
  fail(message: string): never {
    this.#count++;
    throw new RangeError(message);
  }
  pid(): number {
    return process.pid;
  }
  hold(place: string, gate: string): number {
    sign(place);
    blockUntil(gate);
    return this.#count;
  }
  async meet(mine: string, others: string[]): Promise<number> {
    sign(mine);
    for (const other of others) await waitUntil(other);
    return others.length;
  }
}
const RemoteCounter = distribute(Counter);

class Overlap {
  #inside = 0;
  #most = 0;
  async visit(): Promise<void> {
    this.#inside++;
    this.#most = Math.max(this.#most, this.#inside);
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
    this.#inside--;
  }
  most(): number {
    return this.#most;
  }
}

export function actors(open: Open): void {
  describe("actors", () => {
    shared(open);
    let directory = "";
    beforeEach(() => {
      directory = tempDir();
    });
    const file = (name: string): string => join(directory, name);

    test("count to 4950", async () => {
      const counter = new RemoteCounter();
      let last = counter.add(0);
      for (let i = 1; i < 100; i++) last = counter.add(i);
      expect(await get(last)).toBe(4950);
      await kill(counter);
    });

    test("run their calls in the order in which they were made, thousands of them", async () => {
      const counter = new RemoteCounter();
      for (let i = 0; i < 5000; i++) counter.add(i);
      expect(await get(counter.all())).toEqual(Array.from({ length: 5000 }, (_, i) => i));
      await kill(counter);
    });

    test("keep the order when an argument is not there yet", async () => {
      const later = distribute((gate: string) => {
        blockUntil(gate);
        return 1;
      });
      const counter = new RemoteCounter();
      counter.add(later(file("go")));
      counter.add(2);
      const all = counter.all();
      writeFileSync(file("go"), "");
      expect(await get(all)).toEqual([1, 2]);
      await kill(counter);
    });

    test("take references as the constructor's arguments", async () => {
      const later = distribute((gate: string) => {
        blockUntil(gate);
        return 40;
      });
      const counter = new RemoteCounter(later(file("go")));
      const sum = counter.add(2);
      writeFileSync(file("go"), "");
      expect(await get(sum)).toBe(42);
      await kill(counter);
    });

    test("finish an async method before the next begins", async () => {
      const counter = new RemoteCounter();
      const refs = Array.from({ length: 20 }, () => counter.addLater(1));
      expect(await get(refs)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
      const RemoteOverlap = distribute(Overlap);
      const overlap = new RemoteOverlap();
      await get(Array.from({ length: 20 }, () => overlap.visit()));
      expect(await get(overlap.most())).toBe(1);
      await kill(counter);
      await kill(overlap);
    });

    test("run as many calls at the same time as concurrency says, and no more", async () => {
      const Four = RemoteCounter.options({ concurrency: 4 });
      const counter = new Four();
      const places = ["a", "b", "c", "d"].map(file);
      // Each waits for all the others: they end only when they overlap.
      expect(await get(places.map((place) => counter.meet(place, places)))).toEqual([4, 4, 4, 4]);
      const FourOverlap = distribute(Overlap, { concurrency: 4 });
      const overlap = new FourOverlap();
      await get(Array.from({ length: 40 }, () => overlap.visit()));
      expect(await get(overlap.most())).toBe(4);
      await kill(counter);
      await kill(overlap);
    });

    test("a constructor that throws fails every call with its error", async () => {
      const Broken = distribute(
        class Broken {
          constructor(why: string) {
            throw new SyntaxError(why);
          }
          work(): number {
            return 1;
          }
        },
      );
      const broken = new Broken("no way");
      const first = await rejection(get(broken.work()), "Task");
      expect(first.cause).toBeInstanceOf(SyntaxError);
      expect((first.cause as Error).message).toBe("no way");
      const later = await rejection(get(broken.work()), "Task");
      expect((later.cause as Error).message).toBe("no way");
    });

    test("a constructor whose argument failed fails every call with that error", async () => {
      const fail = distribute((): number => {
        throw new RangeError("argument");
      });
      const counter = new RemoteCounter(fail());
      const error = await rejection(get(counter.add(1)), "Task");
      expect((error.cause as Error).message).toBe("argument");
    });

    test("a method that throws leaves the state as it is", async () => {
      const counter = new RemoteCounter(5);
      const error = await rejection(get(counter.fail("on purpose")), "Task");
      expect(error.task).toBe("Counter.fail");
      expect(error.cause).toBeInstanceOf(RangeError);
      expect(await get(counter.add(1))).toBe(7);
      await kill(counter);
    });

    test("with a name are found by it, from the driver and from a task", async () => {
      const Named = RemoteCounter.options({ name: "the counter" });
      const counter = new Named(1);
      const found = await getActor<Counter>("the counter");
      expect(await get(found.add(1))).toBe(2);
      const inside = distribute(async () => {
        const here = await getActor<Counter>("the counter");
        return get(here.add(10));
      });
      expect(await get(inside())).toBe(12);
      const error = thrown(() => new Named(2), "Usage");
      expect(error.message).toContain('"the counter"');
      expect(await get(counter.add(0))).toBe(12);
      await kill(counter);
      const missing = await rejection(getActor<Counter>("the counter"), "Usage");
      expect(missing.message).toContain('no actor named "the counter"');
      const again = new Named(100);
      expect(await get(again.add(0))).toBe(100);
      await kill(again);
    });

    test("an unknown method is told in words, with those there are", () => {
      const counter = new RemoteCounter();
      const error = thrown(() => (counter as unknown as { substract(): void }).substract(), "Usage");
      expect(error.message).toMatch(/Counter has no method substract\(\); it has: add, all/);
    });

    test("an unknown method of an actor found by name is told too", async () => {
      const Named = RemoteCounter.options({ name: "for typos" });
      const counter = new Named();
      const found = await getActor<{ substract(): number }>("for typos");
      const error = await Promise.resolve()
        .then(() => get(found.substract()))
        .then(
          () => "",
          (reason: Error) => reason.message,
        );
      expect(error).toMatch(/has no method substract/);
      await kill(counter);
    });

    test("a handle is no promise, and an async function can return it", async () => {
      const make = async (): Promise<Actor<Counter>> => new RemoteCounter(3);
      const counter = await make();
      expect((counter as unknown as { then?: unknown }).then).toBeUndefined();
      expect(await get(counter.add(1))).toBe(4);
      await kill(counter);
    });

    test("a handle is passed to tasks and used there", async () => {
      const counter = new RemoteCounter();
      const use = distribute(async (given: { counter: Actor<Counter>; by: number }) =>
        get(given.counter.add(given.by)),
      );
      await get(Array.from({ length: 10 }, (_, i) => use({ counter, by: i })));
      expect(await get(counter.add(0))).toBe(45);
      const direct = distribute(async (given: Actor<Counter>) => get(given.add(5)));
      expect(await get((direct as unknown as (a: unknown) => ReturnType<typeof direct>)(counter))).toBe(50);
      await kill(counter);
    });

    test("a handle is named in a task's body and travels with it", async () => {
      const counter = new RemoteCounter();
      const use = distribute(async (by: number) => get(counter.add(by)));
      await get([use(1), use(2), use(3)]);
      expect(await get(counter.add(0))).toBe(6);
      await kill(counter);
    });

    test("kill ends the process and rejects the calls", async () => {
      const counter = new RemoteCounter();
      const pid = await get(counter.pid());
      const running = counter.hold(file("a"), file("never"));
      const waiting = counter.add(1);
      await pidIn(file("a"));
      await kill(counter);
      await rejection(get(running), "Cancelled");
      await rejection(get(waiting), "Cancelled");
      expect(alive(pid)).toBe(false);
      await rejection(get(counter.add(1)), "Cancelled");
      await kill(counter);
    });

    test("a waiting call that is cancelled does not run", async () => {
      const counter = new RemoteCounter();
      const running = counter.hold(file("a"), file("go"));
      await pidIn(file("a"));
      const waiting = counter.add(100);
      await cancel(waiting);
      writeFileSync(file("go"), "");
      await rejection(get(waiting), "Cancelled");
      expect(await get(running)).toBe(0);
      expect(await get(counter.add(1))).toBe(1);
      await kill(counter);
    });

    test("a killed process fails the calls with the facts", async () => {
      const counter = new RemoteCounter();
      const running = counter.hold(file("a"), file("never"));
      const waiting = counter.add(1);
      process.kill(await pidIn(file("a")), "SIGKILL");
      const error = await rejection(get(running), "ActorLost");
      expect([error.actor, error.signal, error.exitCode, error.restarts]).toEqual(["Counter", "SIGKILL", undefined, 0]);
      expect(error.worker).toMatch(/^worker-\d+$/);
      await rejection(get(waiting), "ActorLost");
      await rejection(get(counter.add(1)), "ActorLost");
    });

    test("with maxRestarts start anew, and the waiting calls run", async () => {
      const Restarted = RemoteCounter.options({ maxRestarts: 1, name: "restarted" });
      const counter = new Restarted(10);
      expect(await get(counter.add(5))).toBe(15);
      const running = counter.hold(file("a"), file("never"));
      const waiting = [counter.add(1), counter.add(2)];
      process.kill(await pidIn(file("a")), "SIGKILL");
      await rejection(get(running), "ActorLost");
      expect(await get(waiting)).toEqual([11, 13]);
      const again = counter.hold(file("b"), file("never"));
      process.kill(await pidIn(file("b")), "SIGKILL");
      const error = await rejection(get(again), "ActorLost");
      expect([error.restarts, error.actor]).toEqual([1, 'Counter "restarted"']);
      await rejection(get(counter.add(1)), "ActorLost");
    });

    test("that restart are made with the same arguments, large ones too", async () => {
      class Holder {
        readonly #data: Float64Array;
        constructor(data: Float64Array) {
          this.#data = data;
        }
        sum(): number {
          return this.#data.reduce((a, b) => a + b, 0);
        }
        die(): void {
          this.#data.fill(0);
          process.kill(process.pid, "SIGKILL");
        }
      }
      const RemoteHolder = distribute(Holder, { maxRestarts: 2 });
      const holder = new RemoteHolder(new Float64Array(100_000).fill(1));
      for (let i = 0; i < 2; i++) {
        expect(await get(holder.sum())).toBe(100_000);
        await rejection(get(holder.die()), "ActorLost");
      }
      expect(await get(holder.sum())).toBe(100_000);
      await kill(holder);
    });

    test("killed before they are there reject their calls", async () => {
      const counter = new RemoteCounter();
      const call = counter.add(1);
      await kill(counter);
      await rejection(get(call), "Cancelled");
    });

    test("more than there are workers live side by side with tasks", async () => {
      const counters = Array.from({ length: 5 }, (_, i) => new RemoteCounter(i));
      expect(await get(counters.map((counter) => counter.add(1)))).toEqual([1, 2, 3, 4, 5]);
      expect(await get(distribute(() => 7)())).toBe(7);
      await Promise.all(counters.map((counter) => kill(counter)));
    });

    test("inherit the methods of the class above", async () => {
      class Loud extends Counter {
        shout(): string {
          return `${this.add(1)}!`;
        }
      }
      const RemoteLoud = distribute(Loud);
      const loud = new RemoteLoud(1);
      expect(await get([loud.shout(), loud.add(1)])).toEqual(["2!", 3]);
      await kill(loud);
    });

    test("a signal ends them", async () => {
      const abort = new AbortController();
      const Signalled = RemoteCounter.options({ signal: abort.signal });
      const counter = new Signalled();
      const pid = await get(counter.pid());
      abort.abort();
      await waitFor("the actor to be gone", () => !alive(pid));
      await rejection(get(counter.add(1)), "Cancelled");
    });

    test("called without new are told", () => {
      expect(thrown(() => (RemoteCounter as unknown as () => void)(), "Usage").message).toMatch(/with new/);
      expect(existsSync(directory)).toBe(true);
    });

    test("that nobody restarts run each call once", async () => {
      class Log {
        write(place: string, text: string): void {
          appendFileSync(place, text);
        }
      }
      const RemoteLog = distribute(Log);
      const log = new RemoteLog();
      await get(Array.from({ length: 300 }, () => log.write(file("log"), "x")));
      expect(readFileSync(file("log"), "utf8").length).toBe(300);
      await kill(log);
    });
  });
}
