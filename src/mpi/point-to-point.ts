/** Messages between two ranks. The base of a communicator. */
import { addon, callBlock, facts, type Passed } from "./addon.js";
import { arrived, scratch } from "./decode.js";
import { beside, bytes, copyOfEncoded, encode } from "./encode.js";
import { shown, throwUsageError, whole } from "./errors.js";
import { MatchedMessage } from "./message.js";
import { kept, messageRequest, plainRequest } from "./request.js";
import { fillStatus, lastStatus } from "./status.js";
import type {
  Buffer,
  FromOptions,
  Message,
  Request,
  Status,
  ToOptions,
  ValueFromOptions,
  ValueRoomOptions,
} from "./types.js";
import { defaultBytes, receiveBuffer, ValueRequest } from "./value-request.js";

// The options of most calls are right: they are looked at once, and only wrong ones take a detour.
const destOf = (operation: string, to: ToOptions): number => {
  const dest = to?.dest;
  return typeof dest === "number" && (dest | 0) === dest ? dest : whole(operation, "dest", dest);
};
const tagOf = (operation: string, to: ToOptions): number => {
  const { tag } = to;
  if (tag === undefined) return 0;
  return typeof tag === "number" && (tag | 0) === tag ? tag : whole(operation, "tag", tag);
};
const sourceOf = (operation: string, from: FromOptions | undefined): number => {
  const source = from?.source;
  if (source === undefined) return facts.anySource;
  return typeof source === "number" && (source | 0) === source ? source : whole(operation, "source", source);
};
const fromTagOf = (operation: string, from: FromOptions | undefined): number => {
  const tag = from?.tag;
  if (tag === undefined) return facts.anyTag;
  return typeof tag === "number" && (tag | 0) === tag ? tag : whole(operation, "tag", tag);
};

export class PointToPoint {
  readonly rank: number;
  readonly size: number;
  /** @internal What the addon knows it by. */
  readonly handle: number;

  constructor(handle: number) {
    this.handle = handle;
    this.rank = addon.commRank(handle);
    this.size = addon.commSize(handle);
  }

  Send<B>(buffer: Buffer<B>, options: ToOptions): void {
    callBlock[0] = destOf("Send", options);
    callBlock[1] = tagOf("Send", options);
    callBlock[2] = this.handle;
    addon.send(buffer as Passed);
  }

  Ssend<B>(buffer: Buffer<B>, options: ToOptions): void {
    addon.ssend(buffer as Passed, destOf("Ssend", options), tagOf("Ssend", options), this.handle);
  }

  Recv<B>(buffer: Buffer<B>, options?: FromOptions): Status {
    callBlock[0] = sourceOf("Recv", options);
    callBlock[1] = fromTagOf("Recv", options);
    callBlock[2] = this.handle;
    addon.recv(buffer as Passed);
    return lastStatus();
  }

  Isend<B>(buffer: Buffer<B>, options: ToOptions): Request {
    const array = kept("Isend", "buffer", buffer as Passed);
    return messageRequest(
      addon.isend(buffer as Passed, destOf("Isend", options), tagOf("Isend", options), this.handle),
      array,
    );
  }

  Issend<B>(buffer: Buffer<B>, options: ToOptions): Request {
    const array = kept("Issend", "buffer", buffer as Passed);
    return messageRequest(
      addon.issend(buffer as Passed, destOf("Issend", options), tagOf("Issend", options), this.handle),
      array,
    );
  }

  Irecv<B>(buffer: Buffer<B>, options?: FromOptions): Request {
    const array = kept("Irecv", "buffer", buffer as Passed);
    return messageRequest(
      addon.irecv(buffer as Passed, sourceOf("Irecv", options), fromTagOf("Irecv", options), this.handle),
      array,
    );
  }

  Sendrecv<S, B>(send: Buffer<S>, to: ToOptions, receive: Buffer<B>, from?: FromOptions): Status {
    addon.sendrecv(
      send as Passed,
      destOf("Sendrecv", to),
      tagOf("Sendrecv", to),
      this.handle,
      receive as Passed,
      sourceOf("Sendrecv", from),
      fromTagOf("Sendrecv", from),
    );
    return lastStatus();
  }

  Sendrecv_replace<B>(buffer: Buffer<B>, to: ToOptions, from?: FromOptions): Status {
    addon.sendrecvReplace(
      buffer as Passed,
      destOf("Sendrecv_replace", to),
      tagOf("Sendrecv_replace", to),
      this.handle,
      sourceOf("Sendrecv_replace", from),
      fromTagOf("Sendrecv_replace", from),
    );
    return lastStatus();
  }

  Probe(options?: FromOptions): Status {
    addon.probe(sourceOf("Probe", options), fromTagOf("Probe", options), this.handle);
    return lastStatus();
  }

  Iprobe(options?: FromOptions): Status | undefined {
    return addon.iprobe(sourceOf("Iprobe", options), fromTagOf("Iprobe", options), this.handle)
      ? lastStatus()
      : undefined;
  }

  Mprobe(options?: FromOptions): Message {
    return new MatchedMessage(
      addon.mprobe(sourceOf("Mprobe", options), fromTagOf("Mprobe", options), this.handle),
      lastStatus(),
    );
  }

  Improbe(options?: FromOptions): Message | undefined {
    const found = addon.improbe(sourceOf("Improbe", options), fromTagOf("Improbe", options), this.handle);
    return found < 0 ? undefined : new MatchedMessage(found, lastStatus());
  }

  send(value: unknown, options: ToOptions): void {
    this.#sendValue("send", value, options, false);
  }

  ssend(value: unknown, options: ToOptions): void {
    this.#sendValue("ssend", value, options, true);
  }

  #sendValue(operation: string, value: unknown, options: ToOptions, synchronous: boolean): void {
    const dest = destOf(operation, options);
    const tag = tagOf(operation, options);
    const length = encode(operation, value, true);
    addon.sendValue(bytes, length, beside, dest, tag, this.handle, synchronous);
  }

  recv<T = unknown>(options?: ValueFromOptions): T {
    const where = addon.receiveValue(sourceOf("recv", options), fromTagOf("recv", options), this.handle, scratch);
    if (options?.status !== undefined) fillStatus(options.status);
    // From nobody, with PROC_NULL.
    return (where === 0 ? undefined : arrived(where)) as T;
  }

  isend(value: unknown, options: ToOptions): Request<void> {
    const copy = copyOfEncoded(encode("isend", value));
    return plainRequest(addon.isend(copy, destOf("isend", options), tagOf("isend", options), this.handle), copy);
  }

  issend(value: unknown, options: ToOptions): Request<void> {
    const copy = copyOfEncoded(encode("issend", value));
    return plainRequest(addon.issend(copy, destOf("issend", options), tagOf("issend", options), this.handle), copy);
  }

  irecv<T = unknown>(options?: ValueRoomOptions): Request<T> {
    const bytes = options?.bytes ?? defaultBytes;
    if (!Number.isSafeInteger(bytes) || bytes < 1)
      throwUsageError("irecv", "bytes", `must be a whole number from 1 on, not ${shown(bytes)}`);
    const buffer = receiveBuffer(bytes);
    const slot = addon.irecv(buffer, sourceOf("irecv", options), fromTagOf("irecv", options), this.handle);
    return new ValueRequest<T>(slot, buffer);
  }

  sendrecv<T = unknown>(value: unknown, to: ToOptions, from?: ValueFromOptions): T {
    const dest = destOf("sendrecv", to);
    const tag = tagOf("sendrecv", to);
    const length = encode("sendrecv", value, true);
    const where = addon.exchangeValue(
      bytes,
      length,
      beside,
      dest,
      tag,
      this.handle,
      sourceOf("sendrecv", from),
      fromTagOf("sendrecv", from),
      scratch,
    );
    if (from?.status !== undefined) fillStatus(from.status);
    return (where === 0 ? undefined : arrived(where)) as T;
  }
}
