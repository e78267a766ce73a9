/** The request of `irecv`: how long the value will be is known when it is there, so that it is looked for and then received. */
import { addon, facts } from "./addon.js";
import { arrived, scratch } from "./decode.js";
import { AnyRequest } from "./request.js";
import { lastStatus, ReceivedStatus } from "./status.js";

export class ValueRequest<T> extends AnyRequest<T> {
  readonly #source: number;
  readonly #tag: number;
  readonly #comm: number;
  /** The request for a large value on its way. */
  #slot = -1;
  #memory: ArrayBuffer | undefined;
  #value: T | undefined;

  constructor(source: number, tag: number, comm: number) {
    super();
    this.#source = source;
    this.#tag = tag;
    this.#comm = comm;
  }

  protected advance(micros: number): boolean {
    const until = micros === 0 ? 0 : addon.wtime() + micros * 1e-6;
    do {
      if (this.#slot < 0) this.#look(addon.improbe(this.#source, this.#tag, this.#comm));
      else if (addon.test(this.#slot)) this.#done(this.#memory!);
    } while (!this.settled && micros !== 0 && addon.wtime() < until);
    return this.settled;
  }

  protected block(): void {
    if (this.#slot < 0) this.#look(addon.mprobe(this.#source, this.#tag, this.#comm));
    if (this.settled) return;
    addon.wait(this.#slot);
    this.#done(this.#memory!);
  }

  #look(found: number): void {
    if (found < 0) return;
    const { source, bytes } = lastStatus();
    if (bytes <= scratch.length) {
      addon.mrecv(scratch, found, source);
      this.#done(bytes);
      return;
    }
    this.#memory = new ArrayBuffer(bytes);
    this.#slot = addon.imrecv(new Uint8Array(this.#memory), found, source);
  }

  #done(where: number | ArrayBuffer): void {
    this.status = lastStatus();
    this.settled = true;
    this.#value = (where === 0 ? undefined : arrived(where)) as T;
  }

  protected value(): T {
    return this.#value as T;
  }

  cancel(): void {
    // What has begun to arrive does arrive.
    if (this.settled || this.#slot >= 0) return;
    this.settled = true;
    this.status = new ReceivedStatus(facts.anySource, facts.anyTag, 0, 0, true);
  }
}
