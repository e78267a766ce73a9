/** Typed arrays and buffers by number, as they are written into messages. */

type AnyView = ArrayBufferView<ArrayBufferLike>;
interface Kind {
  readonly name: string;
  readonly prototype: object;
  readonly bytesPerElement: number;
  make(buffer: ArrayBuffer, byteLength: number): ArrayBufferView | ArrayBuffer;
}

function typed(View: {
  new (buffer: ArrayBuffer): AnyView;
  readonly BYTES_PER_ELEMENT: number;
  readonly name: string;
  prototype: object;
}): Kind {
  return {
    name: View.name,
    prototype: View.prototype,
    bytesPerElement: View.BYTES_PER_ELEMENT,
    make: (buffer) => new View(buffer),
  };
}

/** The position in this table is what is written: only append. */
export const viewKinds: readonly Kind[] = [
  { name: "ArrayBuffer", prototype: ArrayBuffer.prototype, bytesPerElement: 1, make: (buffer) => buffer },
  { name: "Buffer", prototype: Buffer.prototype, bytesPerElement: 1, make: (buffer) => Buffer.from(buffer) },
  { name: "DataView", prototype: DataView.prototype, bytesPerElement: 1, make: (buffer) => new DataView(buffer) },
  typed(Uint8Array),
  typed(Int8Array),
  typed(Uint8ClampedArray),
  typed(Uint16Array),
  typed(Int16Array),
  typed(Uint32Array),
  typed(Int32Array),
  typed(Float32Array),
  typed(Float64Array),
  typed(BigInt64Array),
  typed(BigUint64Array),
  // Node 24 and newer have it.
  ...("Float16Array" in globalThis ? [typed((globalThis as { Float16Array?: never }).Float16Array!)] : []),
];

const byPrototype = new Map(viewKinds.map((kind, index) => [kind.prototype, index]));

/** Its number, or `undefined` for a subclass of the user's own. */
export function viewKind(value: ArrayBufferView | ArrayBuffer): number | undefined {
  return byPrototype.get(Object.getPrototypeOf(value) as object);
}

export function bytesOf(value: ArrayBufferView | ArrayBuffer): Uint8Array {
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
}
