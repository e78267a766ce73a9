import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Cluster, cluster, distribute, get } from "girona";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rejection } from "../engine/contract/open.ts";
import { tempDir } from "../support/index.ts";
import { listen } from "./support/index.ts";

let session: Cluster;
beforeAll(async () => {
  session = await cluster({ workers: 2, dashboard: false });
});
afterAll(() => session.close());

const ways: { readonly [way: string]: () => void } = {
  SIGKILL: () => process.kill(process.pid, "SIGKILL"),
  SIGSEGV: () => process.kill(process.pid, "SIGSEGV"),
  SIGABRT: () => process.abort(),
  "exit 0": () => process.exit(0),
  "a stray rejection": () => void Promise.reject(new Error("stray")),
};

test.each(Object.keys(ways))("a task that ends every worker it meets by %s fails alone", async (way) => {
  const log = join(tempDir(), "runs");
  const heard = listen(session);
  const poison = distribute(
    (name: string, place: string): Promise<void> => {
      appendFileSync(place, "x");
      ways[name]!();
      return new Promise(() => {});
    },
    { name: `poison ${way}` },
  );
  const square = distribute((x: number) => x * x);
  const before = Array.from({ length: 300 }, (_, i) => square(i));
  const bad = poison.options(way === "SIGKILL" ? {} : { retries: 1 })(way, log);
  const after = Array.from({ length: 300 }, (_, i) => square(i));
  const attempts = way === "SIGKILL" ? 4 : 2;

  const error = await rejection(get(bad), "WorkerLost");
  expect(error.attempts).toBe(attempts);
  expect(error.message).toContain(`poison ${way}`);
  expect(readFileSync(log, "utf8")).toBe("x".repeat(attempts));
  const expected = Array.from({ length: 300 }, (_, i) => i * i);
  expect(await get(before)).toEqual(expected);
  expect(await get(after)).toEqual(expected);
  const told = heard("task.retried").filter(({ task }) => task === `poison ${way}`);
  expect(told.map((event) => event.attempts)).toEqual(Array.from({ length: attempts - 1 }, (_, i) => i + 1));
});

test("whoever waits for its result gets the same error, and the cluster goes on", async () => {
  const poison = distribute(
    (): number => {
      process.kill(process.pid, "SIGKILL");
      return 1;
    },
    { name: "poison", retries: 1 },
  );
  const plus = distribute((x: number) => x + 1);
  const dependent = plus(plus(poison()));
  const inside = distribute(async () => {
    try {
      return await get(poison());
    } catch (error) {
      return (error as { code: string }).code;
    }
  });
  expect(await get(inside())).toBe("WorkerLost");
  expect((await rejection(get(dependent), "WorkerLost")).attempts).toBe(2);
  expect(await get(plus(1))).toBe(2);
});

test("an actor that cannot live is given up after its restarts", async () => {
  const log = join(tempDir(), "runs");
  class Doomed {
    constructor(place: string) {
      appendFileSync(place, "x");
      if (existsSync(place)) process.kill(process.pid, "SIGKILL");
    }
    hello(): string {
      return "hello";
    }
  }
  const doomed = new (distribute(Doomed, { maxRestarts: 2 }))(log);
  const error = await rejection(get(doomed.hello()), "ActorLost");
  expect(error.restarts).toBe(2);
  expect(readFileSync(log, "utf8")).toBe("xxx");
  await rejection(get(doomed.hello()), "ActorLost");
  expect(await get(distribute(() => 5)())).toBe(5);
});
