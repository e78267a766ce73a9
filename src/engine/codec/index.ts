/**
 * `engine/codec/`: values and frames as bytes.
 *
 * `encode` copies a value for its way, `writeValue`/`readValue` put it into frames, `decode` makes a fresh copy. What is
 * large lies beside the message in a segment, what is held elsewhere is named by number.
 */
export { Reader, Writer } from "./bytes.js";
export { beginFrame, endFrame, FrameParser } from "./frames.js";
export {
  type CodeRef,
  type Encoded,
  Form,
  type HandleRef,
  isPrimitive,
  Payload,
  type Segment,
  type Side,
} from "./payload.js";
export { type ClassRef, type EncodeHost, segmentBytes } from "./prepare.js";
export { type DecodeHost, decode, encode, encodeList } from "./values.js";
export { bytesOf } from "./views.js";
export { readValue, type SideReader, type SideWriter, writeValue } from "./wire.js";
