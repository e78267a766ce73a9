/** What a task prints carries the task's name, which the driver puts before the line. */
import type { Writable } from "node:stream";
import { tagLine } from "../output.js";

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
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  let atLineStart = true;
  stream.write = ((chunk: unknown, ...rest: unknown[]): boolean => {
    const task = taskName();
    const text = typeof chunk === "string" ? chunk : undefined;
    if (task === undefined || text === undefined || text === "") {
      if (text) atLineStart = text.endsWith("\n");
      return write(chunk, ...rest);
    }
    const mark = tagLine(task);
    const ended = text.endsWith("\n");
    const body = ended ? text.slice(0, -1) : text;
    const tagged = (atLineStart ? mark : "") + body.replaceAll("\n", `\n${mark}`) + (ended ? "\n" : "");
    atLineStart = ended;
    return write(tagged, ...rest);
  }) as typeof stream.write;
}
