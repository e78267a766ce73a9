/** Messages that a matched probe took. */
import { MpiError } from "../common/index.js";
import { addon, type Passed } from "./addon.js";
import { decodeFrom } from "./decode.js";
import { kept, messageRequest } from "./request.js";
import { lastStatus } from "./status.js";
import type { Message, Request, Buffer as Sent, Status } from "./types.js";

export class MatchedMessage implements Message {
  readonly source: number;
  readonly tag: number;
  readonly bytes: number;
  #number: number;

  constructor(number: number, status: Status) {
    this.#number = number;
    this.source = status.source;
    this.tag = status.tag;
    this.bytes = status.bytes;
  }

  Recv<B>(buffer: Sent<B>): Status {
    addon.mrecv(buffer as Passed, this.#take("Message.Recv"), this.source);
    return lastStatus();
  }

  Irecv<B>(buffer: Sent<B>): Request {
    const array = kept("Message.Irecv", "buffer", buffer as Passed);
    return messageRequest(addon.imrecv(buffer as Passed, this.#take("Message.Irecv"), this.source), array);
  }

  recv<T = unknown>(): T {
    const memory = Buffer.from(new ArrayBuffer(this.bytes));
    addon.mrecv(memory, this.#take("Message.recv"), this.source);
    return (this.bytes === 0 ? undefined : decodeFrom(memory, 0, memory.length, true)) as T;
  }

  // A message can be received once.
  #take(operation: string): number {
    const number = this.#number;
    if (number < 0)
      throw new MpiError(`${operation} failed: the message has been received already (MPI_ERR_REQUEST)`, {
        class: "MPI_ERR_REQUEST",
        errorCode: 1,
        operation,
        peer: this.source,
      });
    this.#number = -1;
    return number;
  }
}
