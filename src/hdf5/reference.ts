/** References: elements that point to a group or dataset of the same file. */

/**
 * Points to a group or dataset. Comes from `node.ref`, or from an element of type `"ref"`; `group.get(reference)` gives the
 * node. Valid for the file it belongs to, also after a `move`.
 */
export class Reference {
  /** Where the object is in the file: HDF5's own number. */
  readonly address: bigint;
  constructor(address: bigint) {
    this.address = address;
  }
  /** Do both point to the same object? Only meaningful for references of one file. */
  equals(other: Reference | null): boolean {
    return other !== null && this.address === other.address;
  }
}
