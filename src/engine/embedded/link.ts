/** What goes over one worker's socket, in the driver's terms: tasks with all they need, and what comes back. */
import { type Encoded, encode, type Reader, readValue, writeValue } from "../codec/index.js";
import { CodeInfo } from "./codes.js";
import type { EmbeddedEngine } from "./driver.js";
import { EachValue } from "./each.js";
import { codesIn } from "./needs.js";
import { Reply, TaskFlag, ToWorker } from "./protocol.js";
import { Record } from "./record.js";
import { FileSegment, type RemoteSegment } from "./segments.js";
import { Sides } from "./sides.js";
import type { WorkerProcess } from "./worker-process.js";

export class Link {
  readonly worker: WorkerProcess;
  readonly sides: Sides;
  readonly #engine: EmbeddedEngine;
  /** Segments named since the last look. */
  #sent: FileSegment[] = [];
  /** What is read names references that the worker gives away. */
  #giving = true;

  constructor(engine: EmbeddedEngine, worker: WorkerProcess) {
    this.#engine = engine;
    this.worker = worker;
    this.sides = new Sides({
      numberOf: (held) => engine.fleet.exports.hold(worker, held as Record),
      heldAt: (number) => {
        const record = engine.fleet.exports.at(number);
        if (this.#giving) worker.children.given(record);
        return record;
      },
      codeAt: (id) => engine.codes.get(id) ?? new CodeInfo(id, "unknown"),
      sending: (segment) => {
        const file = segment as FileSegment;
        file.pins++;
        file.used();
        this.#sent.push(file);
      },
      received: (segment) => {
        if (segment instanceof FileSegment) return segment;
        const remote = segment as RemoteSegment;
        const { store } = engine;
        const adopted = remote.adopt(store.mayOpen ? undefined : () => store.newPath());
        // The worker's own descriptor has done its part.
        if (!remote.path) worker.closeFile(remote.fd);
        return engine.store.keep(adopted);
      },
    });
  }

  /** Sends a function's code before the first message that names it. */
  ensure(code: CodeInfo): void {
    const { worker } = this;
    if (worker.knows.has(code.id) || !code.portable) return;
    worker.knows.add(code.id);
    const { portable } = code;
    // Encoded once for all workers, and kept: a worker may read its segments at any time.
    code.encoded ??= encode(
      { portable: { ...portable }, where: code.where, problems: code.problems },
      this.#engine.translation.encodeHost,
      `what ${code.name} takes along`,
    );
    const value = code.encoded;
    codesIn(value, (other) => this.ensure(other));
    const begin = worker.begin(ToWorker.define);
    worker.writer.f64(code.id);
    worker.writer.text(code.name);
    this.value(value);
    worker.end(begin);
    // Pinned for good, see above.
    this.takeSent();
  }

  value(value: Encoded): void {
    writeValue(this.worker.writer, value, this.sides);
  }

  /** `giving`: not where references are only asked about. */
  read(body: Reader, giving = true): Encoded {
    this.#giving = giving;
    try {
      return readValue(body, this.sides);
    } finally {
      this.#giving = true;
    }
  }

  /** Puts a task into the frame that the next flush sends. */
  task(record: Record, code: CodeInfo): void {
    const { worker } = this;
    const args = record.args!;
    if (!worker.knows.has(code.id)) this.ensure(code);
    for (const argument of args) this.#needs(argument);
    const sequence = worker.nextSequence++;
    record.sequence = sequence;
    worker.inflight.set(sequence, record);
    const writer = worker.beginTask();
    writer.u32(sequence);
    const method = record.method !== undefined;
    const named = !method && record.spec.name !== code.name;
    writer.u8(
      (record.each ? TaskFlag.each : 0) |
        (record.separate ? TaskFlag.separate : 0) |
        (method ? TaskFlag.method : 0) |
        (named ? TaskFlag.named : 0),
    );
    writer.f64(code.id);
    if (method) writer.text(record.method!);
    if (named) writer.text(record.spec.name);
    writer.u32(args.length);
    for (const argument of args) {
      const value = argument instanceof Record ? argument.value : argument;
      this.value(value instanceof EachValue ? value.list : value);
    }
    if (this.#sent.length > 0) worker.pins.set(sequence, this.takeSent());
  }

  /** The segments that the last message named; they stay pinned until somebody unpins them. */
  takeSent(): FileSegment[] {
    const sent = this.#sent;
    this.#sent = [];
    return sent;
  }

  /** The arguments of a method or constructor, as an actor's first message. */
  actor(code: CodeInfo, args: readonly (Encoded | Record)[], concurrency: number): void {
    const { worker } = this;
    this.ensure(code);
    for (const argument of args) this.#needs(argument);
    const begin = worker.begin(ToWorker.actor);
    worker.writer.f64(code.id);
    worker.writer.u32(concurrency);
    worker.writer.u32(args.length);
    for (const argument of args) this.value((argument instanceof Record ? argument.value : argument) as Encoded);
    worker.end(begin);
    // Pinned for good: a restart sends them again.
    this.takeSent();
    worker.flush();
  }

  #needs(argument: Encoded | Record): void {
    if (typeof argument !== "object" || argument === null) return;
    codesIn(argument instanceof Record ? argument.value : argument, (code) => this.ensure(code));
  }

  /** The values of records as they are stored: nothing is decoded on its way. */
  replyValues(request: number, records: readonly Record[]): void {
    const { worker } = this;
    for (const { value } of records) {
      codesIn(value instanceof EachValue ? value.list : value, (code) => this.ensure(code));
      if (value instanceof EachValue) for (const [, error] of value.errors) codesIn(error, (code) => this.ensure(code));
    }
    const begin = worker.begin(ToWorker.reply);
    worker.writer.u32(request);
    worker.writer.u8(Reply.values);
    worker.writer.u32(records.length);
    for (const { value } of records) {
      const each = value instanceof EachValue;
      worker.writer.u8(each ? 1 : 0);
      this.value(each ? value.list : value);
      if (!each) continue;
      worker.writer.text(value.worker);
      worker.writer.u32(value.errors.length);
      for (const [index, error] of value.errors) {
        worker.writer.u32(index);
        this.value(error);
      }
    }
    worker.end(begin);
    worker.flush();
  }

  reply(request: number, failed: boolean, value: Encoded): void {
    const { worker } = this;
    codesIn(value, (code) => this.ensure(code));
    const begin = worker.begin(ToWorker.reply);
    worker.writer.u32(request);
    worker.writer.u8(failed ? Reply.error : Reply.value);
    this.value(value);
    worker.end(begin);
    worker.flush();
  }
}

/** An empty frame, such as the request to leave. */
export function signalFrame(worker: WorkerProcess, type: number): void {
  worker.end(worker.begin(type));
  worker.flush();
}
