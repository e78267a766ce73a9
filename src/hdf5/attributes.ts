/** Attributes: named values of a group or dataset. */
import { dtypes, Hdf5Error } from "../common/index.js";
import { checkLengths, checkNames, show, showShape, usage } from "./check.js";
import { checkStored, typeOfValues } from "./create.js";
import { checkNumber, everything, readData, writeData } from "./data.js";
import type { RawLibrary, RawType } from "./raw.js";
import { Reference } from "./reference.js";
import type { FileState } from "./state.js";
import { elementType, innerShape, memoryType, nameOf, numericBase, opensAs, plainType } from "./type-mapping.js";
import type { AnyElement, AttributeData, AttributeOptions, Attributes, ElementType, Values } from "./types.js";

/** An attribute's value as it comes from the file. */
interface Found {
  readonly type: ElementType;
  /** `null`: without a dataspace. */
  readonly shape: readonly number[] | null;
  readonly data: unknown;
}

export class AttributeSet implements Attributes {
  readonly #state: FileState;
  readonly #handle: number;
  readonly #owner: string;
  /** The node, which keeps the handle open. */
  readonly #node: object;

  constructor(state: FileState, handle: number, owner: string, node: object) {
    this.#state = state;
    this.#handle = handle;
    this.#owner = owner;
    this.#node = node;
  }

  #call<T>(operation: string, name: string, change: boolean, args: string, work: (raw: RawLibrary) => T): T {
    void this.#node;
    return this.#state.call(`${operation} attribute`, `${this.#owner}@${name}`, change ? "change" : "look", args, work);
  }

  get size(): number {
    return this.keys().length;
  }

  keys(): string[] {
    return this.#state.call("list the attributes", this.#owner, "look", "", (raw) => raw.attributeNames(this.#handle));
  }

  has(name: string): boolean {
    checkName(name);
    return this.#call("look for", name, false, "", (raw) => raw.attributeExists(this.#handle, name));
  }

  entries(): [name: string, value: AttributeData][] {
    return this.keys().map((name): [string, AttributeData] => [name, this.get(name)!]);
  }

  get(name: string, dtype?: ElementType): never {
    checkName(name);
    const found = this.#find(name, dtype);
    if (found === undefined && dtype !== undefined) throw this.#absent(name, "read attribute");
    return singleOrAll(found) as never;
  }

  read(name: string): Values<ElementType> {
    checkName(name);
    const found = this.#find(name, undefined);
    if (!found) throw this.#absent(name, "read attribute");
    const shape = [...(found.shape ?? [0]), ...innerShape(found.type)];
    return { dtype: plainType(found.type), shape, data: (found.shape ? found.data : []) as never };
  }

  #absent(name: string, operation: string): Hdf5Error {
    const keys = this.keys();
    const there =
      keys.length === 0 ? "it has none" : `it has ${keys.slice(0, 12).join(", ")}${keys.length > 12 ? ", ..." : ""}`;
    return new Hdf5Error(`cannot ${operation} ${name} of ${this.#owner} in ${this.#state.path}: ${there}.`, {
      file: this.#state.path,
      path: this.#owner,
      operation,
    });
  }

  #find(name: string, wanted: ElementType | undefined): Found | undefined {
    return this.#call("read", name, false, "", (raw): Found | undefined => {
      if (!raw.attributeExists(this.#handle, name)) return undefined;
      const handle = raw.attributeOpen(this.#handle, name);
      try {
        return this.#readOpen(raw, handle, name, wanted);
      } finally {
        raw.close(handle);
      }
    });
  }

  #readOpen(raw: RawLibrary, handle: number, name: string, wanted: ElementType | undefined): Found {
    const stored = raw.typeOf(handle);
    const type = wanted ?? elementType(stored);
    if (type === undefined || (wanted !== undefined && !opensAs(stored, wanted)))
      throw this.#otherType(name, stored, wanted);
    const shape = raw.shape(handle);
    if (shape === null) return { type, shape, data: null };
    const { library } = this.#state;
    const memory = library.type(memoryType(type, stored));
    const place = { handle, memory, type, field: undefined, collective: false, isEmpty: false };
    return { type, shape, data: readData(raw, place, everything(shape)) };
  }

  #otherType(name: string, stored: RawType, wanted: ElementType | undefined): Hdf5Error {
    const holds = `attribute ${name} of ${this.#owner} in ${this.#state.path} holds ${nameOf(stored)}`;
    return new Hdf5Error(wanted === undefined ? `${holds}.` : `${holds}, not ${nameOf(wanted)}.`, {
      file: this.#state.path,
      path: this.#owner,
      operation: "read attribute",
    });
  }

  set(name: string, value: unknown, options?: AttributeOptions<ElementType>): void {
    checkName(name);
    const { dtype, shape, data, stored } = plan(value, options);
    const args = `${nameOf(dtype)}, ${shape === null ? "null" : showShape(shape)}`;
    this.#call("set", name, true, args, (raw) => {
      // The new one is complete before the old one goes, so that a value that does not fit changes nothing.
      const isThere = raw.attributeExists(this.#handle, name);
      let made = name;
      while (isThere && raw.attributeExists(this.#handle, made)) made += ".new";
      const { library } = this.#state;
      const handle = raw.attributeCreate(this.#handle, made, library.type(stored), shape);
      try {
        const place = {
          handle,
          memory: library.memoryType(dtype),
          type: dtype,
          field: undefined,
          collective: false,
          isEmpty: false,
        };
        if (shape !== null) writeData(raw, place, everything(shape), data);
      } catch (error) {
        raw.close(handle);
        // h5wasm makes an attribute with its value, and so has made none.
        if (raw.attributeExists(this.#handle, made)) raw.attributeDelete(this.#handle, made);
        throw error;
      }
      raw.close(handle);
      if (!isThere) return;
      raw.attributeDelete(this.#handle, name);
      raw.attributeRename(this.#handle, made, name);
    });
  }

  delete(name: string): void {
    checkName(name);
    this.#call("delete", name, true, "", (raw) => raw.attributeDelete(this.#handle, name));
  }

  rename(name: string, to: string): void {
    checkName(name);
    checkName(to, "to");
    this.#call("rename", name, true, to, (raw) => raw.attributeRename(this.#handle, name, to));
  }
}

function checkName(name: unknown, parameter = "name"): void {
  if (typeof name !== "string" || name === "" || name.includes("\0") || !name.isWellFormed())
    throw usage(parameter, `${show(name)} was given; it takes the name of an attribute`);
}

/** One value of a scalar, the data otherwise. */
function singleOrAll(found: Found | undefined): unknown {
  if (found === undefined) return undefined;
  if (found.shape === null) return null;
  const data = found.data as AnyElement[];
  return found.shape.length === 0 && innerShape(found.type).length === 0 ? data[0] : data;
}

interface AttributePlan {
  readonly dtype: ElementType;
  readonly stored: RawType;
  readonly shape: readonly number[] | null;
  readonly data: unknown;
}

function plan(value: unknown, options: AttributeOptions<ElementType> | undefined): AttributePlan {
  if (options !== undefined) return planWith(value, options);
  if (value === null) return { dtype: "f8", stored: checkStored("f8", undefined), shape: null, data: undefined };
  if (value instanceof Reference)
    return { dtype: "ref", stored: checkStored("ref", undefined), shape: [], data: value };
  const own = typeOfValues(value);
  if (!own)
    throw usage(
      "value",
      `${show(value)} was given; without a dtype it takes a string, number, bigint, boolean, a list of one of these, a typed array, an NDArray, a Reference or null`,
    );
  return { ...own, stored: checkStored(own.dtype, undefined) };
}

function planWith(value: unknown, options: AttributeOptions<ElementType>): AttributePlan {
  checkNames("attributes.set", options, ["dtype", "shape", "storedAs"]);
  const { dtype, storedAs } = options;
  const stored = checkStored(dtype, storedAs);
  if (value === null && dtype !== "ref") return { dtype, stored, shape: null, data: undefined };
  if (options.shape !== undefined) checkLengths("shape", options.shape);
  const inner = innerShape(dtype).reduce((size, length) => size * length, 1);
  const isMany =
    Array.isArray(value) || (ArrayBuffer.isView(value) && !(typeof dtype === "object" && dtype.kind === "opaque"));
  const count = isMany ? (value as unknown[]).length / inner : 1;
  const isOneArray = innerShape(dtype).length > 0 && count === 1;
  const shape = options.shape ?? (isMany && !isOneArray ? [count] : []);
  return { dtype, stored, shape, data: fromNumbers(value, dtype) };
}

/** Numbers in a list become the typed array of the type: `set("n", [1, 2], { dtype: "i4" })`. */
function fromNumbers(value: unknown, dtype: ElementType): unknown {
  const base = numericBase(dtype);
  if (!Array.isArray(value) || base === undefined) return value;
  for (const one of value) {
    if (typeof one !== "number" && typeof one !== "bigint") throw usage("value", `${show(one)} is no value of ${base}`);
    checkNumber(one, base, "value");
  }
  return new dtypes[base].array(value);
}
