/** What tasks ask for while they run: the engine contract once more, over the worker's socket. */

import type { Portable } from "../../capture/index.js";
import { decode, type Encoded, encode, Payload, type Reader } from "../codec/index.js";
import type { ActorSpec, TaskSpec, WaitLimits } from "../engine.js";
import type { ActorRecord } from "./actors.js";
import type { CodeInfo } from "./codes.js";
import type { EmbeddedEngine } from "./driver.js";
import { taskFailed } from "./failures.js";
import type { Link } from "./link.js";
import { TaskFlag, ToDriver } from "./protocol.js";
import { plainSpec, Record } from "./record.js";
import type { WorkerProcess } from "./worker-process.js";

/** Plain data of a task submitted inside a task. */
export interface SubmitOptions {
  readonly spec: Omit<TaskSpec, "signal">;
  /** Of an actor's method. */
  readonly actor?: number;
  readonly method?: string;
}

type Operation = (engine: EmbeddedEngine, worker: WorkerProcess, args: readonly unknown[]) => unknown;

const untilWorker = (timeoutMs: unknown): WaitLimits => ({
  timeoutMs: timeoutMs as number | undefined,
  signal: undefined,
});

/** Each operation's arguments are those of the contract, without the signal: the worker listens to that itself. */
const operations: { readonly [name: string]: Operation } = {
  wait: (engine, worker, [records, count, timeoutMs, what]) =>
    worker.children.whileAwaited(records as Record[], () =>
      engine.wait(records as Record[], count as number, untilWorker(timeoutMs), String(what)),
    ),
  settled: (engine, worker, [record]) =>
    worker.children.whileAwaited([record as Record], () => {
      return new Promise((resolve) =>
        engine.onSettled(record as Record, (error, { runMs, failed }) => resolve([error, { runMs, failed }])),
      );
    }),
  later: (engine, worker, [number, label]) => {
    const later = engine.later(label as string);
    const record = later.held as Record;
    record.number = number as number;
    engine.fleet.exports.hold(worker, record);
    worker.laters.set(number as number, later);
  },
  laterIs: (_engine, worker, [number, target, index]) => {
    worker.laters.get(number as number)?.is(target as Record, index as number | undefined);
    worker.laters.delete(number as number);
  },
  laterFails: (_engine, worker, [number, error]) => {
    worker.laters.get(number as number)?.fails(error as Error);
    worker.laters.delete(number as number);
  },
  cancel: (engine, _worker, [records, force]) => engine.cancel(records as Record[], force as boolean),
  createActor: (engine, _worker, [id, code, spec, ...args]) => {
    const info = engine.codes.get(code as number)!;
    const actorSpec = { ...(spec as ActorSpec), signal: undefined };
    try {
      const encoded = engine.translation.encodeArguments(info, args, `new ${actorSpec.label}`);
      engine.actors.create(info, encoded, actorSpec, id as number);
    } catch (error) {
      // The task went on: it is told at the first call.
      engine.actors.stillborn(info, actorSpec, id as number, error as Error);
    }
  },
  findActor: (engine, _worker, [name]) => {
    const { id, code, label } = engine.actors.find(name as string);
    return { id, code: code.id, name: code.name, where: code.where, label };
  },
  killActor: (engine, _worker, [id]) => engine.killActor(engine.actors.get(id as number)),
};

/** These name references without giving them to anybody. */
const asking: ReadonlySet<string> = new Set(["get", "wait", "settled", "cancel"]);

export class Requests {
  readonly #engine: EmbeddedEngine;

  constructor(engine: EmbeddedEngine) {
    this.#engine = engine;
  }

  receive(worker: WorkerProcess, link: Link, type: number, body: Reader): void {
    switch (type) {
      case ToDriver.submit:
        this.#submit(worker, link, body);
        return;
      case ToDriver.request:
        this.#request(worker, link, body).catch((error: Error) => {
          worker.stoppedFor ??= `its request could not be read (${error.message})`;
          worker.kill();
        });
        return;
      case ToDriver.release:
        for (let left = body.u32(); left > 0; left--) {
          const number = body.f64();
          this.#engine.fleet.exports.release(worker, number, body.u32());
        }
        return;
      case ToDriver.waiting:
        // Its slot is free meanwhile: another task may be sent.
        worker.blocked += body.u8() === 1 ? 1 : -1;
        this.#engine.pool.schedule();
        return;
      case ToDriver.mapped:
        worker.endLease(body.u32());
        return;
      case ToDriver.define: {
        const id = body.f64();
        const name = body.text();
        const value = decode(link.read(body), this.#engine.translation.decodeHost) as {
          portable: Portable;
          where: string;
        };
        this.#engine.codes.receive(id, name, value.where, value.portable);
        return;
      }
    }
  }

  #submit(worker: WorkerProcess, link: Link, body: Reader): void {
    const engine = this.#engine;
    const number = body.f64();
    const flags = body.u8();
    const code = engine.codes.get(body.f64()) as CodeInfo;
    const { spec, actor, method } = decode(link.read(body), engine.translation.decodeHost) as SubmitOptions;
    const args: (Encoded | Record)[] = [];
    for (let left = body.u32(); left > 0; left--) {
      // A reference alone is an argument to be resolved; inside a value it stays a reference.
      if (body.u8() === 1) args.push(engine.fleet.exports.at(body.f64()));
      else args.push(link.read(body));
    }
    let record: Record;
    if (actor !== undefined) record = engine.actors.call(engine.actors.get(actor), method!, [], args, number);
    else {
      record = new Record(engine, code, { ...spec, signal: undefined }, args, performance.now());
      record.number = number;
      record.each = (flags & TaskFlag.each) !== 0;
      record.separate = (flags & TaskFlag.separate) !== 0;
      try {
        engine.accept(record, record.each ? 0 : 1);
      } catch (error) {
        engine.fail(record, error as Error);
      }
    }
    engine.fleet.exports.hold(worker, record);
    worker.children.submitted(record, worker.started());
  }

  async #request(worker: WorkerProcess, link: Link, body: Reader): Promise<void> {
    const engine = this.#engine;
    const request = body.u32();
    const name = body.text();
    const sent = link.read(body, !asking.has(name));
    // The record of a `put` takes the encoded value as it is: nothing is decoded on its way.
    if (name === "put") {
      const number = body.f64();
      const record = new Record(engine, undefined, plainSpec, [], 0);
      record.number = number;
      record.resolve(sent);
      engine.fleet.exports.hold(worker, record);
      this.#reply(worker, link, request, false, undefined);
      return;
    }
    if (name === "constructed") {
      const failure = decode(sent, engine.translation.decodeHost);
      const actor = worker.actor as ActorRecord;
      const standIn = new Record(engine, actor.code, { ...plainSpec, name: `new ${actor.spec.label}` }, [], 0);
      engine.actors.failed(worker, taskFailed(standIn, failure, worker.name));
      return;
    }
    try {
      const args = decode(sent, engine.translation.decodeHost) as unknown[];
      if (name === "get") {
        const [records, timeoutMs, what] = args as [Record[], number | undefined, string];
        await worker.children.whileAwaited(records, () =>
          engine.collecting.ready(records, untilWorker(timeoutMs), what),
        );
        if (worker.gone) return;
        link.replyValues(request, records);
        worker.leases.set(request, { kept: records, pins: link.takeSent() });
        return;
      }
      const value = await operations[name]!(engine, worker, args);
      this.#reply(worker, link, request, false, value);
    } catch (error) {
      this.#reply(worker, link, request, true, error);
    }
  }

  #reply(worker: WorkerProcess, link: Link, request: number, failed: boolean, value: unknown): void {
    if (worker.gone) return;
    const encoded = encode(value, this.#engine.translation.encodeHost, "the answer to a task");
    link.reply(request, failed, encoded);
    if (encoded instanceof Payload && encoded.sides.length > 0) {
      worker.leases.set(request, { kept: encoded, pins: link.takeSent() });
    }
  }
}
