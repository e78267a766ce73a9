import { type IncomingHttpHeaders, request } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { type Advice, type Cluster, cluster, distribute, get } from "girona";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openStatus, statusHtml } from "../../src/tasks/status.ts";
import { waitFor } from "../support/index.ts";
import { failure, gate, held } from "./support/index.ts";

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function ask(link: string, options: { method?: string; headers?: Record<string, string> } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(link, options, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, body }));
    });
    asked.on("error", reject).end();
  });
}

/** The first line of the answer to a request as it stands, which no client would send. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setTimeout(3000, () => socket.destroy(new Error(`no answer to ${text}`)));
    socket.setEncoding("utf8").on("data", (part: string) => {
      answer += part;
    });
    socket.on("close", () => resolve(answer.split("\r\n")[0]!)).on("error", reject);
  });
}

/** A port of this machine that somebody listens on until the test is over. */
async function takenPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}

let session: Cluster;
let link: string;
beforeAll(async () => {
  session = await cluster({ workers: 2, dashboard: 0, pricePerWorkerHour: 3.6 });
  link = session.dashboardLink!;
});
afterAll(() => session.close());

describe("with the link", () => {
  const square = distribute(function square(x: number) {
    return x * x;
  });

  test("it shows workers and functions as HTML", async () => {
    await get(square.map([1, 2, 3]));
    const { status, headers, body } = await ask(link);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(body).toMatch(/^<!doctype html>/);
    expect(body).toContain("worker-1");
    expect(body).toContain("<td>square</td>");
    expect(body).toMatch(/the-status-page.*\.test\.ts:\d+/);
    expect(body).toMatch(/\d queued, \d running, .* stored, \d\.\d{3} worker-hours, \d+\.\d{4} so far/);
    // No scripts, no requests to anywhere else, and not inside of another page.
    expect(body).not.toMatch(/<script|https?:\/\/(?!127)/);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["referrer-policy"]).toBe("no-referrer");
  });

  test("its own link leads to the same as JSON", async () => {
    const { body: html } = await ask(link);
    const href = /<a href="([^"]*)">JSON/.exec(html)![1]!.replaceAll("&amp;", "&");
    const { status, headers, body } = await ask(new URL(href, link).href);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    const state = JSON.parse(body) as Record<string, unknown> & { cost: { price: number } };
    expect(state["workers"]).toHaveLength(2);
    // On a machine with much else to do, advice may be about the time this took.
    expect(state).toMatchObject({ queued: 0, running: 0, advice: expect.any(Array) });
    expect(state["functions"]).toContainEqual(
      expect.objectContaining({ name: "square", calls: 3, finished: 3, failed: 0 }),
    );
    expect(state.cost.price).toBeGreaterThan(0);
  });

  test("a client that asks for JSON gets it", async () => {
    const { headers } = await ask(link, { headers: { accept: "application/json" } });
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  test("it shows what runs now", async () => {
    const blocked = gate();
    const refs = [held(blocked.path, 1), held(blocked.path, 2), held(blocked.path, 3)];
    const running = await waitFor("two tasks to run", async () => {
      const state = JSON.parse((await ask(`${link}&format=json`)).body) as {
        running: number;
        queued: number;
        workers: { running?: string }[];
      };
      return state.workers.every((worker) => worker.running === "held") && state;
    });
    expect(running.running + running.queued).toBe(3);
    blocked.open();
    await get(refs);
  });

  test("HEAD gives the head alone", async () => {
    expect(await ask(link, { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  });
});

describe("everybody else is refused:", () => {
  const without = () => link.replace(/\?.*/, "");
  test.each<[string, number, () => Promise<Answer>]>([
    ["no token", 401, () => ask(without())],
    ["a wrong token", 401, () => ask(`${without()}?token=${"0".repeat(32)}`)],
    ["a token that is too short", 401, () => ask(link.slice(0, -1))],
    ["an empty token", 401, () => ask(`${without()}?token=`)],
    ["a token of other characters", 401, () => ask(`${without()}?token=${encodeURIComponent("ä".repeat(16))}`)],
    ["another page without the token", 401, () => ask(`${without()}/../secret`)],
    ["another page", 404, () => ask(link.replace("/status", "/other"))],
    ["the name of another host", 403, () => ask(link, { headers: { host: "attacker.example" } })],
    ["a host that only begins alike", 403, () => ask(link, { headers: { host: "127.0.0.1.attacker.example" } })],
    ["a host that only ends alike", 403, () => ask(link, { headers: { host: "attacker-localhost" } })],
    ["POST", 405, () => ask(link, { method: "POST" })],
    ["DELETE", 405, () => ask(link, { method: "DELETE" })],
    ["OPTIONS", 405, () => ask(link, { method: "OPTIONS" })],
  ])("%s: %i", async (_, expected, call) => {
    const { status, headers, body } = await call();
    expect(status).toBe(expected);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect(body).not.toContain("worker");
    expect(body).toMatch(/^[A-Z].*\.\n$/);
  });

  test.each(["localhost", "127.0.0.1", "[::1]", "localhost:1234"])("but the host %s is this machine", async (host) => {
    expect((await ask(link, { headers: { host } })).status).toBe(200);
  });

  test("it listens on this machine only", () => {
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/status\?token=[0-9a-f]{32}$/);
  });

  test.each(["//", "//[", "/\\\\", "http://[", "/status?token=%", "/%", "*", "/status?token=a&token=b"])(
    "a request for %j is answered, and the program goes on",
    async (target) => {
      // A server in this process: an exception in it would end the tests.
      const page = await openStatus(source([]), 0);
      onTestFinished(page.close);
      const port = Number(new URL(page.link).port);
      expect(await raw(port, `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 4\d\d /,
      );
      expect((await ask(page.link)).status).toBe(200);
    },
  );

  test("each cluster has a token of its own", async () => {
    const other = await cluster({ workers: 1, dashboard: 0 });
    onTestFinished(() => other.close());
    const [a, b] = [link, other.dashboardLink!].map((one) => new URL(one).searchParams.get("token"));
    expect(a).not.toBe(b);
    expect((await ask(other.dashboardLink!.replace(b!, a!))).status).toBe(401);
  });
});

const bad = `<script>alert("1")</script>&'"`;
const step = { median: 1, total: 2 };
const functions = [
  {
    name: bad,
    where: `/tmp/${bad}.ts:1`,
    calls: 1,
    finished: 1,
    failed: 0,
    bytes: 1,
    steps: { serialise: step, queue: step, transfer: step, run: step, fetch: step },
  },
];
const workers = [{ name: bad, pid: 1, state: "busy" as const, memory: undefined, tasks: 1, running: bad }];
const mistake: Advice = { rule: "small-tasks", where: bad, what: bad, cost: bad, fix: bad };

function source(advice: Advice[]) {
  const snapshot = { workers, functions, queued: 0, running: 1, objectBytes: 0, spilledBytes: 0, workerSeconds: 1 };
  return {
    engine: { snapshot: () => snapshot },
    advice: () => advice,
    cost: () => ({ workerHours: 1, price: undefined }),
  };
}

test("names that are scripts are shown as text, wherever they stand", async () => {
  const page = await openStatus(source([mistake]), 0);
  onTestFinished(page.close);
  const { body } = await ask(page.link);
  expect(body).not.toContain("<script");
  expect(body.split("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;").length - 1).toBe(8);
  expect(body).toContain("<h2>Advice</h2>");
  // A name may hold what the page replaces.
  const named = { ...source([]).engine.snapshot(), functions: [{ ...functions[0]!, name: "TOKEN $& $1" }] };
  expect(statusHtml(named as never, [], { workerHours: 0, price: undefined })).toContain("<td>TOKEN $&amp; $1</td>");
});

describe("the port", () => {
  test("is the one that is asked for, or the next that is free", async () => {
    const taken = await takenPort();
    const one = await cluster({ workers: 1, dashboard: taken });
    onTestFinished(() => one.close());
    const port = Number(new URL(one.dashboardLink!).port);
    expect(port).not.toBe(taken);
    expect((await ask(one.dashboardLink!)).status).toBe(200);
  });

  test("65535 is the last, after which any is taken", async () => {
    const pages = await Promise.all([openStatus(source([]), 65_535), openStatus(source([]), 65_535)]);
    onTestFinished(async () => void (await Promise.all(pages.map((page) => page.close()))));
    const ports = pages.map(({ link }) => Number(new URL(link).port));
    expect(new Set(ports).size).toBe(2);
    for (const { link } of pages) expect((await ask(link)).status).toBe(200);
  });
});

test("it closes with its cluster, open connections too", async () => {
  const one = await cluster({ workers: 1, dashboard: 0 });
  const { port } = new URL(one.dashboardLink!);
  const socket = connect(Number(port), "127.0.0.1");
  await new Promise((resolve) => socket.once("connect", resolve));
  const ended = new Promise((resolve) => socket.once("close", resolve));
  await one.close();
  await ended;
  expect(await failure(() => ask(`http://127.0.0.1:${port}/status`))).toMatchObject({ code: "ECONNREFUSED" });
});

test("without it there is no link", async () => {
  const one = await cluster({ workers: 1, dashboard: false });
  onTestFinished(() => one.close());
  expect(one.dashboardLink).toBeUndefined();
});
