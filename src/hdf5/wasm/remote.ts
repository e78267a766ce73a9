/**
 * h5wasm in a thread of its own. It starts asynchronously, and files here are opened without waiting: this thread sleeps until
 * the other one has answered, which also leaves `require` of this package possible.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";

/** The program of the thread: it calls h5wasm's functions by name, and looks after memory in its heap. */
const program = `
const { workerData } = require("node:worker_threads");
const { port, flag, url } = workerData;
const started = import(url).then(async (h5wasm) => {
  const M = await h5wasm.ready;
  M.activate_throwing_error_handler();
  const heap = () => M.HEAPU8;
  return {
    call: (name, ...args) => M[name](...args),
    constant: (name) => M[name],
    allocate: (bytes) => {
      const at = M._malloc(Math.max(bytes, 1));
      if (at === 0) throw new Error("there is not enough memory in h5wasm");
      heap().fill(0, at, at + bytes);
      return at;
    },
    load: (at, bytes) => heap().slice(at, at + bytes),
    store: (at, data) => heap().set(data, at),
    free: (at) => M._free(at),
    texts: (pointers) => Array.from(pointers, (at) => (at === 0 ? "" : M.UTF8ToString(at))),
    parts: (pointers, lengths) => Array.from(pointers, (at, i) => heap().slice(at, at + lengths[i])),
  };
});
port.on("message", async ([operation, args]) => {
  let answer;
  try {
    answer = [true, (await started)[operation](...args)];
  } catch (error) {
    answer = [false, String((error && error.message) || error)];
  }
  port.postMessage(answer);
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
});
`;

/** The folder of the package h5wasm, looked for as Node does; it names its parts to `import` alone. */
function packageFolder(): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", "h5wasm");
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}

/** `"h5wasm 0.10.3"`; `undefined` when the package is not installed. */
export function wasmVersion(): string | undefined {
  const folder = packageFolder();
  if (folder === undefined) return undefined;
  return `h5wasm ${(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string }).version}`;
}

/** An error as the addon throws it. */
export function rawError(origin: "hdf5" | "file" | "usage", message: string): Error {
  return Object.assign(new Error(message), { origin });
}

export class Remote {
  readonly #port: MessagePort;
  readonly #flag: Int32Array;

  constructor() {
    const url = pathToFileURL(join(packageFolder()!, "dist/node/hdf5_hl.js")).href;
    const { port1, port2 } = new MessageChannel();
    this.#flag = new Int32Array(new SharedArrayBuffer(4));
    this.#port = port1;
    const worker = new Worker(program, {
      eval: true,
      execArgv: [],
      workerData: { url, port: port2, flag: this.#flag },
      transferList: [port2],
    });
    worker.unref();
  }

  /** Waits for the answer. @throws what the operation threw, as an error of HDF5's */
  ask<T>(operation: string, ...args: unknown[]): T {
    Atomics.store(this.#flag, 0, 0);
    this.#port.postMessage([operation, args]);
    // Much longer than any call takes; a thread that has died would never answer.
    if (Atomics.wait(this.#flag, 0, 0, 600_000) === "timed-out") throw rawError("file", "h5wasm does not answer");
    const [isResult, value] = receiveMessageOnPort(this.#port)!.message as [boolean, unknown];
    if (!isResult) throw rawError("hdf5", tidy(String(value)));
    return value as T;
  }

  call<T>(name: string, ...args: unknown[]): T {
    return this.ask("call", name, ...args);
  }
}

/** HDF5's stack in a line for each function, the outermost first, as the addon gives it. */
function tidy(message: string): string {
  const frames = [...message.matchAll(/in (\w+)\(\): (.*)/g)].map(([, name, words]) => `${name}: ${words}`);
  return frames.length > 0 ? frames.join("\n") : message.trim() || "h5wasm: it failed without a reason";
}
