/** References: elements that point to a group or dataset of the same file. */
import { UsageError } from "../common/index.js";

/**
 * Points to a group or dataset. Comes from `node.ref`, or from an element of type `"ref"`; `group.get(reference)` gives the
 * node. Valid for the file it belongs to, also after a `move`.
 */
export class Reference {
  /** Where the object is in the file: HDF5's own number. */
  readonly address: bigint;
  /** @throws UsageError for what is no number of 64 bits */
  constructor(address: bigint) {
    if (typeof address !== "bigint" || BigInt.asUintN(64, address) !== address)
      throw new UsageError(
        `Reference: address: ${String(address)} was given; it takes a bigint from 0n to 2n ** 64n - 1n.`,
        {
          parameter: "address",
        },
      );
    this.address = address;
  }
  /** Do both point to the same object? Only meaningful for references of one file. */
  equals(other: Reference | null): boolean {
    return other !== null && this.address === other.address;
  }
}
