/** The functions a worker was sent: made again once, then called. */
import type { Portable } from "../../../capture/index.js";
import { revive } from "../../../capture/worker.js";
import { type DecodeHost, decode, type Encoded } from "../../codec/index.js";
import type { CodeInfo, Codes } from "../codes.js";
import { codesIn } from "../needs.js";

type Callable = (...args: never) => unknown;

interface Arrived {
  readonly info: CodeInfo;
  readonly ready: Promise<void>;
  value: Callable | undefined;
  failure: unknown;
}

export class WorkerCodes {
  readonly #codes: Codes;
  readonly #host: DecodeHost;
  readonly #arrived = new Map<number, Arrived>();

  constructor(codes: Codes, host: DecodeHost) {
    this.#codes = codes;
    this.#host = host;
  }

  arrive(id: number, name: string, encoded: Encoded): void {
    const info = this.#codes.receive(id, name, "", undefined);
    const arrived: Arrived = {
      info,
      value: undefined,
      failure: undefined,
      ready: this.#revive(info, encoded).then(
        (value) => {
          arrived.value = value;
        },
        (error: unknown) => {
          arrived.failure = error;
        },
      ),
    };
    this.#arrived.set(id, arrived);
  }

  async #revive(info: CodeInfo, encoded: Encoded): Promise<Callable> {
    const needed = this.missing(encoded);
    if (needed) await needed;
    const sent = decode(encoded, this.#host) as { portable: Portable; where: string; problems: CodeInfo["problems"] };
    const { portable } = sent;
    info.where = sent.where;
    info.problems = sent.problems ?? [];
    const { value, classes } = await revive(portable, { large: portable.large, external: portable.external });
    this.#codes.learn(info, classes as readonly Callable[]);
    return value as Callable;
  }

  /** Ready to be called; `undefined` while it is being made. Throws why it could not be made. */
  get(id: number): Callable | undefined {
    const arrived = this.#arrived.get(id)!;
    if (arrived.failure !== undefined) throw arrived.failure;
    return arrived.value;
  }

  async ready(id: number): Promise<Callable> {
    const arrived = this.#arrived.get(id)!;
    await arrived.ready;
    if (arrived.failure !== undefined) throw arrived.failure;
    return arrived.value!;
  }

  name(id: number): string {
    return this.#arrived.get(id)?.info.name ?? "unknown";
  }

  /** A promise when a value has instances of classes that are not there yet. */
  missing(value: Encoded): Promise<unknown> | undefined {
    let waiting: Promise<unknown>[] | undefined;
    codesIn(value, (code) => {
      const arrived = this.#arrived.get(code.id);
      if (arrived && !arrived.value && arrived.failure === undefined) {
        waiting ??= [];
        waiting.push(arrived.ready);
      }
    });
    return waiting && Promise.all(waiting);
  }
}
