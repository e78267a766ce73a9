/** What groups and datasets have in common: the handle, the name, the attributes. */
import { Hdf5Error } from "../common/index.js";
import { AttributeSet } from "./attributes.js";
import type { RawLibrary } from "./raw.js";
import { Reference } from "./reference.js";
import type { FileState, Scope } from "./state.js";
import type { Attributes, Node, OpenFile } from "./types.js";

/** What nodes hand each other, and nobody else sees. */
export interface Inside {
  readonly state: FileState;
  readonly handle: number;
  /** The file's object, which `node.file` gives. */
  readonly file: { current: OpenFile | undefined };
  /** The path it was opened by, for messages. */
  readonly path: string;
}

const insides = new WeakMap<object, Inside>();

/** The inside of a group or dataset; `undefined` for anything else. */
export function insideOf(node: unknown): Inside | undefined {
  return typeof node === "object" && node !== null ? insides.get(node) : undefined;
}

export abstract class ObjectNode implements Node {
  #attributes: Attributes | undefined;

  constructor(inside: Inside) {
    insides.set(this, inside);
    inside.state.own(this, inside.handle);
  }

  /** @internal */
  protected get inside(): Inside {
    return insides.get(this)!;
  }

  /** @internal Calls the library for this object. */
  protected call<T>(
    operation: string,
    scope: Scope,
    args: string,
    work: (raw: RawLibrary) => T,
    path = this.inside.path,
  ): T {
    return this.inside.state.call(operation, path, scope, args, work);
  }

  get file(): OpenFile {
    return this.inside.file.current!;
  }

  get name(): string {
    return this.call("name", "local", "", (raw) => raw.objectName(this.inside.handle));
  }

  get attributes(): Attributes {
    const { state, handle, path } = this.inside;
    this.#attributes ??= new AttributeSet(state, handle, path, this);
    return this.#attributes;
  }

  get ref(): Reference {
    return new Reference(this.call("refer to", "local", "", (raw) => raw.address(this.inside.handle)));
  }

  equals(other: Node): boolean {
    const { state, handle } = this.inside;
    const its = insideOf(other);
    if (!its || its.state.raw !== state.raw || !its.state.isOpen) return false;
    return this.call("compare", "local", "", (raw) => raw.sameObject(handle, its.handle));
  }

  /** @internal An error about this object that HDF5 has no part in. */
  protected failure(operation: string, message: string, path = this.inside.path): Hdf5Error {
    const file = this.inside.state.path;
    return new Hdf5Error(`cannot ${operation} ${path} of ${file}: ${message}.`, { file, path, operation });
  }
}

/** A path in messages: relative ones after the group's own. */
export function joinPath(group: string, path: string): string {
  if (path.startsWith("/")) return path;
  return group === "/" ? `/${path}` : `${group}/${path}`;
}
