/** How one process names what lies beside a message: segments, references, code and handles. */
import { deserialize, serialize } from "node:v8";
import type { CodeRef, HandleRef, Reader, Segment, Side, SideReader, SideWriter, Writer } from "../codec/index.js";
import type { Held } from "../held.js";
import { readSegment, writeSegment } from "./segments.js";

const Kind = { segment: 0, held: 1, code: 2, function: 3, class: 4, actor: 5, module: 6 } as const;
const handleKind = {
  [Kind.function]: "function",
  [Kind.class]: "class",
  [Kind.actor]: "actor",
  [Kind.module]: "module",
} as const;

/** The numbers of one process's things, and back. */
export interface Numbering {
  /** Called for each reference written: the receiver holds it from then on. */
  numberOf(held: Held): number;
  heldAt(number: number): Held;
  codeAt(number: number): CodeRef;
  /** A segment's descriptor is written into a message. */
  sending(segment: Segment): void;
  /** A segment made by the other process arrives. */
  received(segment: Segment): Segment;
}

export class Sides implements SideWriter, SideReader {
  readonly #numbering: Numbering;

  constructor(numbering: Numbering) {
    this.#numbering = numbering;
  }

  writeSide(writer: Writer, side: Side): void {
    if ("map" in side) {
      writer.u8(Kind.segment);
      this.#numbering.sending(side);
      writeSegment(writer, side);
    } else if (!("kind" in side)) {
      writer.u8(Kind.held);
      writer.f64(this.#numbering.numberOf(side));
    } else if (side.kind === "code") {
      writer.u8(Kind.code);
      writer.f64(side.id);
    } else {
      writer.u8(Kind[side.kind]);
      writer.f64(side.id);
      writer.f64(side.code?.id ?? -1);
      writer.bytes(serialize(side.options));
    }
  }

  readSide(reader: Reader): Side {
    const kind = reader.u8();
    if (kind === Kind.segment) return this.#numbering.received(readSegment(reader));
    if (kind === Kind.held) return this.#numbering.heldAt(reader.f64());
    if (kind === Kind.code) return this.#numbering.codeAt(reader.f64());
    const id = reader.f64();
    const code = reader.f64();
    const handle: HandleRef = {
      kind: handleKind[kind as keyof typeof handleKind],
      id,
      options: deserialize(reader.bytes()),
      code: code < 0 ? undefined : this.#numbering.codeAt(code),
    };
    return handle;
  }
}
