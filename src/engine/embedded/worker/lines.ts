/** What a task prints carries the task's name, which the driver puts before the line. */
import type { Writable } from "node:stream";
import { tagLine } from "../output.js";

/** A line that was begun and not ended. */
let open = 0;
const closers: (() => void)[] = [];

/** A task is over: what it printed last, without an end, is a line. Else the next to print would go on in it. */
export function endOpenLines(): void {
  if (open > 0) for (const close of closers) close();
}

/**
 * Wraps `process.stdout` and `process.stderr` when they are first used.
 *
 * @param taskName the task that runs now; `undefined` when that is not certain
 */
export function tagOutput(taskName: () => string | undefined): void {
  for (const name of ["stdout", "stderr"] as const) {
    const { get } = Object.getOwnPropertyDescriptor(process, name) ?? {};
    if (!get) continue;
    let stream: Writable | undefined;
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get() {
        if (!stream) {
          stream = get.call(process) as Writable;
          tag(stream, taskName);
        }
        return stream;
      },
    });
  }
}

function tag(stream: Writable, taskName: () => string | undefined): void {
  // As in any program that prints and crashes: what is written is in the pipe when `write` returns.
  (stream as { _handle?: { setBlocking?(blocking: boolean): void } })._handle?.setBlocking?.(true);
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  let atLineStart = true;
  let last: string | undefined;
  const now = (starts: boolean) => {
    if (starts !== atLineStart) open += starts ? -1 : 1;
    atLineStart = starts;
  };
  closers.push(() => {
    if (atLineStart) return;
    now(true);
    write("\n");
  });
  stream.write = ((chunk: unknown, ...rest: unknown[]): boolean => {
    if (typeof chunk !== "string" || chunk === "") return write(chunk, ...rest);
    const task = taskName();
    // A line that another task left open is not this one's.
    const close = !atLineStart && task !== last ? "\n" : "";
    const begins = atLineStart || close !== "";
    last = task;
    const ended = chunk.endsWith("\n");
    now(ended);
    if (task === undefined) return write(close + chunk, ...rest);
    const mark = tagLine(task);
    const body = ended ? chunk.slice(0, -1) : chunk;
    return write(close + (begins ? mark : "") + body.replaceAll("\n", `\n${mark}`) + (ended ? "\n" : ""), ...rest);
  }) as typeof stream.write;
}
