/** What the tests of `girona/random` share: the reference values, and doubles by their bits. */
import expected from "./reference/reference.json" with { type: "json" };

/** See `reference/make.py`. */
export { expected };

const view = new DataView(new ArrayBuffer(8));

/** The bits of a double as 16 hexadecimal digits. */
export function bitsOf(x: number): string {
  view.setFloat64(0, x);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

/** The double of 16 hexadecimal digits. */
export function fromBits(hex: string): number {
  view.setBigUint64(0, BigInt(`0x${hex}`));
  return view.getFloat64(0);
}

/** How far `x` is from an exact value, given as a double and the rest, in units of the last place of that double. */
export function ulpsFrom(exact: string, x: number): number {
  const [hex = "", rest = ""] = exact.split(" ");
  const high = fromBits(hex);
  return Math.abs(x - high - Number(rest)) / ulp(high);
}

function ulp(x: number): number {
  view.setFloat64(0, Math.abs(x));
  view.setBigUint64(0, view.getBigUint64(0) + 1n);
  return view.getFloat64(0) - Math.abs(x);
}
