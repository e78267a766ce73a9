/** Encoded values in frames: one byte of tag, then the value; payloads name what lies beside them. */
import type { Reader, Writer } from "./bytes.js";
import { type Encoded, type Form, Payload, type Side } from "./payload.js";

const Tag = { undefined: 0, null: 1, true: 2, false: 3, int: 4, double: 5, text: 6, payload: 7 } as const;

/** How the process at hand names what lies beside a message. */
export interface SideWriter {
  writeSide(writer: Writer, side: Side): void;
}
export interface SideReader {
  readSide(reader: Reader): Side;
}

export function writeValue(writer: Writer, value: Encoded, sides: SideWriter): void {
  switch (typeof value) {
    case "number":
      if ((value | 0) === value && !Object.is(value, -0)) {
        writer.u8(Tag.int);
        writer.i32(value);
      } else {
        writer.u8(Tag.double);
        writer.f64(value);
      }
      return;
    case "string":
      writer.u8(Tag.text);
      writer.text(value);
      return;
    case "boolean":
      writer.u8(value ? Tag.true : Tag.false);
      return;
    case "undefined":
      writer.u8(Tag.undefined);
      return;
  }
  if (value === null) {
    writer.u8(Tag.null);
    return;
  }
  writer.u8(Tag.payload);
  writer.u8(value.form);
  writer.bytes(value.bytes);
  writer.u32(value.sides.length);
  for (const side of value.sides) sides.writeSide(writer, side);
}

export function readValue(reader: Reader, sides: SideReader): Encoded {
  const tag = reader.u8();
  switch (tag) {
    case Tag.int:
      return reader.i32();
    case Tag.double:
      return reader.f64();
    case Tag.text:
      return reader.text();
    case Tag.true:
      return true;
    case Tag.false:
      return false;
    case Tag.null:
      return null;
    case Tag.undefined:
      return undefined;
  }
  const form = reader.u8() as Form;
  const bytes = reader.bytes();
  const count = reader.u32();
  if (count === 0) return new Payload(form, bytes);
  const beside: Side[] = [];
  for (let i = 0; i < count; i++) beside.push(sides.readSide(reader));
  return new Payload(form, bytes, beside);
}
