/** The engine contract inside a task: everything is asked of the driver, over the worker's own socket. */
import { CancelledError, UsageError } from "../../../common/index.js";
import { type CodeSource, handleKinds } from "../../code.js";
import {
  type DecodeHost,
  type Encoded,
  type EncodeHost,
  encode,
  type HandleRef,
  isPrimitive,
  type Reader,
  type SideReader,
  type SideWriter,
  writeValue,
} from "../../codec/index.js";
import type {
  ActorHandle,
  ActorSpec,
  ChunkRun,
  Code,
  Engine,
  EngineSnapshot,
  Later,
  TaskSpec,
  WaitLimits,
} from "../../engine.js";
import { encodeItems, Frozen } from "../../frozen.js";
import { Held } from "../../held.js";
import type { CodeInfo, Codes } from "../codes.js";
import { codesIn } from "../needs.js";
import { TaskFlag, ToDriver } from "../protocol.js";
import type { SubmitOptions } from "../requests.js";
import { Asking, type Missing } from "./asking.js";
import type { Connection } from "./connection.js";
import { type HeldTable, WorkerHeld } from "./held.js";

export interface WorkerActor extends ActorHandle {
  readonly code: CodeInfo;
}

interface ClientParts {
  readonly connection: Connection;
  readonly codes: Codes;
  readonly helds: HeldTable;
  readonly sides: SideWriter & SideReader;
  readonly firstNumber: number;
  readonly workers: number;
  /** A request starts or stops waiting for other tasks. */
  readonly blocked: (by: 1 | -1) => void;
  readonly store: EncodeHost["store"];
}

const driverOnly = (what: string): never => {
  throw new UsageError(`${what} works in the program that opened the cluster, not inside a task.`, { parameter: what });
};

export class ClientEngine implements Engine {
  readonly name = "embedded";
  readonly address = undefined;
  readonly closed = false;
  // Only the driver knows, and advises.
  readonly underWay = 0;
  // The driver reports what nobody fetched.
  readonly unfetched = new Map<object, Error>();
  readonly encodeHost: EncodeHost;
  readonly decodeHost: DecodeHost;
  readonly #parts: ClientParts;
  readonly #asking: Asking;
  readonly #known = new Set<number>();
  #nextNumber: number;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.#nextNumber = parts.firstNumber;
    this.#asking = new Asking(parts.connection, parts.sides, (code) => this.announce(code));
    this.encodeHost = {
      store: parts.store,
      handle: (value) => this.#handle(value),
      classOf: (Class) => parts.codes.classOf(Class),
      held: (value) => this.#own(value),
    };
    this.decodeHost = {
      classAt: (ref) => parts.codes.classAt(ref),
      handle: (ref) => {
        const code = ref.code as CodeInfo;
        const target = ref.kind === "actor" ? { id: ref.id, code, label: code.name } : code;
        return handleKinds()!.revive({ kind: ref.kind, source: undefined, target, options: ref.options }, this);
      },
      held: (side) => side,
    };
  }

  get workers(): number {
    return this.#parts.workers;
  }

  define(source: CodeSource, name: string | undefined): Code {
    return this.#parts.codes.define(source, name);
  }

  #handle(value: object): HandleRef | undefined {
    const description = handleKinds()?.describe(value);
    if (!description) return undefined;
    const { kind, options } = description;
    if (kind === "actor") {
      const actor = description.target as WorkerActor;
      return { kind, id: actor.id, options, code: actor.code };
    }
    const code = description.source
      ? this.#parts.codes.define(description.source, undefined)
      : (description.target as CodeInfo);
    return { kind, id: code.id, options, code };
  }

  /** Tells the driver about functions that were first distributed here. */
  announce(code: CodeInfo): void {
    const { portable } = code;
    if (!portable || this.#known.has(code.id)) return;
    this.#known.add(code.id);
    const value = encode(
      { portable: { ...portable }, where: code.where },
      this.encodeHost,
      `what ${code.name} takes along`,
    );
    codesIn(value, (other) => this.announce(other));
    this.#parts.connection.frame(ToDriver.define, (writer) => {
      writer.f64(code.id);
      writer.text(code.name);
      writeValue(writer, value, this.#parts.sides);
    });
  }

  #own(held: Held): WorkerHeld {
    if (held instanceof WorkerHeld) return held;
    throw new UsageError(
      `The ref ${held.label}#${held.id} belongs to another cluster. Fetch it by itself, with get(ref), and pass the value.`,
      { parameter: "ref" },
    );
  }

  #submit(code: CodeInfo, options: SubmitOptions, args: readonly (Encoded | WorkerHeld)[], flags: number): WorkerHeld {
    this.announce(code);
    const about = encode(options, this.encodeHost, "options");
    for (const argument of args) codesIn(argument, (other) => this.announce(other));
    const number = this.#nextNumber++;
    const { connection, sides, helds } = this.#parts;
    connection.frame(ToDriver.submit, (writer) => {
      writer.f64(number);
      writer.u8(flags);
      writer.f64(code.id);
      writeValue(writer, about, sides);
      writer.u32(args.length);
      for (const argument of args) {
        const held = argument instanceof WorkerHeld;
        writer.u8(held ? 1 : 0);
        if (held) writer.f64(argument.number);
        else writeValue(writer, argument, sides);
      }
    });
    return helds.receive(number, options.spec.name);
  }

  #arguments(args: readonly unknown[], what: string): (Encoded | WorkerHeld)[] {
    return args.map((value, i) => {
      if (isPrimitive(value)) return value;
      return value instanceof Held ? this.#own(value) : encode(value, this.encodeHost, `argument ${i + 1} of ${what}`);
    });
  }

  submit(code: Code, args: readonly unknown[], spec: TaskSpec): Held {
    const { signal, ...plain } = spec;
    const held = this.#submit(code as CodeInfo, { spec: plain }, this.#arguments(args, spec.name), 0);
    this.#follow(signal, held);
    return held;
  }

  freeze(value: unknown, what: string): Frozen {
    return new Frozen(encode(value, this.encodeHost, what));
  }

  submitEach(code: Code, items: readonly unknown[], spec: TaskSpec): Held {
    const { signal, ...plain } = spec;
    const args = encodeItems(items, this.encodeHost, spec.name);
    const separate = args.length > 1 || items[0] instanceof Frozen;
    const flags = TaskFlag.each | (separate ? TaskFlag.separate : 0);
    const held = this.#submit(code as CodeInfo, { spec: plain }, args, flags);
    this.#follow(signal, held);
    return held;
  }

  #follow(signal: AbortSignal | undefined, held: Held): void {
    if (signal?.aborted) void this.cancel([held], false);
    else signal?.addEventListener("abort", () => void this.cancel([held], false), { once: true });
  }

  later(label: string): Later {
    const number = this.#nextNumber++;
    this.#tell("later", [number, label]);
    return {
      held: this.#parts.helds.receive(number, label),
      is: (target, index) => this.#tell("laterIs", [number, target, index]),
      fails: (error) => this.#tell("laterFails", [number, error]),
    };
  }

  async put(value: unknown): Promise<Held> {
    if (value instanceof Held) {
      throw new UsageError(
        "put(): a Ref was given, which is stored already; pass the value, or use the ref as it is.",
        { parameter: "value" },
      );
    }
    const encoded = encode(value, this.encodeHost, "the value given to put()");
    const number = this.#nextNumber++;
    const stored = this.#asking.request("put", encoded, number);
    const held = this.#parts.helds.receive(number, "put");
    await stored;
    held.state = "ready";
    return held;
  }

  async get(helds: readonly Held[], limits: WaitLimits, what: string): Promise<unknown[]> {
    const records = helds.map((held) => this.#own(held));
    const values = (await this.#blocking("get", [records, limits.timeoutMs, what], limits.signal, what)) as unknown[];
    for (const record of records) record.state = "ready";
    return values;
  }

  async wait(helds: readonly Held[], count: number, limits: WaitLimits, what: string): Promise<boolean[]> {
    const records = helds.map((held) => this.#own(held));
    return (await this.#blocking("wait", [records, count, limits.timeoutMs, what], limits.signal, what)) as boolean[];
  }

  async #blocking(
    operation: string,
    args: readonly unknown[],
    signal: AbortSignal | undefined,
    what: string,
  ): Promise<unknown> {
    return this.whileWaiting(() => this.#abortable(this.#ask(operation, args), signal, what));
  }

  async whileWaiting<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting(1);
    try {
      return await work();
    } finally {
      this.#waiting(-1);
    }
  }

  #waiting(by: 1 | -1): void {
    this.#parts.connection.frame(ToDriver.waiting, (writer) => writer.u8(by === 1 ? 1 : 0));
    this.#parts.blocked(by);
  }

  async #abortable(answer: Promise<unknown>, signal: AbortSignal | undefined, what: string): Promise<unknown> {
    let abort: (() => void) | undefined;
    try {
      if (!signal) return await answer;
      const aborted = new Promise<never>((_, reject) => {
        abort = () =>
          reject(
            new CancelledError(`${what} was aborted by its signal. The tasks go on.`, {
              task: what,
              cause: signal.reason,
            }),
          );
        if (signal.aborted) abort();
        else signal.addEventListener("abort", abort, { once: true });
      });
      return await Promise.race([answer, aborted]);
    } finally {
      if (abort) signal?.removeEventListener("abort", abort);
    }
  }

  onSettled(held: Held, callback: (error: Error | undefined, run: ChunkRun) => void): void {
    void this.#ask("settled", [this.#own(held)]).then((answer) => {
      const [error, run] = answer as [Error | undefined, ChunkRun];
      callback(error, run);
    });
  }

  async cancel(helds: readonly Held[], force: boolean): Promise<void> {
    await this.#ask("cancel", [helds.map((held) => this.#own(held)), force]);
  }

  // --- actors

  createActor(code: Code, args: readonly unknown[], spec: ActorSpec): ActorHandle {
    const info = code as CodeInfo;
    this.announce(info);
    const id = this.#nextNumber++;
    const { signal, ...plain } = spec;
    // A failure comes back through the first call.
    this.#tell("createActor", [id, info.id, plain, ...args]);
    const actor: WorkerActor = { id, code: info, label: spec.label };
    signal?.addEventListener("abort", () => void this.killActor(actor), { once: true });
    return actor;
  }

  callActor(actor: ActorHandle, method: string, args: readonly unknown[]): Held {
    const { id, code, label } = actor as WorkerActor;
    const name = `${label}.${method}`;
    return this.#submit(code, { spec: { ...plainSpec, name }, actor: id, method }, this.#arguments(args, name), 0);
  }

  async findActor(name: string): Promise<ActorHandle> {
    const found = (await this.#ask("findActor", [name])) as {
      id: number;
      code: number;
      name: string;
      where: string;
      label: string;
    };
    const code = this.#parts.codes.receive(found.code, found.name, found.where, undefined);
    return { id: found.id, code, label: found.label };
  }

  async killActor(actor: ActorHandle): Promise<void> {
    await this.#ask("killActor", [actor.id]);
  }

  dropActor(): void {
    // The driver counts no handles of workers: an actor that a task has made or received lives until it is killed.
  }

  // --- the whole

  async scale(): Promise<void> {
    driverOnly("scale()");
  }

  async close(): Promise<void> {
    driverOnly("close()");
  }

  on(): () => void {
    return () => {};
  }

  snapshot(): EngineSnapshot {
    return driverOnly("the profile");
  }

  // --- requests

  /** The actor's constructor threw: the driver fails its calls. */
  constructionFailed(error: Encoded): void {
    void this.#asking.request("constructed", error);
  }

  #tell(operation: string, args: readonly unknown[]): void {
    void this.#ask(operation, args).catch(() => {});
  }

  #ask(operation: string, args: readonly unknown[]): Promise<unknown> {
    return this.#asking.request(operation, encode(args, this.encodeHost, operation));
  }

  reply(body: Reader, missing: Missing): Promise<void> {
    return this.#asking.reply(body, missing, this.decodeHost);
  }
}

const plainSpec: Omit<TaskSpec, "signal"> = {
  name: "",
  retries: 0,
  retryErrors: false,
  timeoutMs: 0,
  cpus: 1,
  gpus: 0,
  memory: 0,
  resources: {},
};
