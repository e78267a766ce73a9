/** Values of the driver's program to encoded ones and back: with its segments, functions, classes, actors and references. */
import { UsageError } from "../../common/index.js";
import { handleKinds } from "../code.js";
import {
  type DecodeHost,
  type Encoded,
  type EncodeHost,
  encode,
  type HandleRef,
  isPrimitive,
  Payload,
  segmentBytes,
} from "../codec/index.js";
import { Held } from "../held.js";
import type { ActorRecord } from "./actors.js";
import type { CodeInfo } from "./codes.js";
import type { EmbeddedEngine } from "./driver.js";
import { Record } from "./record.js";
import { mappedFrom } from "./segments.js";

export class Translation {
  readonly encodeHost: EncodeHost;
  /** For an item out of a chunk: a large one stays in its segment, since nobody can have written to what was just mapped. */
  readonly itemHost: EncodeHost;
  readonly decodeHost: DecodeHost;
  /** Called for large arguments, for the advice. */
  onLarge: ((value: object, bytes: number) => void) | undefined;
  readonly #engine: EmbeddedEngine;
  #largeSeen = 0;

  constructor(engine: EmbeddedEngine) {
    this.#engine = engine;
    this.encodeHost = {
      store: (bytes) => {
        const { segment, in: place } = engine.store.create(bytes);
        engine.events.emit({ type: "object.stored", bytes: bytes.byteLength, in: place });
        return segment;
      },
      handle: (value) => this.#handle(value),
      classOf: (Class) => engine.codes.classOf(Class),
      held: (value) => this.own(value),
      large: (value, bytes) => {
        this.#largeSeen++;
        this.onLarge?.(value, bytes);
      },
    };
    const { store, handle, classOf, held } = this.encodeHost;
    this.itemHost = { store: (bytes) => mappedFrom(bytes) ?? store(bytes), handle, classOf, held };
    this.decodeHost = {
      classAt: (ref) => engine.codes.classAt(ref),
      handle: ({ kind, id, code, options }) => {
        const target = kind === "actor" ? engine.actors.get(id) : (code as CodeInfo);
        return handleKinds()!.revive({ kind, source: undefined, target, options }, engine);
      },
      held: (side) => side,
    };
  }

  #handle(value: object): HandleRef | undefined {
    const description = handleKinds()?.describe(value);
    if (!description) return undefined;
    const { kind, options, source, target } = description;
    if (kind === "actor") {
      const actor = target as ActorRecord;
      actor.shared = true;
      return { kind, id: actor.id, options, code: actor.code };
    }
    const code = source ? this.#engine.codes.define(source, undefined) : (target as CodeInfo);
    return { kind, id: code.id, options, code };
  }

  /** A reference of this engine, or an error in words. */
  own(held: Held): Record {
    if (held instanceof Record && held.owner === this.#engine) return held;
    throw new UsageError(
      `The ref ${held.label}#${held.id} belongs to another cluster. Fetch it by itself, with get(ref), and pass the value.`,
      { parameter: "ref" },
    );
  }

  /** Copies the arguments; references stay references. */
  encodeArguments(code: CodeInfo, args: readonly unknown[], what: string): (Encoded | Record)[] {
    const encoded: (Encoded | Record)[] = new Array(args.length);
    let began = 0;
    for (let i = 0; i < args.length; i++) {
      const value = args[i];
      if (isPrimitive(value)) encoded[i] = value;
      else if (value instanceof Held) encoded[i] = this.own(value);
      else {
        began ||= performance.now();
        const seen = this.#largeSeen;
        const payload = encode(value, this.encodeHost, `argument ${i + 1} of ${what}`);
        if (payload instanceof Payload) {
          const { size } = payload;
          code.statistics.bytes += size;
          // Large without a large array in it, such as a long list.
          if (size > segmentBytes && seen === this.#largeSeen) this.onLarge?.(value as object, size);
        }
        encoded[i] = payload;
      }
    }
    if (began > 0) code.statistics.serialise.add(performance.now() - began);
    return encoded;
  }
}
