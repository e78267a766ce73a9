/** A minimal status page: workers, queue and functions, as a table and as JSON. */
import type * as Crypto from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { EngineError, showBytes, showSeconds } from "../common/index.js";
import type { EngineSnapshot } from "../engine/index.js";
import { escapeHtml } from "./html.js";
import type { Advice, Cost } from "./types/index.js";

export interface StatusPage {
  readonly link: string;
  close(): Promise<void>;
}

/** What the page shows. */
export interface StatusSource {
  readonly engine: { snapshot(): EngineSnapshot };
  advice(): Advice[];
  cost(): Cost;
}

/** Ports tried from the first on; then any free one. */
const tries = 20;

function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const head = heads.map((cell) => `<th scope="col">${escapeHtml(cell)}</th>`).join("");
  const body = rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(String(cell))}</td>`).join("")}</tr>`)
    .join("\n");
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

/** The page as HTML. Pure. */
export function statusHtml(snapshot: EngineSnapshot, advice: readonly Advice[], cost: Cost): string {
  const { workers, functions, queued, running, objectBytes } = snapshot;
  const price = cost.price === undefined ? "" : `, ${cost.price.toFixed(4)} so far`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>girona status</title><meta http-equiv="refresh" content="2">
<style>body{font:15px system-ui,sans-serif;margin:2rem;color:#222;background:#fff}table{border-collapse:collapse;margin:0 0 2rem}th,td{padding:.25rem .75rem;text-align:left;border-bottom:1px solid #ccc}@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}th,td{border-color:#444}}</style></head>
<body><h1>girona</h1>
<p>${queued} queued, ${running} running, ${escapeHtml(showBytes(objectBytes))} stored, ${cost.workerHours.toFixed(3)} worker-hours${price}. <a href="?${jsonQuery}">JSON</a></p>
<h2>Workers</h2>
${table(
  ["worker", "pid", "state", "memory", "tasks", "running"],
  workers.map((one) => [
    one.name,
    one.pid,
    one.state,
    one.memory === undefined ? "" : showBytes(one.memory),
    one.tasks,
    one.running ?? "",
  ]),
)}
<h2>Functions</h2>
${table(
  ["function", "where", "calls", "finished", "failed", "run (median)", "run (total)", "queue (median)", "moved"],
  functions.map((one) => [
    one.name,
    one.where,
    one.calls,
    one.finished,
    one.failed,
    showSeconds(one.steps.run.median),
    showSeconds(one.steps.run.total),
    showSeconds(one.steps.queue.median),
    showBytes(one.bytes),
  ]),
)}
${
  advice.length === 0
    ? ""
    : `<h2>Advice</h2>${table(
        ["where", "what", "cost", "what to do"],
        advice.map((one) => [one.where, one.what, one.cost, one.fix]),
      )}`
}
</body></html>
`;
}

const jsonQuery = "TOKEN&amp;format=json";

function equal(a: string, b: string, { timingSafeEqual }: typeof Crypto): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

/** Names of this machine that a browser may use; any other host name is somebody's DNS pointing here. */
function localHost(request: IncomingMessage): boolean {
  return /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(request.headers.host ?? "");
}

function handler(source: StatusSource, token: string, crypto: typeof Crypto) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const answer = (status: number, type: string, body: string) => {
      response.writeHead(status, {
        "content-type": `${type}; charset=utf-8`,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      });
      response.end(request.method === "HEAD" ? undefined : body);
    };
    if (!localHost(request)) return answer(403, "text/plain", "Only by the address 127.0.0.1.\n");
    if (request.method !== "GET" && request.method !== "HEAD") return answer(405, "text/plain", "Read only.\n");
    // Whatever a browser may send must not end the program.
    const address = request.url ?? "/";
    if (!URL.canParse(address, "http://127.0.0.1")) return answer(400, "text/plain", "This is no address.\n");
    const url = new URL(address, "http://127.0.0.1");
    if (!equal(url.searchParams.get("token") ?? "", token, crypto))
      return answer(401, "text/plain", "The token is missing or wrong: use the whole link that the program printed.\n");
    if (url.pathname !== "/status") return answer(404, "text/plain", "There is only /status.\n");
    const snapshot = source.engine.snapshot();
    if (url.searchParams.get("format") === "json" || request.headers.accept === "application/json") {
      return answer(
        200,
        "application/json",
        `${JSON.stringify({ ...snapshot, advice: source.advice(), cost: source.cost() })}\n`,
      );
    }
    answer(200, "text/html", statusHtml(snapshot, source.advice(), source.cost()).replace("TOKEN", `token=${token}`));
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Opens the page at the first free port from `port` on, on this machine only, behind a token. */
export async function openStatus(source: StatusSource, port: number): Promise<StatusPage> {
  // Not at the top: workers and short programs need neither.
  const [{ createServer }, crypto] = await Promise.all([import("node:http"), import("node:crypto")]);
  const token = crypto.randomBytes(16).toString("hex");
  const server = createServer(handler(source, token, crypto));
  server.unref();
  server.on("connection", (socket) => socket.unref());
  for (let tried = 0; ; tried++) {
    try {
      await listen(server, port === 0 || tried === tries || port + tried > 65_535 ? 0 : port + tried);
      break;
    } catch (error) {
      if (tried <= tries && (error as NodeJS.ErrnoException).code !== "EPERM") continue;
      throw new EngineError(
        `The status page cannot listen on 127.0.0.1:${port}: ${(error as Error).message}. Turn it off with cluster({ dashboard: false }).`,
        {
          engine: "embedded",
          address: `127.0.0.1:${port}`,
          cause: error,
        },
      );
    }
  }
  return {
    link: `http://127.0.0.1:${(server.address() as AddressInfo).port}/status?token=${token}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
