/**
 * `engine/embedded/worker/`: what runs in a worker process. `startWorker` connects it to its driver; from then on it runs
 * what it is sent, and `engine` is the engine contract for the tasks inside.
 */
import { userStack } from "../../../capture/worker.js";
import { decode, type Encoded, type Reader, readValue } from "../../codec/index.js";
import type { Engine } from "../../engine.js";
import { Claims, claimsBytes } from "../claims.js";
import { CodeInfo, Codes } from "../codes.js";
import { collectGarbage } from "../gc.js";
import { codesIn } from "../needs.js";
import { numbersPerProcess, TaskFlag, ToDriver, ToWorker } from "../protocol.js";
import type { FileSegment } from "../segments.js";
import { sharedMemory } from "../shm.js";
import { Sides } from "../sides.js";
import { SegmentStore } from "../store.js";
import { ClientEngine } from "./client.js";
import { WorkerCodes } from "./codes.js";
import { Connection } from "./connection.js";
import { Garbage } from "./garbage.js";
import { HeldTable, type WorkerHeld } from "./held.js";
import { tagOutput } from "./lines.js";
import { Runner, type Task } from "./runner.js";

interface Settings {
  readonly number: number;
  readonly name: string;
  readonly parent: number;
  readonly directory: string;
  readonly workers: number;
}

/** Descriptor of the page shared with the driver: `stdio[4]`. */
const claimsFd = 4;

/** The engine for tasks, once this process is a connected worker. */
export function startWorker(): Engine {
  const settings = JSON.parse(process.env["GIRONA_WORKER"]!) as Settings;
  delete process.env["GIRONA_WORKER"];
  const shm = sharedMemory();
  shm?.dieWithParent(settings.parent);
  // Ctrl-C goes to the whole group of processes; the driver decides what becomes of its workers.
  process.on("SIGINT", () => {});
  // Node.js prints it then, with the user's own files and lines.
  process.on("uncaughtExceptionMonitor", (error: unknown) => {
    if (error instanceof Error && typeof error.stack === "string") Reflect.set(error, "stack", userStack(error.stack));
  });
  const claims = shm ? new Claims(shm.map(claimsFd, claimsBytes, "shared")) : undefined;
  const store: SegmentStore = new SegmentStore({
    directory: settings.directory,
    // What it has made and the driver has not counted yet takes from the room as well.
    room: () => (claims ? claims.room - store.memoryBytes : 0),
    keepNames: !shm,
  });
  const codes = new Codes(settings.number * numbersPerProcess, false);
  // Results' segments stay open until the driver has opened them for itself.
  const handedOver = new Map<number, FileSegment>();

  const connection = new Connection(claims, (type, body) => receive(type, body));
  const helds = new HeldTable((number, received) => {
    connection.frame(ToDriver.release, (writer) => {
      writer.u32(1);
      writer.f64(number);
      writer.u32(received);
    });
  });
  const sides = new Sides({
    numberOf: (held) => (held as WorkerHeld).number,
    heldAt: (number) => helds.receive(number, "ref"),
    codeAt: (id) => codes.get(id) ?? new CodeInfo(id, "unknown"),
    sending: () => {},
    received: (segment) => {
      garbage.add(segment.bytes);
      return segment;
    },
  });
  const engine: ClientEngine = new ClientEngine({
    connection,
    codes,
    helds,
    sides,
    firstNumber: settings.number * numbersPerProcess + 1,
    workers: settings.workers,
    blocked: (by) => {
      runner.blocked += by;
      if (by > 0) queueMicrotask(() => runner.drain());
    },
    store: (bytes) => {
      const { segment } = store.create(bytes);
      garbage.add(bytes.byteLength);
      if (segment.path) segment.handOver();
      else handedOver.set(segment.fd, segment);
      return segment;
    },
  });
  const garbage = new Garbage(() => runner.idle);
  const workerCodes = new WorkerCodes(codes, engine.decodeHost);

  const runner = new Runner(workerCodes, claims, engine.encodeHost, engine.decodeHost, {
    writer: connection.writer,
    sides,
    begin: () => connection.beginResult(),
    end: () => connection.endResult(),
    flush: () => connection.flush(),
    announce: (value) => codesIn(value, (code) => engine.announce(code)),
  });
  tagOutput(() => runner.current);

  function task(body: Reader): Task {
    const sequence = body.u32();
    const flags = body.u8();
    const code = body.f64();
    const method = flags & TaskFlag.method ? body.text() : undefined;
    const name = flags & TaskFlag.named ? body.text() : undefined;
    const args: Encoded[] = new Array(body.u32());
    for (let i = 0; i < args.length; i++) args[i] = readValue(body, sides);
    return { sequence, flags, code, method, name, args };
  }

  function receiveTasks(body: Reader): void {
    const head = body.u32();
    runner.prompt = (head & 1) === 1;
    for (let left = head >>> 1; left > 0; left--) runner.push(task(body));
    runner.drain();
  }

  async function construct(body: Reader): Promise<void> {
    const id = body.f64();
    runner.concurrency = body.u32();
    const encoded: Encoded[] = new Array(body.u32());
    for (let i = 0; i < encoded.length; i++) encoded[i] = readValue(body, sides);
    runner.hold(true);
    try {
      const Class = (await workerCodes.ready(id)) as unknown as new (...args: unknown[]) => object;
      for (const value of encoded) await workerCodes.missing(value);
      runner.instance = new Class(...encoded.map((value) => decode(value, engine.decodeHost)));
      runner.hold(false);
    } catch (error) {
      engine.constructionFailed(runner.error(error));
    }
  }

  function receive(type: number, body: Reader): void {
    switch (type) {
      case ToWorker.tasks:
        receiveTasks(body);
        return;
      case ToWorker.define:
        workerCodes.arrive(body.f64(), body.text(), readValue(body, sides));
        return;
      case ToWorker.reply:
        void engine.reply(body, (value) => workerCodes.missing(value));
        return;
      case ToWorker.closeFiles:
        for (let left = body.u32(); left > 0; left--) {
          const fd = body.u32();
          handedOver.get(fd)?.close();
          handedOver.delete(fd);
        }
        return;
      case ToWorker.actor:
        void construct(body);
        return;
      case ToWorker.collect:
        collectGarbage();
        return;
      case ToWorker.leave:
        leave();
    }
  }

  function leave(): void {
    if (runner.idle) connection.leave();
    else setImmediate(leave);
  }

  connection.frame(ToDriver.hello, () => {});
  connection.flush();
  return engine;
}
