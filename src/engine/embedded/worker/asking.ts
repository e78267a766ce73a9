/** Requests of a worker to its driver, and the answers. */
import { TaskError } from "../../../common/index.js";
import {
  type DecodeHost,
  decode,
  type Encoded,
  type Reader,
  readValue,
  type SideReader,
  type SideWriter,
  writeValue,
} from "../../codec/index.js";
import type { EachResult } from "../../engine.js";
import type { CodeInfo } from "../codes.js";
import { codesIn } from "../needs.js";
import { Reply, ToDriver } from "../protocol.js";
import type { Connection } from "./connection.js";
import { WorkerHeld } from "./held.js";

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A promise when functions that a value needs are not there yet. */
export type Missing = (value: Encoded) => Promise<unknown> | undefined;

interface Stored {
  readonly value: Encoded;
  readonly worker: string;
  readonly errors: readonly (readonly [number, Encoded])[] | undefined;
}

export class Asking {
  readonly #connection: Connection;
  readonly #sides: SideWriter & SideReader;
  readonly #announce: (code: CodeInfo) => void;
  readonly #pending = new Map<number, Pending>();
  #next = 1;

  /** `announce` makes a function known to the driver before a message names it. */
  constructor(connection: Connection, sides: SideWriter & SideReader, announce: (code: CodeInfo) => void) {
    this.#connection = connection;
    this.#sides = sides;
    this.#announce = announce;
  }

  /** `number`: of the reference that a `put` makes. */
  request(operation: string, encoded: Encoded, number?: number): Promise<unknown> {
    codesIn(encoded, this.#announce);
    const request = this.#next++;
    this.#connection.frame(ToDriver.request, (writer) => {
      writer.u32(request);
      writer.text(operation);
      writeValue(writer, encoded, this.#sides);
      if (number !== undefined) writer.f64(number);
    });
    return new Promise((resolve, reject) => this.#pending.set(request, { resolve, reject }));
  }

  async reply(body: Reader, missing: Missing, host: DecodeHost): Promise<void> {
    const request = body.u32();
    const pending = this.#pending.get(request);
    this.#pending.delete(request);
    const kind = body.u8();
    try {
      if (kind === Reply.values) pending?.resolve(await this.#values(body, missing, host));
      else {
        const encoded = readValue(body, this.#sides);
        await missing(encoded);
        const value = decode(encoded, host);
        if (kind === Reply.error) pending?.reject(value);
        else pending?.resolve(value);
      }
    } catch (error) {
      pending?.reject(error);
    }
    this.#connection.frame(ToDriver.mapped, (writer) => writer.u32(request));
  }

  async #values(body: Reader, missing: Missing, host: DecodeHost): Promise<unknown[]> {
    const stored: Stored[] = [];
    for (let left = body.u32(); left > 0; left--) stored.push(this.#stored(body));
    for (const { value, errors } of stored) {
      await missing(value);
      for (const [, error] of errors ?? []) await missing(error);
    }
    return stored.map(({ value, worker, errors }) => {
      const decoded = decode(value, host);
      if (!errors) return decoded;
      const failed = errors.map(([index, error]) => [index, itemFailed(decode(error, host), worker)] as const);
      return { values: decoded as unknown[], errors: failed } satisfies EachResult;
    });
  }

  #stored(body: Reader): Stored {
    const each = body.u8() === 1;
    const value = readValue(body, this.#sides);
    if (!each) return { value, worker: "", errors: undefined };
    const worker = body.text();
    const errors: [number, Encoded][] = [];
    for (let left = body.u32(); left > 0; left--) errors.push([body.u32(), readValue(body, this.#sides)]);
    return { value, worker, errors };
  }
}

function itemFailed(cause: unknown, worker: string): Error {
  const shown = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return new TaskError(`an item failed on ${worker}: ${shown}`, {
    task: "map",
    ref: new WorkerHeld(0, "map"),
    worker,
    attempts: 1,
    cause,
  });
}
