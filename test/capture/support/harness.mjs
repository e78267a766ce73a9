// Used by the case files, in whatever process runs them: captures, sends to a worker process, compares.
import { fork } from "node:child_process";
import { appendFileSync } from "node:fs";
import { inspect, isDeepStrictEqual } from "node:util";
import { capture } from "../../../dist/capture/index.js";

/** What a worker of any Node version is started with. */
export const workerOptions = ["--experimental-import-meta-resolve", "--no-warnings"];

// Minified without a source map, nothing is called what the user called it.
const relaxed = process.env.CAPTURE_RELAXED === "true";

const host = { isExternal: (value) => value?.isExternalForTests === true };

let worker;
let count = 0;
const waiting = new Map();

function send(message) {
  if (!worker) {
    worker = fork(new URL("./worker.mjs", import.meta.url), {
      serialization: "advanced",
      execArgv: workerOptions,
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    worker.on("message", (answer) => {
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    });
    worker.on("exit", (code, signal) => {
      for (const [id, settle] of waiting) settle({ id, error: { message: `the worker ended: ${signal ?? code}` } });
    });
  }
  const id = ++count;
  return new Promise((settle) => {
    waiting.set(id, settle);
    worker.send({ id, ...message });
  });
}

const rows = [];

function print(row) {
  rows.push(row);
  if (process.env.CAPTURE_ROWS) appendFileSync(process.env.CAPTURE_ROWS, `${JSON.stringify(row)}\n`);
}

const show = (value) => inspect(value, { depth: 6, breakLength: Number.POSITIVE_INFINITY });

/** Runs `fn` in the worker and expects the result. For a class: makes an instance of it and calls its methods. */
export async function works(name, fn, args, expected, { calls } = {}) {
  const row = { name, expect: "works", expected: show(expected) };
  try {
    const { portable } = capture(fn, host);
    const { result, error } = await send({ portable, args, calls });
    row.ok = !error && isDeepStrictEqual(result, expected);
    row.got = error ? `${error.message}\n${error.stack}` : show(result);
    if (!row.ok) row.code = portable.code;
  } catch (error) {
    row.ok = false;
    row.got = error?.stack ?? String(error);
  }
  print(row);
}

/**
 * Expects a CaptureError about the variable, for the reason; `at` is the text of the line it must name, when that is not
 * a line of the row itself.
 */
export async function refused(name, fn, variable, reason, at) {
  const row = { name, expect: "refused", expected: `${variable}: ${reason}`, at };
  try {
    capture(fn, host);
    row.ok = false;
    row.got = "captured";
  } catch (error) {
    row.got = error?.name === "CaptureError" ? error.message : error?.stack;
    row.ok = error?.name === "CaptureError" && (relaxed || (error.variable === variable && reason.test(error.reason)));
    row.file = error?.file;
    row.line = error?.line;
  }
  print(row);
}

/** Expects the function to throw in the worker, with a stack that names the user's own file and line. */
export async function throws(name, fn, args, message) {
  const row = { name, expect: "throws", expected: String(message) };
  try {
    const { portable } = capture(fn, host);
    const { error } = await send({ portable, args });
    row.ok = error !== undefined && message.test(error.message);
    row.got = error ? error.stack : "no error";
    const frame = /\n\s+at .*?\(?(\/[^\n()]*?|file:[^\n()]*?):(\d+):\d+\)?(?:\n|$)/.exec(error?.stack ?? "");
    row.file = frame?.[1];
    row.line = Number(frame?.[2]);
  } catch (error) {
    row.ok = false;
    row.got = error?.stack;
  }
  print(row);
}

export function finish() {
  worker?.disconnect();
  worker = undefined;
  return rows;
}
